"""What a change does downstream: the conclusions that rest on what moved, and the flags this asks for.

`follow` runs at the end of each write, in its transaction, whatever verb wrote.  It costs one look-up
where nothing rests on what was touched, and otherwise grows with what rests on it and with what that
rests on in turn.  What is believed is read by the one reading rule; which steps follow is decided by
`agm_propagation.consequences`, and each step is an entry that names its cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm.errors import NotDecided
from agm_propagation.consequences import Affected, Clear, Raise, Withdraw, consequences
from agm_store.components import component
from agm_store.context import tokens_of
from agm_store.flags import Place, dismissed, standing
from agm_store.lagging import but_as_before
from agm_store.siblings import is_over, siblings
from agm_store.touches import ALIASES, DERIVED, RESTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from agm_propagation.consequences import Step
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.listings import Flagged
    from agm_store.reading import Reading

BELIEVED = ("believed", "contested")
_OWN = ("flag", "clear", "attempt", "retry", "doubt", "settle", "compared", "looked")
"""Entries that move no belief."""


class Downstream(NamedTuple):
    """What rests, directly or not, on some tokens."""

    tokens: list[str]
    """They and the tokens of all conclusions on the way, sorted."""
    conclusions: list[Entry]
    """The tellings of conclusions on these tokens, in order of recording."""
    artefacts: list[Entry]
    """The versions of artefacts that rest on them, in order of recording."""


class Followed(NamedTuple):
    """What a write did downstream: the flags that it raised, and the conclusions that the policy withdrew."""

    flags: tuple[Flagged, ...] = ()
    withdrawn: tuple[str, ...] = ()


def follow(context: Context, written: Sequence[Entry], now: int) -> Followed:
    """Record what a write does downstream."""
    moving = [e for e in written if e.body["op"] not in _OWN]
    if not moving or not context.journal.touched(context.owner, DERIVED):
        return Followed()
    moved = _moved(context, moving)
    if not moved or (len(moving) == 1 and _stands_on_its_own(context, moving[0], moved, now)):
        return Followed()
    reach = downstream(context, moved)
    steps: list[Step] = []
    if reach.conclusions or reach.artefacts:
        try:
            steps = _steps(context, reach, moving, now)
        except NotDecided:
            steps = []  # nothing is known, so nothing is flagged; a sweep looks at every conclusion again
    raised = record_steps(context, steps, now, cause=_head(moving[0]))
    withdrawn = tuple(s.belief for s in steps if isinstance(s, Withdraw))
    below = {e.entry_id for e in reach.conclusions}
    for entry in moving:  # each correction of a batch is undone by itself, with its flags
        steps = consequences((), {}, siblings=siblings(context, entry, below))
        raised += record_steps(context, steps, now, cause=_head(entry))
    return Followed(tuple(raised), withdrawn)


def _head(entry: Entry) -> int:
    """The entry that a flag is undone with: one that moved something, or what that was written because of."""
    seq: int = entry.body.get("cause", entry.seq)
    return seq


def downstream(context: Context, tokens: Iterable[str]) -> Downstream:
    """Everything that rests on some tokens, however far."""
    journal, owner = context.journal, context.owner
    found = set(tokens)
    frontier = sorted(found)
    artefacts: dict[int, Entry] = {}
    conclusions: dict[int, Entry] = {}
    while frontier:
        marks = [RESTS + token for token in frontier if journal.touched(owner, RESTS + token)]
        fresh: set[str] = set()
        for entry in journal.touching(owner, marks) if marks else ():
            if entry.body["op"] == "artefact":
                artefacts[entry.seq] = entry
            elif entry.body["op"] == "tell" and entry.seq not in conclusions:
                conclusions[entry.seq] = entry
                fresh.update(tokens_of(entry) or [f"#{entry.entry_id}"])
        frontier = sorted(_spread(context, fresh - found) - found)
        found.update(frontier)
    own = [e for e in journal.touching(owner, sorted(found)) if "because" in e.body]
    conclusions.update((e.seq, e) for e in own if e.body["op"] == "tell")
    return Downstream(
        sorted(found),
        [conclusions[seq] for seq in sorted(conclusions)],
        [artefacts[seq] for seq in sorted(artefacts)],
    )


def _moved(context: Context, written: Sequence[Entry]) -> set[str]:
    """The tokens of which a write may have changed what is believed."""
    touched = {t for e in written for t in tokens_of(e) or [f"#{e.entry_id}"]}
    return _spread(context, touched | renamed(context, written))


def renamed(context: Context, written: Iterable[Entry]) -> set[str]:
    """The tokens that are read otherwise because a write says, or says no more, that names are of one entity."""
    if not context.raw.touched(context.owner, ALIASES):
        return set()
    from agm_store.aliases import named_by

    return named_by(context, written)


def _spread(context: Context, tokens: Iterable[str]) -> set[str]:
    """Some tokens with those that claims about the same things tie to them."""
    found: set[str] = set()
    for token in tokens:
        if token in found:
            continue
        found.add(token)
        if token.startswith("#") or context.plain(token):
            continue
        try:
            found.update(
                component(context.journal, context.owner, [token], whole=False, ancestry=0)
            )
        except NotDecided:
            continue  # too large to be read, so nothing is known to have moved
    return found


def _stands_on_its_own(context: Context, entry: Entry, moved: set[str], now: int) -> bool:
    """Whether a write is one plain telling or conclusion on which nothing rests, and which is supported."""
    body = entry.body
    if body["op"] != "tell" or "resolves" in body or "on" in body:
        return False
    if any(context.journal.touched(context.owner, RESTS + token) for token in moved):
        return False
    if "because" not in body:
        return all(context.plain(token) for token in moved)
    if body["state"] != "admitted" or len(moved) > 1:
        return False
    others = context.journal.touching(context.owner, sorted(moved), upto=entry.seq - 1)
    if others:  # what is believed already, stays so
        return others[0].body["op"] == "tell" and _surely_believed(context, others[0].entry_id, now)
    return all(_surely_believed(context, premise, now) for premise in body["because"])


def _surely_believed(context: Context, premise: str, now: int) -> bool:
    """Whether a belief is believed for sure, seen from its own slot and its flags alone."""
    entry = context.telling_entry(premise)
    slot = entry.body.get("slot")
    if slot is None or not entry.body.keys().isdisjoint(("inherits", "resolves", "on")):
        return False  # what is read elsewhere bears on it
    if context.plain(slot):
        head = context.journal.head().count
        segment = context.journal.segment(context.owner, slot, now, head)
        if segment is None or len(segment.believed) != 1:
            return False
        leading = context.journal.entry(segment.believed[0])
        return leading is not None and context.identity(leading) == context.identity(entry)
    ruled = context.ruled_predicates()
    if ruled and slot.partition("(")[0] in ruled:
        return False
    ledger = context.ledger([slot])
    told = ledger.slots.get(context.slot(slot), ())
    alone = len(told) == len(ledger.tellings) and not ledger.contracts
    if not alone or len({t.value for t in ledger.tellings.values()}) > 1:
        return False
    telling = ledger.tellings.get(premise)
    if telling is None or not ledger.in_force(telling, now):
        return False
    places = [Place(premise)]
    return not standing(context, places) and not dismissed(context, places)


def _steps(context: Context, reach: Downstream, moving: Sequence[Entry], now: int) -> list[Step]:
    around = component(
        context.journal, context.owner, reach.tokens, whole=False, cap=len(reach.tokens) + CAP
    )
    ledger, reading = _read(context, around, now)
    flags = _flags_on(context, reach)
    lost = [e for e in reach.conclusions if reading.standing.get(e.entry_id) == "unsupported"]
    before: Reading | None = None
    if lost or reach.artefacts:
        before = _read(context, around, now, upto=moving[0].seq - 1)[1]
    once = held_once(ledger) if context.policy.unsupported == "retract" else frozenset()
    affected = [affected_by(ledger, reading, before, e, now, once=once) for e in reach.conclusions]
    steps = consequences(
        affected,
        flags,
        artefacts=_artefacts(context, reach.artefacts, before, reading),
        regained=_regained(context, reach.artefacts, reading),
        policy=context.policy.unsupported,
    )
    back = moving[0].body["op"] == "revert"  # what it restores was seen before
    if back and steps:
        then = moving[0].body["target"] - 1
        steps = but_as_before(context, steps, _read(context, around, now, upto=then)[1], then)
    stale = [s for s in steps if isinstance(s, Raise) and (back or not s.fresh)]
    return without_dismissed(context, stale, steps)


def without_dismissed(context: Context, stale: Sequence[Step], steps: Sequence[Step]) -> list[Step]:
    """The steps but those of the stale ones that raise again what was dismissed."""
    raised = [s for s in stale if isinstance(s, Raise)]
    let_be = dismissed(context, [Place(s.on, s.artefact) for s in raised])
    dropped = [s for s in raised if (Place(s.on, s.artefact), s.kind) in let_be]
    return [s for s in steps if s not in dropped]


CAP = 500
"""Tokens that rules and shared claims may add to what is downstream."""


def _read(
    context: Context, tokens: Sequence[str], now: int, *, upto: int | None = None
) -> tuple[Ledger, Reading]:
    from agm_store.outcomes import consolidated

    if upto is not None and context.raw.touched(context.owner, ALIASES):
        context = context.as_known(upto)
    ledger = context.ledger(tokens, upto=upto)
    return ledger, consolidated(context, ledger, now)


def _flags_on(context: Context, reach: Downstream) -> dict[str, frozenset[str]]:
    places = [Place(e.entry_id) for e in reach.conclusions]
    found: dict[str, set[str]] = {}
    for flag in standing(context, places):
        found.setdefault(flag.on, set()).add(flag.kind)
    return {on: frozenset(kinds) for on, kinds in found.items()}


def affected_by(
    ledger: Ledger,
    reading: Reading,
    before: Reading | None,
    entry: Entry,
    now: int,
    *,
    once: AbstractSet[str] = frozenset(),
) -> Affected:
    """A conclusion as it stands now; ``before`` says how it stood before a change, ``once`` what held at some time."""
    belief = entry.entry_id
    telling = ledger.tellings.get(belief)
    live = telling is not None and telling.live
    word = reading.standing.get(belief, "not_in_force")
    missing: tuple[str, ...] = ()
    if telling is not None and word == "unsupported":
        missing = _missing(ledger, reading, telling)
    return Affected(
        belief=belief,
        live=live and not is_over(ledger, telling, now) and belief not in reading.removed,
        standing=word,
        missing=missing,
        fresh=before is None or before.standing.get(belief) != "unsupported",
        descriptor="artefact" in entry.body,
        stood=telling is not None and telling.identity in once,
    )


def held_once(ledger: Ledger) -> set[str]:
    """The claims that were believed of some time, by the least fixpoint: told, or following from such."""
    found: set[str] = set()
    lacking: dict[int, int] = {}
    waiting: dict[str, list[Telling]] = {}
    ready = []
    for telling in ledger.tellings.values():
        start, end = ledger.interval(telling)
        if not telling.live or start >= end:
            continue
        premises = {_stated(ledger, p) for because in telling.because for p in because}
        lacking[telling.seq] = len(premises)
        for claim in premises:
            waiting.setdefault(claim, []).append(telling)
        if not premises:
            ready.append(telling)
    while ready:
        claim = ready.pop().identity
        if claim in found:
            continue
        found.add(claim)
        for telling in waiting.get(claim, ()):
            lacking[telling.seq] -= 1
            if not lacking[telling.seq]:
                ready.append(telling)
    return found


def _stated(ledger: Ledger, premise: str) -> str:
    named = ledger.tellings.get(premise) or ledger.reverted.get(premise)
    return "" if named is None else named.identity


def _missing(ledger: Ledger, reading: Reading, telling: Telling) -> tuple[str, ...]:
    """The premises of a telling that are not believed, sorted."""
    claims = {t.identity for t in reading.kept}
    found = []
    for premise in {p for because in telling.because for p in because}:
        named = ledger.tellings.get(premise) or ledger.reverted.get(premise)
        if named is None or named.identity not in claims:
            found.append(premise)
    return tuple(sorted(found))


def _artefacts(
    context: Context, versions: Iterable[Entry], before: Reading | None, after: Reading
) -> dict[str, list[str]]:
    """For each artefact in its latest version what it rests on and is no longer believed, if no flag says so."""
    found: dict[str, list[str]] = {}
    if before is None:
        return found
    held = {t.identity for t in after.kept}
    stood = {t.identity for t in before.kept}
    for entry in _latest(context, versions):
        place = Place(entry.body["artefact"], artefact=True)
        premises = [context.telling_entry(p) for p in entry.body["because"]]
        gone = {
            p.entry_id
            for p in premises
            if (claim := context.identity(p)) in stood and claim not in held
        }
        gone -= {lost for flag in standing(context, [place]) for lost in flag.because}
        if gone:
            found[place.name] = sorted(gone)
    return found


def _regained(context: Context, versions: Iterable[Entry], after: Reading) -> dict[str, list[str]]:
    """For each artefact in its latest version the flags of which everything that was lost is believed again."""
    held = {t.identity for t in after.kept}
    found: dict[str, list[str]] = {}
    for entry in _latest(context, versions):
        name = entry.body["artefact"]
        for flag in standing(context, [Place(name, artefact=True)]):
            if all(context.identity(context.telling_entry(b)) in held for b in flag.because):
                found.setdefault(name, []).append(flag.id)
    return found


def _latest(context: Context, versions: Iterable[Entry]) -> list[Entry]:
    """Those versions that no later one of their artefact followed."""
    from agm_store.artefacts import latest

    found = []
    for entry in versions:
        last = latest(context, entry.body["artefact"])
        if last is not None and last.seq == entry.seq:
            found.append(entry)
    return found


def record_steps(
    context: Context, steps: Sequence[Step], now: int, *, cause: int | None
) -> list[Flagged]:
    """Write the steps as entries, because of another or of none; gives the flags among them that stand in the end."""
    raised: list[Place] = []
    seqs: set[int] = set()
    for step in steps:
        if isinstance(step, Raise):
            place = Place(step.on, artefact=step.artefact)
            body = {**place.body("flag"), "kind": step.kind}
            if step.because:
                body["lost"] = list(step.because)
            if cause is not None:
                body["cause"] = cause  # undone with it, though a stale one was only noticed by it
                if not step.fresh:
                    body["noticed"] = True
            raised.append(place)
            seqs.add(context.append(context.free_id("f"), now, body).seq)
        elif isinstance(step, Clear):
            clear(context, step, now, cause=cause)
        elif isinstance(step, Withdraw):
            _withdraw(context, step, now, cause)
    return [f for f in standing(context, raised) if f.entry in seqs] if raised else []


def clear(
    context: Context, step: Clear, now: int, *, cause: int | None, by: str | None = None
) -> Entry | None:
    """Clear the flags of one kind on a belief or artefact; None when none stands."""
    place = Place(step.on, artefact=step.artefact)
    flags = [f for f in standing(context, [place]) if f.kind == step.kind]
    seqs = [f.entry for f in flags if not step.flags or f.id in step.flags]
    if not seqs:
        return None
    body: Body = {**place.body("clear"), "flags": [int(s) for s in seqs], "how": step.how}
    if cause is not None:
        body["cause"] = cause
    if by is not None:
        body["by"] = by
    return context.append(context.free_id("c"), now, body)


def _withdraw(context: Context, step: Withdraw, now: int, cause: int | None) -> None:
    entry = context.telling_entry(step.belief)
    body: Body = {
        "op": "expire" if step.stood else "retract",
        "target": step.belief,
        "on": tokens_of(entry),
        "note": "unsupported: " + ", ".join(step.because),
    }
    if step.stood:
        body |= {"at": now, "alone": True, "tellings": [step.belief]}
    if cause is not None:
        body["cause"] = cause
    context.append(context.free_id("x" if step.stood else "r"), now, body)
