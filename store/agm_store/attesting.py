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


class Met(dict[str, "list[tuple[Ledger, list[Telling]]]"]):
    """What was looked up: by belief, what says the same, each with its fold."""


class Attestations(NamedTuple):
    """The statements that a telling says the same as: claims that it puts in words, and what attests it."""

    attests: tuple[str, ...] = ()
    attested_by: tuple[str, ...] = ()


def attestations(
    context: Context,
    ledger: Ledger,
    telling: Telling,
    known: int,
    *,
    own: bool = True,
    met: Met | None = None,
) -> Attestations:
    """What a telling attests and is attested by, as of an entry.

    ``own`` counts the other tellings of its belief; ``met`` keeps what was looked up, for many tellings of one belief.
    """
    if telling.redacted:
        return Attestations()
    in_words = _in_words(context, ledger, telling, known, Met() if met is None else met)
    told = _others(ledger, telling) if own else ()
    if telling.claim is None:
        return Attestations(attests=in_words, attested_by=told)
    return Attestations(attested_by=tuple(sorted({*told, *in_words})))


def left_in_words(context: Context, ledger: Ledger, gone: Iterable[Telling]) -> tuple[str, ...]:
    """A notice of the beliefs of their own that say in words what a claim states that goes; none for most."""
    if not context.journal.touched(context.owner, ATTESTS):
        return ()
    known, met = context.journal.head().count, Met()
    found: set[str] = set()
    for telling in gone:
        if telling.claim is not None:
            found |= set(_in_words(context, ledger, telling, known, met))
    named = ", ".join(sorted(found))
    return (f"the same was said in words that stay as they are: {named}",) if found else ()


def _others(ledger: Ledger, telling: Telling) -> tuple[str, ...]:
    """The other tellings of its belief that stand and are in force with it somewhere."""
    told = ledger.claims.get(telling.identity, ())
    return tuple(
        sorted(
            t.entry_id for t in told if t is not telling and _together(ledger, t, ledger, telling)
        )
    )


def _in_words(
    context: Context, ledger: Ledger, telling: Telling, known: int, met: Met
) -> tuple[str, ...]:
    """What was found to say the same: texts for a claim, whichever telling of it was met; claims for a text."""
    if not context.journal.touched(context.owner, ATTESTS):
        return ()
    if not telling.live or telling.entry_id in ledger.reverted:
        return ()
    key = telling.entry_id if telling.claim is None else telling.identity
    if key not in met:
        same = [telling] if telling.claim is None else ledger.claims.get(key, [telling])
        met[key] = list(_found(context, same, known, claims=telling.claim is None))
    found = set()
    for theirs, speakers in met[key]:
        together = (t.entry_id for t in speakers if _together(theirs, t, ledger, telling))
        found.update(next(([name] for name in together), []))
    return tuple(sorted(found))


def _found(
    context: Context, same: list[Telling], known: int, *, claims: bool
) -> Iterator[tuple[Ledger, list[Telling]]]:
    """The texts, or the claims, that are linked with some tellings: each with its fold, who was met in front."""
    for name in sorted(_linked(context, same, known)):
        entry = context.journal.find(context.owner, name)
        if entry is None or entry.seq > known:
            continue
        theirs = context.ledger_of(entry, upto=known)
        other = theirs.tellings.get(name)
        if other is not None and (other.claim is not None) == claims:
            told = theirs.claims[other.identity] if claims else []
            yield theirs, [other, *(t for t in told if t is not other)]


def _linked(context: Context, same: list[Telling], known: int) -> set[str]:
    """The tellings that some are linked with, by entries of their own or by theirs."""
    standing = [t for t in same if t.live]
    found = {name for telling in standing for name in telling.body.get("attests", ())}
    names = {telling.entry_id for telling in same}
    marks = [f"{ATTESTED}{name}" for name in sorted(names)]
    marked = context.journal.touching(context.owner, marks, upto=known)
    for bearer in {e.entry_id if e.body["op"] == "tell" else str(e.body["belief"]) for e in marked}:
        entry = context.journal.find(context.owner, bearer)
        if entry is None or entry.seq > known:
            continue
        other = context.ledger_of(entry, upto=known).tellings.get(bearer)
        if other is not None and not names.isdisjoint(other.body.get("attests", ())):
            found.add(bearer)
    return found


def _together(ledger: Ledger, telling: Telling, theirs: Ledger, other: Telling) -> bool:
    """Whether a telling stands, and over some of the time of another one."""
    if not telling.live or telling.redacted or telling.derived:
        return False
    if telling.entry_id in ledger.reverted:
        return False
    low, high = ledger.interval(telling)
    reverted = other.entry_id in theirs.reverted
    start, end = (other.start, other.told_end) if reverted else theirs.interval(other)
    return max(low, start) < min(high, max(end, start + 1))
