"""Which statements attest a belief: the other tellings of it, and texts that were found to say the same.

A text that says what a claim states is a belief of its own, for only claims take part in the timeline of a
slot.  That the two say the same is a link of the entry that found it (``attests``), or of the decision
that admitted that.  It counts while both stand and are in force together somewhere: who takes back the text
takes back this one attestation, and who takes back the claim leaves the text as it was told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.touches import ATTESTED, ATTESTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agm_store.context import Context
    from agm_store.ledger import Ledger, Telling


class Attestations(NamedTuple):
    """The statements that a telling says the same as: claims that it puts in words, and what attests it."""

    attests: tuple[str, ...] = ()
    attested_by: tuple[str, ...] = ()


def attestations(
    context: Context, ledger: Ledger, telling: Telling, known: int, *, own: bool = True
) -> Attestations:
    """What a telling attests and is attested by, as of an entry; ``own`` counts the other tellings of its belief."""
    if telling.redacted:
        return Attestations()
    in_words = _in_words(context, ledger, telling, known)
    told = _others(ledger, telling) if own else ()
    if telling.claim is None:
        return Attestations(attests=in_words, attested_by=told)
    return Attestations(attested_by=tuple(sorted({*told, *in_words})))


def _others(ledger: Ledger, telling: Telling) -> tuple[str, ...]:
    """The other tellings of its belief that stand and are in force with it somewhere."""
    told = ledger.claims.get(telling.identity, ())
    return tuple(
        sorted(
            t.entry_id for t in told if t is not telling and _together(ledger, t, ledger, telling)
        )
    )


def _in_words(context: Context, ledger: Ledger, telling: Telling, known: int) -> tuple[str, ...]:
    """What was found to say the same: texts for a claim, whichever telling of it was met; claims for a text."""
    if not context.journal.touched(context.owner, ATTESTS):
        return ()
    if not telling.admitted or telling.withdrawn or telling.entry_id in ledger.reverted:
        return ()
    same = [telling] if telling.claim is None else ledger.claims.get(telling.identity, [telling])
    names = {name for one in same for name in _linked(context, one, known)}
    found = []
    for name in sorted(names):
        entry = context.journal.find(context.owner, name)
        if entry is None or entry.seq > known:
            continue
        theirs = context.ledger_of(entry, upto=known)
        other = theirs.tellings.get(name)
        if other is not None and (other.claim is None) == (telling.claim is not None):
            for each in _speakers(theirs, other):
                if _together(theirs, each, ledger, telling):
                    found.append(each.entry_id)
                    break
    return tuple(sorted(set(found)))


def _speakers(ledger: Ledger, telling: Telling) -> Iterator[Telling]:
    """The telling that was met; for a claim then any other of it, for the claim is what the words say."""
    yield telling
    if telling.claim is not None:
        yield from (t for t in ledger.claims[telling.identity] if t is not telling)


def _linked(context: Context, telling: Telling, known: int) -> Iterator[str]:
    """The tellings that it is linked with, by an entry of its own or by theirs."""
    if telling.admitted and not telling.withdrawn:
        yield from telling.body.get("attests", ())
    marked = context.journal.touching(context.owner, [f"{ATTESTED}{telling.entry_id}"], upto=known)
    for bearer in {e.entry_id if e.body["op"] == "tell" else str(e.body["belief"]) for e in marked}:
        entry = context.journal.find(context.owner, bearer)
        if entry is None or entry.seq > known:
            continue
        other = context.ledger_of(entry, upto=known).tellings.get(bearer)
        if other is not None and telling.entry_id in other.body.get("attests", ()):
            yield bearer


def _together(ledger: Ledger, telling: Telling, theirs: Ledger, other: Telling) -> bool:
    """Whether a telling stands, and over some of the time of another one."""
    if not telling.admitted or telling.withdrawn or telling.redacted or telling.derived:
        return False
    if telling.entry_id in ledger.reverted:
        return False
    low, high = ledger.interval(telling)
    reverted = other.entry_id in theirs.reverted
    start, end = (other.start, other.told_end) if reverted else theirs.interval(other)
    return max(low, start) < min(high, max(end, start + 1))


def left_in_words(context: Context, ledger: Ledger, gone: Iterable[Telling]) -> tuple[str, ...]:
    """A notice of the beliefs of their own that say in words what a claim states that goes; none for most."""
    if not context.journal.touched(context.owner, ATTESTS):
        return ()
    known = context.journal.head().count
    found: set[str] = set()
    for telling in gone:
        if telling.claim is not None:
            found |= set(_in_words(context, ledger, telling, known))
    named = ", ".join(sorted(found))
    return (f"the same was said in words that stay as they are: {named}",) if found else ()
