"""Claims from text: `parse(str(claim)) is claim`.

Simple atoms (`ttl(cache, eu) = 300`, `likes(anna, "tea")`, `p`) are read by hand, which is many
times faster and loads no parser; everything else goes through the LALR grammar of `claims.lark`
and `agm.reading`. Both roads build the same claims (differential test).
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from agm.claims import MAX_TEXT, Atom, Compare, Term
from agm.errors import ClaimSyntaxError, ClaimTooLarge, ClaimTypeError
from agm.values import Quantity, is_bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from agm.claims import Claim
    from agm.values import Value


_OPS = frozenset({"=", "!=", "<", "<=", ">", ">="})
_EDGES = " \t\r\n"
_SHORT_INT = 18


def parse(text: str, /) -> Claim:
    """The claim that the text states.

    Raises `ClaimSyntaxError` with the position on text that is no claim, `ClaimTooLarge` beyond
    64 Ki characters, 64 levels or 10 000 nodes, `ClaimTypeError`, `InvalidName` and `InvalidValue`
    on parts that do not go together or are no names or values.

    >>> str(parse("∀x (penguin(x) → ¬flies(x))"))
    'forall x. penguin(x) -> !flies(x)'
    """
    text = _checked(text)
    claim = parse_simple(text)
    if claim is not None:
        return claim
    from agm.reading import read_claim  # (loads lark)

    return read_claim(text)


def parse_term(text: str, /) -> Term[Any]:
    """The term that the text names, nested ones too: `P27(P26(P50("Our Mutual Friend")))`.

    Raises as `parse` does, and `ClaimSyntaxError` on text that is a claim but no term.
    """
    text = _checked(text)
    head = _head(text)
    if head is not None and head[2] == len(text) and _all_names(head[1]):
        return Term(head[0], tuple(head[1]))  # type: ignore[arg-type]
    from agm.reading import read_term  # (loads lark)

    return read_term(text)


def parse_simple(text: str) -> Claim | None:
    """The claim, when the text is a simple atom in canonical spacing; None for all other text."""
    if text.isidentifier():
        return Atom(text, ()) if is_bare(text) else None
    head = _head(text)
    if head is None:
        return None
    name, args, end = head
    if end == len(text):
        return Atom(name, tuple(args))
    parts = text[end:].split(" ", 2)
    if len(parts) != 3 or parts[0] or parts[1] not in _OPS or not _all_names(args):
        return None
    value = simple_value(parts[2])
    if value is None:
        return None
    return Compare(parts[1], Term(name, tuple(args)), value)  # type: ignore[arg-type]


def simple_value(text: str) -> Value | None:
    """The value of a plain literal; None when the text is none or needs the grammar."""
    first = text[:1]
    if first == '"':
        plain = text[-1] == '"' and len(text) > 1 and text.count('"') == 2 and "\\" not in text
        return text[1:-1] if plain else None
    if text in {"true", "false"}:
        return text == "true"
    body = text[1:] if first == "-" else text
    if not body.isascii() or not body[:1].isdigit():
        return None
    if body.isdigit():
        return int(text) if len(body) <= _SHORT_INT else None
    amount, space, unit = text.partition(" ")
    if space:
        number = simple_value(amount)
        fits = type(number) in {int, Decimal} and is_bare(unit)
        return Quantity(number, unit) if fits else None  # type: ignore[arg-type]
    whole, _, part = body.partition(".")
    if whole.isdigit() and part.isdigit():
        return Decimal(text)
    return _simple_date(text)


def _simple_date(text: str) -> date | None:
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _checked(text: object) -> str:
    if not isinstance(text, str):
        raise ClaimTypeError(text, "the text of a claim is a str; decode bytes first")
    if len(text) > MAX_TEXT:
        raise ClaimTooLarge("characters", len(text), MAX_TEXT)
    text = text.strip(_EDGES)
    if not text:
        raise ClaimSyntaxError(text, 0, "a claim, for example ttl(cache) = 300")
    return text


def _head(text: str) -> tuple[str, list[Value], int] | None:
    """Name, arguments and end of a leading `name(arg, ...)` with plain arguments."""
    position = text.find("(")
    name = text[:position]
    if position <= 0 or not is_bare(name):
        return None
    args: list[Value] = []
    while True:
        found = _argument(text, position + 1)
        if found is None:
            return None
        arg, position = found
        args.append(arg)
        after = text[position : position + 1]
        if after == ")":
            return name, args, position + 1
        if after != "," or text[position + 1 : position + 2] != " ":
            return None
        position += 1


def _argument(text: str, start: int) -> tuple[Value, int] | None:
    """The plain argument that starts here, and where it ends."""
    if text[start : start + 1] == '"':
        end = text.find('"', start + 1)
        segment = text[start + 1 : end]
        return None if end < 0 or "\\" in segment else (segment, end + 1)
    comma, close = text.find(",", start), text.find(")", start)
    end = close if comma < 0 or close < comma else comma
    if end < 0:
        return None
    segment = text[start:end]
    if segment.isidentifier():
        return (segment, end) if is_bare(segment) else None
    value = simple_value(segment)
    return None if value is None or isinstance(value, str) else (value, end)


def _all_names(args: list[Value]) -> bool:
    return all(type(arg) is str for arg in args)
