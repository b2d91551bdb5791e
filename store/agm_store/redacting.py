"""Redacting: what one statement said goes for good, that it was made stays.

The telling keeps its place, its times and its slot, so that what it ended stays ended; its words go,
in the journal, in what was worked out of it, and in every sentence that quotes them: notes, reasons,
rationales, what a version of an artefact or a source said as a whole.  Tokens that nobody else speaks of
are renamed everywhere at once.  What other claims and names say is left, and named on the receipt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agm_store.blanking import FOUND, MADE, PROSE, SAID, WORDS, blanked, form_of
from agm_store.context import telling_of, tokens_of, tokens_of_body
from agm_store.entries import says_nothing
from agm_store.errors import InvalidArgument, RedactedBelief
from agm_store.gates import mark_of_expiry
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.statements import checked_text
from agm_store.touches import RESTS, tokens_of_claim

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger

_SHORTEST = 4
"""Characters of a value that is looked for by itself; shorter ones stand everywhere."""
_NAMED = 10
"""How many entries a notice names."""


_SHOWN = 50
"""Characters of a long text that a message which quotes it shows in any case."""
_CHAIN = "the digest of what was said stays in the chain: who guesses every word of it can confirm the guess"


class _Wanted(NamedTuple):
    """What is to go: the telling, its words, and tokens under new names."""

    entry: Entry
    words: tuple[str, ...]
    names: dict[str, str]


def redact(context: Context, belief: str, note: str) -> Receipt:
    """Blank one telling for good; see `BeliefStore.redact`."""
    checked_text("note", note)
    with context.writing() as now:
        entry = context.telling_entry(belief)
        if says_nothing(entry.body):
            raise RedactedBelief(belief, entry.body["redacted"])
        ledger = context.ledger_of(entry)
        others = _tellings(ledger, entry)
        wanted = _Wanted(entry, _words(context, entry), _names(context, entry, alone=not others))
        seq = context.journal.head().count + 1
        forms, quoting = _forms(context, wanted, seq)
        if any(word in note for word in wanted.words):
            raise InvalidArgument("note", "…", "a note that does not repeat what is to go")
        touched = sorted({wanted.names.get(t, t) for t in tokens_of(entry)})
        body: Body = {
            "op": "redact",
            "target": belief,
            "blanked": [[at, form_of(form)[1]] for at, form in sorted(forms.items())],
            "on": touched,
        }
        if note:
            body["note"] = note
        written = context.append(context.free_id("k"), now, body)
        if touched == sorted(tokens_of(entry)):
            context.follow_now()  # while what the telling said can still be read as of before
        context.journal.blank({at: form_of(form)[0] for at, form in forms.items()})
        context.forget()
        return Receipt(
            belief=cast("BeliefId", belief),
            entry=EntryId(written.seq),
            status="redacted",
            not_checked=("nothing was put in its place, so nothing was checked",),
            notices=tuple(_notices(wanted, others, forms, quoting)),
        )


def _tellings(ledger: Ledger, entry: Entry) -> list[str]:
    """The other tellings of the claim of one, in the very words."""
    same = ledger.claims.get(telling_of(ledger, entry).identity, ())
    alike = [t for t in same if t.body.get("claim") == entry.body.get("claim")]
    return [t.entry_id for t in alike if t.entry_id != entry.entry_id]


def _words(context: Context, entry: Entry) -> tuple[str, ...]:
    """What must not be found any more: the claim, the text, the citation, and values long enough to tell."""
    body = entry.body
    found = [body.get("claim"), body.get("text"), body.get("citation")]
    found += [word for word in _values(context, body.get("claim")) if len(word) >= _SHORTEST]
    found += [word[:_SHOWN] for word in found if word and len(word) > _SHOWN]
    found += [repr(word)[1:-1] for word in found if word]  # as messages quote it
    return tuple(dict.fromkeys(word for word in found if word))


def _values(context: Context, claim: str | None) -> Iterator[str]:
    """The values that a claim gives, as text; of a relation what it says of its first argument."""
    if claim is None:
        return
    from agm.claims import Atom, Compare, Linear, Member, Term, Variable, walk
    from agm.values import literal

    for node in walk(context.parsed(claim)):
        if isinstance(node, Atom):
            said = [arg for arg in node.args[1:] if not isinstance(arg, Variable)]
        elif isinstance(node, Compare):
            sides = node.left, node.right
            said = [side for side in sides if not isinstance(side, (Term, Variable, Linear))]
        else:
            said = list(node.values) if isinstance(node, Member) else []
        for value in said:
            yield literal(value).strip('"')
            if isinstance(value, str):
                yield value


def _names(context: Context, entry: Entry, *, alone: bool) -> dict[str, str]:
    """New names for the tokens and marks that repeat what the telling said and that nobody else speaks of."""
    if entry.body.get("claim") is None:
        return {}
    from agm.claims import Atom, walk

    claim = context.parsed(entry.body["claim"])
    atoms = {str(node) for node in walk(claim) if isinstance(node, Atom) and not node.free}
    new = f"#{entry.entry_id}"
    names = {token: new for token in sorted(atoms) if not _spoken(context, entry, token)}
    return {**names, mark_of_expiry(str(claim)): mark_of_expiry(new)} if alone else names


def _spoken(context: Context, entry: Entry, token: str) -> bool:
    """Whether a claim of another entry speaks of a token."""
    for other in context.raw.touching(context.owner, [token]):
        claim = other.body.get("claim")
        if other.seq == entry.seq or claim is None:
            continue
        if other.body.get("slot") == token or token in tokens_of_claim(context.parsed(claim)):
            return True
    return False


def _forms(context: Context, wanted: _Wanted, seq: int) -> tuple[dict[int, Body], list[Entry]]:
    """The bodies to put in place, by entry, and the entries that go on quoting the telling."""
    entry, words, names = wanted
    renamed = set(names) | {RESTS + token for token in names}
    moved = {e.seq for e in context.raw.touching(context.owner, sorted(renamed))}
    forms: dict[int, Body] = {entry.seq: blanked(entry.body, seq, (*SAID, *WORDS), names)}
    quoting: list[Entry] = []
    for other in context.journal.entries(owner=context.owner):
        if other.seq == entry.seq:
            continue
        fields = _fields(other, wanted)
        form = blanked(other.body, seq, fields, names if other.seq in moved else {})
        if {**form, "redacted": 0} != {**other.body, "redacted": 0}:
            forms[other.seq] = form
        if _quotes([form, other.entry_id], words):
            quoting.append(other)
    return forms, quoting


def _fields(other: Entry, wanted: _Wanted) -> tuple[str, ...]:
    """The fields of another entry that speak of the telling."""
    entry, words, _ = wanted
    body = other.body
    found: tuple[str, ...] = ()
    if _is_about(body, entry):
        found = WORDS
    elif _quotes({name: body[name] for name in FOUND if name in body}, words):
        found = FOUND
    made = body["op"] in ("artefact", "imprint")
    fields = [name for name in (MADE if made else PROSE) if _quotes(body.get(name), words)]
    if body["op"] == "imprint" and (
        entry.body.get("cause") == other.seq or entry.entry_id in body["kept"]
    ):
        fields.append("content")
    return (*found, *fields)


def _is_about(body: Body, entry: Entry) -> bool:
    """Whether an entry does something to the telling."""
    return entry.entry_id in (body.get("target"), body.get("belief")) or (
        body["op"] in ("reclassify", "revert") and body["target"] == entry.seq
    )


def _quotes(value: object, words: Sequence[str]) -> bool:
    """Whether any text in a body holds any of the words."""
    return any(word in text for text in _texts(value) for word in words)


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401  JSON
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def _notices(
    wanted: _Wanted, others: list[str], forms: Mapping[int, Body], quoting: list[Entry]
) -> Iterator[str]:
    entry = wanted.entry
    slots = [t for t in tokens_of_body(entry.body) if t not in wanted.names and "(" in t]
    if slots:
        yield f"that something was told of {', '.join(slots)} stays"
    names = [name for name in ("source", "episode") if _quotes(entry.body.get(name), wanted.words)]
    if names := [*names, *(["id"] if _quotes(entry.entry_id, wanted.words) else [])]:
        yield f"names stay, and what was said stands in its {', '.join(names)}"
    if others:
        yield f"the claim was also told by {', '.join(sorted(others))}: redact them too"
    if rest := [seq for seq in sorted(forms) if seq != entry.seq]:
        yield f"what quoted it was blanked in {_listed([f'entry {seq}' for seq in rest])}"
    if left := [e for e in quoting if e.entry_id not in others]:
        named = [f"entry {e.seq} ({e.body['op']} {e.entry_id})" for e in left]
        yield f"still quoted by {_listed(named)}"
    yield _CHAIN


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
