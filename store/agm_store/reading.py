"""The reading rule: which tellings in force at one valid time are believed.

`read` consolidates the tellings in force in one pass by (rank, later start), premises before
conclusions; a claim is kept when it is consistent with the constraints and what is kept.  Ties are
read in every order: kept in all is believed, in some contested, in none out; only where every start
of a tie was defaulted does the journal's order decide.  Ids never decide what is believed.

The pass asks a `Pad` whether a claim fits what it holds; ``pads`` has the one for plain slots and
the one over the solver.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple, Protocol

from agm.errors import NotDecided
from agm_store.entries import BEFORE_ALL
from agm_store.ties import ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm_store.ledger import Ledger, Telling

MAX_OUTCOMES = 64
FLOOR = -1
"""The rank of a conclusion before any justification of it stands."""


class Pad(Protocol):
    """Holds kept claims and says whether another fits."""

    def admits(self, tellings: Sequence[Telling]) -> bool:
        """Whether the claims of the tellings fit together with what is held; raises NotDecided."""

    def add(self, tellings: Sequence[Telling]) -> None:
        """Hold the claims of the tellings from now on."""

    def fork(self) -> Pad:
        """A pad that holds the same and goes its own way."""


class Reading(NamedTuple):
    """What is believed at one point: the leading telling of each claim, and the standing of all in force."""

    believed: list[Telling]
    contested: list[list[Telling]]
    standing: dict[str, str]
    kept: tuple[Telling, ...] = ()
    """The leading tellings kept in every order, ground instances in place of rules."""
    exceptions: dict[str, str] = {}  # noqa: RUF012  a default that nobody writes to
    """Instances of rules that are not kept, with their standing."""
    removed: dict[str, int] = {}  # noqa: RUF012  a default that nobody writes to
    """Tellings, or instances of rules, that a contraction took out, with the seq of its entry."""


class _Group:
    """All tellings of one claim in force together."""

    __slots__ = ("defaulted", "identity", "justified", "key", "lead", "tellings")

    def __init__(self, identity: str, tellings: list[Telling]) -> None:
        self.identity = identity
        self.tellings = tellings
        told = [t for t in tellings if not t.derived]
        self.lead = max(told or tellings, key=lambda t: (t.rank, t.order_start, t.order_seq))
        self.key: tuple[int, int] | None = (self.lead.rank, self.lead.order_start) if told else None
        self.defaulted = all(t.defaulted for t in told if (t.rank, t.order_start) == self.key)
        self.justified = [
            (t, frozenset(because)) for t in tellings if t.derived for because in t.because
        ]


class _State:
    """One order of reading the ties, half way through."""

    __slots__ = ("agenda", "done", "kept", "pad")

    def __init__(
        self,
        pad: Pad,
        agenda: list[tuple[int, int, int, str]],
        kept: dict[str, int],
        done: set[str],
    ) -> None:
        self.pad, self.agenda, self.kept, self.done = pad, agenda, kept, done

    def fork(self) -> _State:
        return _State(self.pad.fork(), list(self.agenda), dict(self.kept), set(self.done))


def read(
    ledger: Ledger, valid: int, pad: Callable[[], Pad], *, removed: frozenset[str] = frozenset()
) -> Reading:
    """The reading of a ledger at a valid time in UTC microseconds.

    ``removed`` names tellings that a contraction has taken out.

    Raises:
        NotDecided: a check did not run, or the ties have too many orders.
    """
    tellings = [
        t
        for t in ledger.tellings.values()
        if t.entry_id not in removed and ledger.in_force(t, valid)
    ]
    return read_tellings(ledger, tellings, pad)


def read_tellings(ledger: Ledger, tellings: Sequence[Telling], pad: Callable[[], Pad]) -> Reading:
    """The reading of tellings that are in force together; see `read`."""
    groups = _groups(tellings)
    if len(groups) == 1:
        (group,) = groups.values()
        told = group.key is not None and group.lead.slot is not None and not group.justified
        if told and pad().admits([group.lead]):
            return Reading(
                [group.lead], [], {t.entry_id: "believed" for t in tellings}, (group.lead,)
            )
    names = _premise_identities(ledger, groups)
    return _reading(groups, _outcomes(groups, names, pad()), names, pad)


def outcomes_of(
    ledger: Ledger, tellings: Sequence[Telling], pad: Callable[[], Pad]
) -> list[set[str]]:
    """The ids of the tellings whose claim is kept, one set for each outcome of reading the ties."""
    groups = _groups(tellings)
    outcomes = _outcomes(groups, _premise_identities(ledger, groups), pad())
    return [
        {t.entry_id for g in groups.values() if g.identity in kept for t in g.tellings}
        for kept in outcomes
    ]


def _groups(tellings: Iterable[Telling]) -> dict[str, _Group]:
    by_claim: dict[str, list[Telling]] = {}
    for telling in tellings:
        by_claim.setdefault(telling.identity, []).append(telling)
    return {identity: _Group(identity, members) for identity, members in by_claim.items()}


def _premise_identities(ledger: Ledger, groups: dict[str, _Group]) -> dict[str, str]:
    """Premise id -> the claim it names; an id of a reverted telling still names its claim."""
    names: dict[str, str] = {}
    for group in groups.values():
        for _, premises in group.justified:
            for premise in premises:
                telling = ledger.tellings.get(premise) or ledger.reverted.get(premise)
                names[premise] = telling.identity if telling is not None else ""
    return names


def _outcomes(groups: dict[str, _Group], names: dict[str, str], pad: Pad) -> list[dict[str, int]]:
    """The kept claims with their ranks, one mapping an order of reading the ties."""
    agenda = [
        (-g.key[0], -g.key[1], -g.lead.order_seq, g.identity)
        for g in groups.values()
        if g.key is not None
    ]
    heapify(agenda)
    waiting = _by_premise(groups, names)
    states, outcomes = [_State(pad, agenda, {}, set())], []
    while states:
        state = states.pop()
        split = _advance(state, groups, waiting, names)
        if split:
            states.extend(split)
        elif state.kept not in outcomes:
            outcomes.append(state.kept)
        if len(states) + len(outcomes) > MAX_OUTCOMES:
            raise NotDecided(f"the ties have more than {MAX_OUTCOMES} outcomes")
    return outcomes


def _by_premise(groups: dict[str, _Group], names: dict[str, str]) -> dict[str, list[_Group]]:
    """Claim -> the conclusions that wait for it, those told first in front."""
    waiting: dict[str, list[_Group]] = {}
    for group in sorted(groups.values(), key=lambda g: g.lead.order_seq):
        for claim in sorted({names[p] for _, premises in group.justified for p in premises}):
            waiting.setdefault(claim, []).append(group)
    return waiting


def _advance(
    state: _State,
    groups: dict[str, _Group],
    waiting: dict[str, list[_Group]],
    names: dict[str, str],
) -> list[_State]:
    """Run a state to its end (empty list) or to the tie where it splits (the states to go on with)."""
    stride = len(state.agenda)
    while state.agenda:
        if stride > 1 and not waiting:
            stride = stride * 2 if _leap(state, groups, stride) else stride // 2
            continue
        rank = -state.agenda[0][0]
        members = [groups[identity] for identity in _pop_tie(state)]
        if not members:
            continue
        choices = ways(state.pad, members)
        if len(choices) > 1:
            return [_kept_in(state.fork(), c, rank, waiting, names) for c in choices]
        _keep(state, choices[0], rank, waiting, names)
        stride = 2 if choices[0] else 1
    return []


def _leap(state: _State, groups: dict[str, _Group], stride: int) -> bool:
    """Keep about so many claims at the front of the agenda, whole ties, at one go if they all fit together."""
    front: list[tuple[int, int, int, str]] = []
    while state.agenda and (len(front) < stride or state.agenda[0][:2] == front[-1][:2]):
        front.append(heappop(state.agenda))
    leads = [groups[identity].lead for *_, identity in front]
    try:
        fits = state.pad.admits(leads)
    except NotDecided:
        fits = False  # fewer at a time may be decided
    if not fits:
        state.agenda = [*front, *state.agenda]
        heapify(state.agenda)
        return False
    state.kept.update({identity: -rank for rank, _, _, identity in front})
    state.done.update(identity for *_, identity in front)
    if state.agenda:
        state.pad.add(leads)
    return True


def _pop_tie(state: _State) -> list[str]:
    """The claims at the front of the agenda with one (rank, start), latest journal order first."""
    front = state.agenda[0][:2]
    tie: list[str] = []
    while state.agenda and state.agenda[0][:2] == front:
        identity = heappop(state.agenda)[3]
        if identity not in state.done:
            state.done.add(identity)
            tie.append(identity)
    return tie


def _kept_in(
    state: _State,
    members: list[_Group],
    rank: int,
    waiting: dict[str, list[_Group]],
    names: dict[str, str],
) -> _State:
    _keep(state, members, rank, waiting, names)
    return state


def _keep(
    state: _State,
    members: list[_Group],
    rank: int,
    waiting: dict[str, list[_Group]],
    names: dict[str, str],
) -> None:
    for group in members:
        state.pad.add([group.lead])
        state.kept[group.identity] = rank
    for kept in members:
        for group in waiting.get(kept.identity, ()):
            if group.identity in state.done:
                continue
            rank, start = _derived_key(state, group, names)
            if rank > FLOOR:
                heappush(state.agenda, (-rank, -start, -group.lead.order_seq, group.identity))


def _derived_key(state: _State, group: _Group, names: dict[str, str]) -> tuple[int, int]:
    """The rank lent by the best justification that is wholly kept, its weakest premise's, and the start there."""
    best = FLOOR, BEFORE_ALL
    for telling, premises in group.justified:
        weakest = min((state.kept.get(names[p], FLOOR) for p in premises), default=FLOOR)
        best = max(best, (weakest, telling.order_start))
    return best


def _reading(
    groups: dict[str, _Group],
    outcomes: list[dict[str, int]],
    names: dict[str, str],
    pad: Callable[[], Pad],
) -> Reading:
    believed: list[Telling] = []
    standing: dict[str, str] = {}
    contested: list[_Group] = []
    top = [g for g in groups.values() if any(g.identity in kept for kept in outcomes)]
    for group in groups.values():
        kept_in = sum(group.identity in kept for kept in outcomes)
        if kept_in == len(outcomes):
            word = "believed"
            believed.append(group.lead)
        elif kept_in:
            word = "contested"
            contested.append(group)
        else:
            word = _word_for_out(group, top, supported=_supported(group, outcomes, names))
            if word == "outranked" and group.lead.slot is None:
                older = _stronger_and_older(group, top)
                rest = [
                    [g for g in top if g.identity in kept and g not in older] for kept in outcomes
                ]
                word = word if _fits(group, rest, pad) else "overridden"
        standing.update((t.entry_id, word) for t in group.tellings)
    believed.sort(key=lambda t: t.seq)
    return Reading(believed, _sides(contested), standing, tuple(believed))


def _supported(group: _Group, outcomes: list[dict[str, int]], names: dict[str, str]) -> bool:
    """Whether the premises of some justification are all kept in some order."""
    return any(
        all(names[p] in kept for p in premises)
        for _, premises in group.justified
        for kept in outcomes
    )


def _word_for_out(group: _Group, top: list[_Group], *, supported: bool) -> str:
    if group.key is None:
        return "overridden" if supported else "unsupported"
    same = [g for g in top if g.lead.slot == group.lead.slot and g.lead.slot is not None] or top
    return "outranked" if _stronger_and_older(group, same) else "overridden"


def _stronger_and_older(group: _Group, others: list[_Group]) -> list[_Group]:
    """Those of a higher rank and an earlier start than a told claim."""
    if group.key is None:
        return []
    rank, start = group.key
    return [g for g in others if g.lead.rank > rank and g.lead.order_start < start]


def _fits(group: _Group, kept: list[list[_Group]], pad: Callable[[], Pad]) -> bool:
    """Whether a claim without a slot would be in, in some order, if only those were kept that rank no lower."""
    rank = group.lead.rank
    for others in kept:
        try:
            if pad().admits([*(g.lead for g in others if g.lead.rank >= rank), group.lead]):
                return True
        except NotDecided:
            continue
    return False


def _sides(contested: list[_Group]) -> list[list[Telling]]:
    """Contested claims, those of one slot side by side."""
    by_slot: dict[str, list[Telling]] = {}
    for group in contested:
        by_slot.setdefault(group.lead.slot or "", []).append(group.lead)
    return [sorted(sides, key=lambda t: t.seq) for _, sides in sorted(by_slot.items())]
