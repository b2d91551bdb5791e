"""What lapsed without an entry: the first stage of a sweep.

An entry is followed downstream when it is written; time is not.  So a sweep reads every conclusion as it
stands now, and what each artefact rests on: one that lost its support when a premise ended is flagged,
without a cause, and a flag whose belief or artefact is supported again, or over, is cleared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm.errors import NotDecided
from agm_propagation.consequences import Raise, consequences
from agm_store.artefacts import latest_of_all
from agm_store.components import component
from agm_store.conclusions import BELIEVED, affected_by, held_once
from agm_store.context import tokens_of
from agm_store.downstream import CAP
from agm_store.flagging import without_dismissed
from agm_store.flags import Place, last_dismissed, standing
from agm_store.touches import DERIVED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm_propagation.consequences import Affected, Step
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.listings import Flagged


class Lapses(NamedTuple):
    """The steps that time alone asks for, and the beliefs of which it was not decided, each with the reason."""

    steps: tuple[Step, ...]
    undecided: tuple[tuple[str, str], ...] = ()


def lapses(context: Context, now: int) -> Lapses:
    """What time did to conclusions, to flagged beliefs and to artefacts, as steps to be recorded."""
    flags = standing(context)
    made = latest_of_all(context)
    looked = _looked_at(context, flags, made)
    readings = _Readings(context, looked, now)
    kinds: dict[str, set[str]] = {}
    for flag in flags:
        if not flag.artefact:
            kinds.setdefault(flag.on, set()).add(flag.kind)
    steps = consequences(
        readings.affected.values(),
        {on: frozenset(found) for on, found in kinds.items()},
        artefacts=_lost(context, made, flags, readings),
        regained=_regained(made, flags, readings),
    )
    beliefs = [s for s in steps if isinstance(s, Raise) and not s.artefact]
    steps = without_dismissed(context, beliefs, steps)
    steps += _withdrawn(context, steps, kinds, readings)
    return Lapses(tuple(steps), tuple(sorted(readings.undecided.items())))


def _looked_at(context: Context, flags: Sequence[Flagged], made: Sequence[Entry]) -> list[Entry]:
    """The tellings of conclusions, of what is flagged and of what artefacts rest on, in order of recording."""
    derived = context.journal.touching(context.owner, [DERIVED])
    found = {e.seq: e for e in derived if e.body["op"] == "tell" and "because" in e.body}
    named = [b for version in made for b in version.body["because"]]
    named += [b for f in flags for b in (f.because if f.artefact else (f.on,))]
    for belief in named:
        entry = context.telling_entry(belief)
        found[entry.seq] = entry
    return [found[seq] for seq in sorted(found)]


def _lost(
    context: Context, made: Sequence[Entry], flags: Sequence[Flagged], readings: _Readings
) -> dict[str, list[str]]:
    """For each artefact what it rests on and is not believed, where no flag says so and nobody let that be."""
    places = [Place(e.body["artefact"], artefact=True) for e in made]
    seen: dict[str, set[str]] = {}
    for flag in flags:
        if flag.artefact:
            seen.setdefault(flag.on, set()).update(flag.because)
    for (place, _), entry in last_dismissed(context, places).items():
        seen.setdefault(place.name, set()).update(entry.body.get("lost", ()))
    found: dict[str, list[str]] = {}
    for version in made:
        name = version.body["artefact"]
        gone = set(readings.gone(version.body["because"])) - seen.get(name, set())
        if gone:
            found[name] = sorted(gone)
    return found


def _regained(
    made: Sequence[Entry], flags: Sequence[Flagged], readings: _Readings
) -> dict[str, list[str]]:
    """For each artefact the flags of which everything that was lost is believed again."""
    names = {e.body["artefact"] for e in made}
    found: dict[str, list[str]] = {}
    for flag in flags:
        if flag.artefact and flag.on in names and readings.held(flag.because):
            found.setdefault(flag.on, []).append(flag.id)
    return found


def _withdrawn(
    context: Context, steps: Sequence[Step], kinds: dict[str, set[str]], readings: _Readings
) -> list[Step]:
    """What the policy asks for where a conclusion lapsed, and the flag on it was just raised."""
    raised = [s for s in steps if isinstance(s, Raise) and s.kind == "support_lost"]
    lapsed = {s.on: frozenset({s.kind, *kinds.get(s.on, ())}) for s in raised}
    affected = [readings.affected[on] for on in lapsed]
    return consequences(affected, lapsed, policy=context.policy.unsupported)


class _Readings:
    """Each telling as it stands now; one reading serves all tellings on its tokens.

    The latest come first: what a conclusion rests on is read with it.
    """

    def __init__(self, context: Context, looked: Sequence[Entry], now: int) -> None:
        self.affected: dict[str, Affected] = {}
        self.undecided: dict[str, str] = {}
        self._kept: dict[str, bool] = {}
        self._context, self._now = context, now
        self._tokens = {e.entry_id: tokens_of(e) or [f"#{e.entry_id}"] for e in looked}
        self._cap = CAP + len({t for tokens in self._tokens.values() for t in tokens})
        on_token: dict[str, list[Entry]] = {}
        for entry in looked:
            on_token.setdefault(self._tokens[entry.entry_id][0], []).append(entry)
        for entry in reversed(looked):
            if entry.entry_id not in self.affected:
                self._read(entry, on_token)

    def gone(self, beliefs: Iterable[str]) -> list[str]:
        """Those of which neither they nor another telling of their claim is believed, as far as it was decided."""
        return [
            b
            for b in beliefs
            if b in self._kept and not self._kept[b] and self.affected[b].standing not in BELIEVED
        ]

    def held(self, beliefs: Iterable[str]) -> bool:
        """Whether all of them are believed, by whichever telling of their claims."""
        return all(self._kept.get(b, False) for b in beliefs)

    def _read(self, entry: Entry, on_token: dict[str, list[Entry]]) -> None:
        from agm_store.outcomes import consolidated

        context = self._context
        own = self._tokens[entry.entry_id]
        try:
            around = component(context.journal, context.owner, own, whole=False, cap=self._cap)
            ledger = context.ledger(around)
            reading = consolidated(context, ledger, self._now)
        except NotDecided as error:
            self.undecided[entry.entry_id] = error.reason
            return
        read, held = set(around), {t.identity for t in reading.kept}
        once = held_once(ledger) if context.policy.unsupported == "retract" else frozenset()
        for token in around:
            for one in on_token.get(token, ()):
                if one.entry_id not in self.affected and read.issuperset(
                    self._tokens[one.entry_id]
                ):
                    found = affected_by(ledger, reading, None, one, self._now, once=once)
                    self.affected[one.entry_id] = found
                    self._kept[one.entry_id] = context.identity(one) in held
                    self.undecided.pop(one.entry_id, None)
