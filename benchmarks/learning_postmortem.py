"""The post-mortem's conversations under extraction noise: who answers what is so now, and who is misled.

A fact that is buried, a value that changed, and one that changed and is referred to afterwards, as many of
each; every arm is given the same words, labels and errors. One seed a conversation of a kind, on which no
arm was tried out. How many there are was fixed beforehand, from what earlier measurements on other seeds
showed: a difference of three to six in a thousand between the two best arms. Half as many from 100 000 on
left their intervals overlapping by a hair; these are drawn anew, and the run is reported as it comes out.
That takes about an hour and a quarter of one processor.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from agm_store.experiments import ARMS, POSTMORTEM, Share, run, scenarios
from benchmarks.figures import measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.figures import Figure

OURS = "library"
FIRST = 3_000_000
"""The first seed; earlier measurements had those from 0 and 100 000 on, trials others below 3 000 000."""
CHUNK = 250
"""Conversations of each kind that are in memory at once."""


class Sizes(NamedTuple):
    """Conversations of each kind, by noise level."""

    seeds: Mapping[float, int]
    processes: int | None = None


FULL = Sizes({0.0: 1_000, 0.1: 70_000, 0.2: 50_000, 0.3: 40_000})
QUICK = Sizes({0.0: 10, 0.1: 10, 0.2: 10, 0.3: 10}, processes=1)


class Heard(NamedTuple):
    """What came of one noise level: shares of right last answers by (kind, arm), and counts by arm."""

    shares: dict[tuple[str, str], Share]
    misled: dict[str, int]
    told: int
    lost: dict[str, int]

    def of(self, arm: str, kinds: Sequence[str] = POSTMORTEM) -> Share:
        """The share of an arm over some kinds."""
        mine = [self.shares[kind, arm] for kind in kinds]
        return Share(sum(s.right for s in mine), sum(s.total for s in mine))


def figures(sizes: Sizes) -> Iterator[Figure]:
    """Each noise level, and what held over all of them."""
    found = {}
    for level in sizes.seeds:
        found[level] = heard(level, sizes)
        yield from compared(level, found[level], POSTMORTEM, "post-mortem")
        yield from compared(level, found[level], POSTMORTEM[2:], "post-mortem, referred to alone")
    yield from kept(list(found.values()))


def heard(level: float, sizes: Sizes) -> Heard:
    """Let every arm hear the conversations at one noise level."""
    total = Heard({}, dict.fromkeys(ARMS, 0), 0, dict.fromkeys(ARMS, 0))
    with ProcessPoolExecutor(sizes.processes) as executor:
        for first in range(0, sizes.seeds[level], CHUNK):
            count = min(CHUNK, sizes.seeds[level] - first)
            drawn = scenarios(count, seed=FIRST + first, kinds=POSTMORTEM)
            total = _added(total, run(drawn, noise=[level], executor=executor))
    return total


def _added(total: Heard, records: list[dict[str, Any]]) -> Heard:
    for record in records:
        name = record["kind"], record["arm"]
        right, count = total.shares.get(name, Share(0, 0))
        total.shares[name] = Share(right + record["current"], count + 1)
        total.misled[record["arm"]] += record["misled"]
        total.lost[record["arm"]] += record["lost"] or 0
    told = sum(record["told"] for record in records if record["arm"] == OURS)
    return total._replace(told=total.told + told)


def compared(level: float, found: Heard, kinds: Sequence[str], name: str) -> Iterator[Figure]:
    """How the library stands to the best other arm at one noise level, over some kinds."""
    ours = found.of(OURS, kinds)
    others = {arm: found.of(arm, kinds) for arm in ARMS if arm != OURS}
    best = max(others, key=lambda arm: others[arm].value)
    named = f"{name} at {100 * level:g} % extraction noise"
    told = "; ".join(f"{arm} {share}" for arm, share in [(OURS, ours), *others.items()])
    yield measured(
        f"{named}: share of right current answers, ours minus the best other's",
        ours.value - others[best].value,
        ">= 0",
        n=ours.total,
        note=told,
    )
    if level > 0:
        yield measured(
            f"{named}: upper end of the best other's 95 % interval minus the lower of ours",
            max(share.interval[1] for share in others.values()) - ours.interval[0],
            "< 0",
            n=ours.total,
            note=f"the best other is {best}",
        )


def kept(found: list[Heard]) -> Iterator[Figure]:
    """What the library must never do, over all noise levels."""
    others = ", ".join(f"{arm} {sum(f.misled[arm] for f in found)}" for arm in ARMS if arm != OURS)
    yield measured(
        "post-mortem: stale answers by a reference that was labelled as such or suspicious",
        sum(f.misled[OURS] for f in found),
        "= 0",
        n=sum(f.of(OURS).total for f in found),
        note=f"others: {others}",
    )
    yield measured(
        "post-mortem: facts told that no history finds",
        sum(f.lost[OURS] for f in found),
        "= 0",
        n=sum(f.told for f in found),
        note=f"latest-wins: {sum(f.lost['latest-wins'] for f in found)}",
    )
