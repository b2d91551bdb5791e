"""Entries of the logic: contractions, constraints, declarations and names, and the claim of any body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm.claims import Atom, slot_literal
from agm.errors import AgmError
from agm.syntax import parse
from agm.values import literal as literal_text
from agm_store.errors import shorten
from agm_store.touches import ALIASES, tokens_of_claim
from agm_store.vetting.tokens import misplaced, tokens_touched, unlike_marks_alone

if TYPE_CHECKING:
    from agm import Claim
    from agm_store.entries import Body, Entry
    from agm_store.naming import Names
    from agm_store.vetting.antecedents import Antecedents


def contract(_: Antecedents, entry: Entry) -> str | None:
    """The claim, and what it touches."""
    claim = _claim(entry.body)
    if isinstance(claim, str):
        return claim
    return misplaced(entry.body, tokens_of_claim(claim))


def constrain(before: Antecedents, entry: Entry) -> str | None:
    """The claim, what it ranges over, and that the constraints do not contradict each other."""
    claim = _claim(entry.body)
    if isinstance(claim, str):
        return claim
    ranged = {*tokens_of_claim(claim), *(f"{p}/*" for p in claim.symbols)}
    why = misplaced(entry.body, sorted(ranged))
    return why or _contradiction(before, entry, claim, before.hand(entry).names)


def declare(_: Antecedents, entry: Entry) -> str | None:
    """The declaration in its own form."""
    from agm.vocabulary import Vocabulary

    body = entry.body
    name, said = body["predicate"], body["declaration"]
    try:
        known = Vocabulary.from_json({name: said}).to_json().get(name)
    except (AgmError, TypeError, ValueError) as error:
        return f"declaration {shorten(said)} is none ({shorten(str(error))})"
    if known != said:
        return f"declaration {shorten(said)} is not in its own form"
    return misplaced(body, [f"{name}/declared"])


def alias(before: Antecedents, entry: Entry) -> str | None:
    """An alias touches no claim, and under it the constraints do not contradict each other."""
    from agm_store.aliases import joined
    from agm_store.naming import Names

    hand, body = before.hand(entry), entry.body
    classes = {} if hand.names is None else hand.names.classes
    pairs = [(names[0], name) for name, names in classes.items()]
    names = Names(joined([*pairs, (body["entity"], body["of"])]))
    return unlike_marks_alone(body, [ALIASES]) or _contradiction(before, entry, None, names)


def tokens_of_telling(body: Body) -> list[str] | str:
    """The tokens of a telling's claim, or why its slot and value are not the claim's."""
    claim = _claim(body)
    if isinstance(claim, str):
        return claim
    literal = slot_literal(claim)
    if literal is not None:
        wanted: dict[str, Any] = {"slot": str(literal[0]), "value": literal_text(literal[1])}
    elif isinstance(claim, Atom):
        wanted = {"slot": body["claim"], "value": "true", "relation": True}
    else:
        wanted = {}
    for name in ("slot", "value", "relation"):
        if body.get(name) != wanted.get(name):
            return (
                f"{name} {shorten(body.get(name))} is not its claim's, {shorten(wanted.get(name))}"
            )
    return [wanted["slot"]] if wanted else tokens_of_claim(claim)


def _claim(body: Body) -> Claim | str:
    """The claim of a body, or why it is none."""
    text = body["claim"]
    try:
        claim = parse(text)
    except AgmError as error:
        return f"claim {shorten(text)} is none ({shorten(str(error))})"
    if str(claim) != text:
        return f"claim {shorten(text)} is not in its own form, {shorten(str(claim))}"
    return f"claim {shorten(text)} has free variables" if claim.free else claim


def _contradiction(
    before: Antecedents, entry: Entry, claim: Claim | None, names: Names | None
) -> str | None:
    """Why the constraints before an entry, with its own, cannot hold under the names of entities."""
    from agm import solver
    from agm.verdicts import Inconsistent
    from agm.vocabulary import Vocabulary
    from agm_store.ledger import fold

    ruled = before.journal.ruled(entry.owner)
    tokens = {t for e in ruled if e.seq < entry.seq for t in tokens_touched(e)}
    earlier = before.journal.touching(entry.owner, tokens, upto=entry.seq - 1)
    earlier = earlier if names is None else names.entries(earlier)
    texts = [text for _, text in fold(earlier, before.order.rank).constraints]
    vocabulary = Vocabulary()
    try:
        claims = [parse(text) for text in texts]
        if claim is not None:
            claims.insert(0, claim if names is None else names.meant(claim))
        for each in claims:
            vocabulary = vocabulary.admit(each)[1]
        answer = solver.check(claims, vocabulary=vocabulary)
    except AgmError:
        return None  # what the check cannot read, it says nothing of
    return "it contradicts the constraints before it" if isinstance(answer, Inconsistent) else None
