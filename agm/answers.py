"""Reading a model's answer: from bytes to an `Extraction` in which every fault has its place.

`read_answer` reads the JSON, `_fact` one fact, `_directive` one directive. A fault never raises and
never spreads: it is noted on the fact where it stands, and what is right of the fact is kept.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from agm.directive_models import AnswerModel, DirectiveModel, FactModel, Fault, validated
from agm.directives import Extraction, Fact, NotRun, Resolves, listed
from agm.errors import AgmError, InvalidDirective, InvalidJson, shown
from agm.jsonform import check_json, claim_from_json, loads_strict
from agm.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agm.claims import Claim
    from agm.directives import Shown
    from agm.values import Unknown
    from agm.vocabulary import Vocabulary


MAX_ANSWER = 1024 * 1024
"""The longest answer that is read, in characters; one of 128 000 tokens has about half as many."""
MAX_FACTS = 2_000
"""The most facts of one answer; the longest answers that models give hold fewer."""
MAX_DIRECTIVES = 2_000
"""The most directives of one answer, whichever facts they stand in."""

MAX_FORMULAS = 128 * 1024
"""The most characters of all formulas of one answer; one may have half as many."""
MAX_FIELDS = 100
"""The most fields of a fact or directive; more than a few are wrong in any case."""


def read_answer(raw: object, seen: Shown, vocabulary: Vocabulary | None) -> Extraction | NotRun:
    """The extraction that a model's answer makes; see `agm.directives.parse_extraction`."""
    if isinstance(raw, str | bytes) and len(raw) > MAX_ANSWER:
        detail = f"an answer has at most {MAX_ANSWER} characters, found {len(raw)}"
        return NotRun(kind="too_large", detail=detail)
    try:
        if isinstance(raw, str | bytes):
            value = loads_strict(raw, keep_non_finite=True)
        else:
            value = raw
            check_json(value)
    except InvalidJson as fault:
        return NotRun(kind="unparseable", detail=str(fault))
    fields, faults = validated(AnswerModel, value, "")
    if faults:
        return NotRun(kind="unparseable", detail=str(InvalidDirective(faults)))
    items = fields["facts"]
    if len(items) > MAX_FACTS or _more_than_is_read(items):
        return NotRun(
            kind="too_large",
            detail=f"an answer has at most {MAX_FACTS} facts, {MAX_DIRECTIVES} directives, "
            f"{MAX_FORMULAS} characters of formulas and {MAX_FIELDS} fields an object",
        )
    names = _names(items)
    return Extraction(
        shown=seen,
        facts=tuple(
            _fact(item, f"facts[{n}]", seen, vocabulary, names) for n, item in enumerate(items)
        ),
    )


def _fact(
    item: object, path: str, seen: Shown, vocabulary: Vocabulary | None, names: _Names
) -> Fact:
    fields, faults = validated(FactModel, item, path)
    claim = _claim(fields, path, vocabulary, faults)
    start, end = _times(fields, path, faults)
    text = _text(fields, path, faults)
    resolves, refused = _directives(fields, path, seen, names)
    if not (text or claim is not None or resolves or refused or faults):
        faults.append(Fault("nothing_stated", path, "a fact has a text, a claim or a directive"))
    if faults:
        refused = [InvalidDirective(faults), *refused]
    return Fact(
        text=text,
        claim=claim,
        resolves=tuple(resolves),
        mode=fields.get("mode", "assertion"),
        confidence=fields.get("confidence"),
        valid_from=start,
        valid_to=end,
        refused=tuple(refused),
    )


def _claim(
    fields: Mapping[str, Any], path: str, vocabulary: Vocabulary | None, faults: list[Fault]
) -> Claim | None:
    given = fields.get("claim")
    if given is None:
        return None
    try:
        if isinstance(given, str):
            from agm.syntax import parse

            claim = parse(given)
        else:
            claim = claim_from_json(given, vocabulary)
    except InvalidJson as fault:
        place = f"{path}.claim{fault.path.removeprefix('$')}"
        faults.append(Fault("invalid_claim", place, fault.reason))
        return None
    except AgmError as fault:
        faults.append(Fault("invalid_claim", f"{path}.claim", str(fault)))
        return None
    if claim.free:
        faults.append(Fault("invalid_claim", f"{path}.claim", "a variable that no forall binds"))
        return None
    return claim


def _text(fields: Mapping[str, Any], path: str, faults: list[Fault]) -> str:
    text: str = fields.get("text") or ""
    if "\0" in text:
        reason = f"{shown(text)}: a text has no NUL; write it otherwise"
        faults.append(Fault("invalid_text", f"{path}.text", reason))
        return ""
    return text


def _times(
    fields: Mapping[str, Any], path: str, faults: list[Fault]
) -> tuple[datetime | Unknown | None, datetime | None]:
    undated = fields.get("valid_from") == "unknown"
    start = UNKNOWN if undated else _moment(fields, "valid_from", path, faults)
    end = _moment(fields, "valid_to", path, faults)
    if isinstance(start, datetime) and end is not None and end <= start:
        reason = f"it ends at {end.isoformat()}, at or before its start {start.isoformat()}"
        faults.append(Fault("inverted_interval", f"{path}.valid_to", reason))
        return None, None
    return start, end


def _moment(
    fields: Mapping[str, Any], name: str, path: str, faults: list[Fault]
) -> datetime | None:
    text = fields.get(name)
    if text is None:
        return None
    where = f"{path}.{name}"
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is not None:
            return found.astimezone(UTC)
    except (ValueError, OverflowError):
        reason = f"{shown(text)}: expected an ISO-8601 time with offset, years 1 to 9999 in UTC"
        faults.append(Fault("invalid_time", where, reason))
        return None
    faults.append(Fault("naive_time", where, f"{shown(text)}: it has no offset; add one, as Z"))
    return None


def _directives(
    fields: Mapping[str, Any], path: str, seen: Shown, names: _Names
) -> tuple[list[Resolves], list[InvalidDirective]]:
    given = fields.get("resolves")
    where = f"{path}.resolves"
    if isinstance(given, dict):
        asked = [(where, given)]
    else:
        asked = [(f"{where}[{k}]", item) for k, item in enumerate(given or ())]
    good: list[Resolves] = []
    refused: list[InvalidDirective] = []
    for place, item in asked:
        fields_of, faults = validated(DirectiveModel, item, place)
        faults = [*_named(item, place, names, path), *_out_of_range(item, place, seen), *faults]
        if faults:
            refused.append(InvalidDirective(faults))
        else:
            good.append(Resolves(**fields_of, path=place))
    return good, refused


def _out_of_range(item: object, place: str, seen: Shown) -> list[Fault]:
    index = item.get("session_index") if isinstance(item, dict) else None
    if type(index) is not int or index < len(seen.beliefs):
        return []
    reason = f"{shown(index)}: {listed(len(seen.beliefs))}"
    return [Fault("index_out_of_range", f"{place}.session_index", reason)]


class _Names:
    """The names that facts of one answer give themselves, and which fact names which.

    Only indices are targets, so every such reference is refused; a circle is called one.
    """

    def __init__(self, own: dict[str, str], edges: dict[str, set[str]]) -> None:
        self.own = own
        self.edges = edges
        self._reached: dict[str, set[str]] = {}

    def reaches(self, start: str, goal: str) -> bool:
        """Whether a chain of references leads from one fact to another."""
        seen = self._reached.get(start)
        if seen is None:
            seen, waiting = {start}, [start]
            while waiting:
                further = self.edges.get(waiting.pop(), set()) - seen
                waiting.extend(further)
                seen |= further
            self._reached[start] = seen
        return goal in seen


def _more_than_is_read(items: list[Any]) -> bool:
    """Whether facts hold so much that reading them would outlast any deadline."""
    facts = [item for item in items if isinstance(item, dict)]
    lists = [given for fact in facts if isinstance(given := fact.get("resolves"), list)]
    objects = [*facts, *(one for given in lists for one in given if isinstance(one, dict))]
    return (
        sum(map(len, lists)) > MAX_DIRECTIVES
        or sum(map(_formula, facts)) > MAX_FORMULAS
        or max(map(len, objects), default=0) > MAX_FIELDS
    )


def _formula(fact: dict[str, Any]) -> int:
    claim = fact.get("claim")
    text = claim.get("formula") if isinstance(claim, dict) else claim
    return len(text) if isinstance(text, str) else 0


def _names(items: list[Any]) -> _Names:
    facts = [(f"facts[{n}]", item) for n, item in enumerate(items) if isinstance(item, dict)]
    own = {item["id"]: path for path, item in facts if isinstance(item.get("id"), str)}
    edges: dict[str, set[str]] = {}
    for path, item in facts if own else ():
        given = item.get("resolves")
        for directive in given if isinstance(given, list) else [given]:
            target = _target(directive)
            if target in own:
                edges.setdefault(path, set()).add(own[target])
    return _Names(own, edges)


def _target(directive: object) -> str:
    """The name a directive gives in place of an index; empty when it gives none."""
    if isinstance(directive, dict):
        for field in ("session_index", "target"):
            if isinstance(directive.get(field), str):
                return str(directive[field])
    return ""


def _named(item: object, place: str, names: _Names, path: str) -> list[Fault]:
    target = _target(item)
    meant = names.own.get(target)
    if meant is None:
        return []
    if meant == path:
        return [Fault("self_supersede", place, f"{shown(target)} is the fact itself")]
    if names.reaches(meant, path):
        reason = f"{shown(target)} is a fact that this one is a target of: a circle has no head"
        return [Fault("supersession_cycle", place, reason)]
    return []
