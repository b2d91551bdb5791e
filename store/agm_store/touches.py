"""What an entry touches, read off its body alone, so that rebuilding never asks anything else.

A body names its tokens: ``slot`` for a slot literal or a relation atom, else ``on``.  Tokens that a
conclusion rests on stand in ``links``.  ``marks`` (``@held``) are found like tokens, but link nothing;
those that follow from other fields (`RESTS`, `TOLD_BY`, `CAUSED` and so on) are not written a second time.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agm_store.journal import Touch

if TYPE_CHECKING:
    from agm import Claim
    from agm_store.entries import Body


DERIVED = "@derived"
"""The mark of every conclusion."""
RESTS = "@rests "
"""Before a token: the mark of the conclusions that rest on it."""
FROM = "@from "
"""Before a source: the mark of the conclusions derived from it."""
TOLD_BY = "@told "
"""Before a source: the mark of what it told."""
CAUSED = "@cause "
"""Before the number of an entry: the mark of what was written because of it."""
ALIASES = "@alias"
"""The mark of what says that two names are of one entity."""
SHARES = "@shares"
"""The mark of what an owner shares, or shares no more."""
WITH = "@with "
"""Before a principal: the mark of what is shared with them."""
REFINES = "@refines"
"""The mark of what is linked as more, or less, specific than something else."""
LINKED = "@linked "
"""Before the id of a telling: the mark of what is linked with it so."""
CALLS = "@calls"
"""The mark of requests to models."""
RECONSTRUCTED = "@reads "
"""Before the number of a statement: the mark of what a model said of a slot of which it is the last mention."""
CALLED = "@call "
"""Before the number of a request: the mark of what it led to."""
ATTESTS = "@attests"
"""The mark of what is linked as saying the same as something else, one of them in words alone."""
ATTESTED = "@attested "
"""Before the id of a telling: the mark of what is linked with it so."""
COMPARED = "@compared"
"""The mark of what says which texts were compared, and with what result."""
DEMOTED = "@demoted"
"""The mark of what lets beliefs count by a weaker class."""
LOOKED = "@looked"
"""The mark of what says how far a pass came."""
DECLARED = "/declared"
"""After a predicate: the token of its declarations."""
UNDOES = "@undoes "
"""Before the number of an entry: the mark of its reverts."""


def touch_of(body: Body) -> Touch:
    """The touch of an entry with this body."""
    slot = body.get("slot")
    tokens = body.get("on") or ([slot] if slot is not None else [])
    links = body.get("links", ())
    joins = _joins(body)
    marks = body.get("marks", ())
    refined = "refines" in body or "refined_by" in body
    if (
        links
        or refined
        or "cause" in body
        or "call" in body
        or "attests" in body
        or "source" in body
        or body["op"] == "revert"
    ):
        marks = [*marks, *_implied(body)]
    carried = _plain(body) or not (joins or body["op"] == "demote")
    plain = carried and "redacted" not in body and body["op"] != "redact"
    return Touch(tokens, plain, links, joins, marks)


def _implied(body: Body) -> list[str]:
    """The marks that follow from what else a body says."""
    found = [RESTS + token for token in body.get("links", ())]
    if found:
        found.append(DERIVED)
    if "source" in body:
        found.append((FROM if "because" in body else TOLD_BY) + body["source"])
    if "cause" in body:
        found.append(f"{CAUSED}{body['cause']}")
    if "call" in body:
        found.append(f"{CALLED}{body['call']}")
    if body["op"] == "revert":
        found.append(f"{UNDOES}{body['target']}")
    linked = {*body.get("refines", ()), *body.get("refined_by", ())}
    if linked:
        found += [REFINES, *(LINKED + belief for belief in sorted(linked))]
    if body.get("attests"):
        found += [ATTESTS, *(ATTESTED + belief for belief in body["attests"])]
    return found


def _joins(body: Body) -> bool:
    """Whether the entry may tie its tokens together: it admits a telling, or binds as a contraction or constraint.

    What takes a telling back ties nothing that the telling did not tie.
    """
    if body["op"] in ("tell", "decide", "reclassify"):
        return bool(body["state"] == "admitted")
    return body["op"] in ("contract", "constrain")


def _plain(body: Body) -> bool:
    """Whether a plain-slot timeline can carry the entry."""
    op = body["op"]
    if op == "tell":
        return "slot" in body and "because" not in body
    if op in ("decide", "reclassify"):
        return "odd" not in body and not body.get("inherits")  # a place taken over later
    return op not in ("contract", "constrain", "demote")


def tokens_of_claim(claim: Claim) -> list[str]:
    """The tokens of a claim, sorted: its slots, its ground relation atoms as text, and ``p/*`` under a quantifier."""
    from agm.claims import Atom, ForAll, walk

    atoms: set[str] = set()
    relations: set[str] = set()
    quantified = False
    for node in walk(claim):
        if isinstance(node, Atom):
            relations.add(node.predicate)
            if not node.free:
                atoms.add(str(node))
        quantified = quantified or isinstance(node, ForAll)
    tokens = atoms | {str(key) for key in claim.keys if key.predicate not in relations}
    if quantified:
        tokens.update(f"{predicate}/*" for predicate in claim.symbols)
    return sorted(tokens)


def split_token(token: str) -> tuple[str, tuple[str, ...]]:
    """The predicate and the arguments of a token, names unquoted: ``f("a b", c)`` is (f, (a b, c)).

    >>> split_token('likes(anna, "black tea")')
    ('likes', ('anna', 'black tea'))
    """
    if token.endswith(("/*", DECLARED)):
        return token.rpartition("/")[0], ()
    if '"' not in token:
        name, _, rest = token.partition("(")
        return name, tuple(rest[:-1].split(", ")) if rest else ()
    return _split_quoted(token)


def arguments_of(token: str) -> tuple[str, list[tuple[str, str | None]]]:
    """The predicate of a token and its arguments as they are written, each with the entity that it names.

    What is no token of a claim has no arguments; a value that is no string names nothing.

    >>> arguments_of('f("a b", c, 5)')
    ('f', [('"a b"', 'a b'), ('c', 'c'), ('5', None)])
    """
    if token.startswith(("#", "@")) or not token.endswith(")"):
        return token, []
    from agm.values import is_bare

    if '"' not in token:
        head, _, rest = token.partition("(")
        texts = rest[:-1].split(", ") if rest else []
    else:
        head, texts = _written(token)
    names = (json.loads(t) if t.startswith('"') else t if is_bare(t) else None for t in texts)
    return head, list(zip(texts, names, strict=True))


def _written(token: str) -> tuple[str, list[str]]:
    decode = json.JSONDecoder().raw_decode
    parts: list[str] = []
    at = 0
    while at < len(token):
        begin = at
        if token[at] == '"':
            at = decode(token, at)[1]
        else:
            at = min((i for i in (token.find(c, at) for c in "(,)") if i >= 0), default=len(token))
        parts.append(token[begin:at])
        while at < len(token) and token[at] in "(,) ":
            at += 1
    return parts[0], parts[1:]


def _split_quoted(token: str) -> tuple[str, tuple[str, ...]]:
    decode = json.JSONDecoder().raw_decode
    parts: list[str] = []
    at = 0
    while at < len(token):
        if token[at] == '"':
            text, at = decode(token, at)
            parts.append(text)
        else:
            end = min((i for i in (token.find(c, at) for c in "(,)") if i >= 0), default=len(token))
            parts.append(token[at:end])
            at = end
        while at < len(token) and token[at] in "(,) ":
            at += 1
    return parts[0], tuple(parts[1:])
