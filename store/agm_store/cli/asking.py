"""``ask``: what is believed of a term, or whether a claim follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.cli.output import print_json, say
from agm_store.forms import answer_json

if TYPE_CHECKING:
    from agm_store.questions import Found

_MOST = 10
"""Lines of what was told and does not answer."""


def ask_command(
    question: str,
    *,
    db: str,
    principal: str,
    valid_at: str | None = None,
    known_at: str | None = None,
    known_entry: int | None = None,
    as_json: bool,
) -> int:
    """Ask, print the answer, and give the exit code."""
    from agm_store.opening import open_store
    from agm_store.questions import answer
    from agm_store.times import moment_of

    valid = None if valid_at is None else moment_of("valid_at", valid_at)
    known = known_entry if known_at is None else moment_of("known_at", known_at)
    with open_store(db, principal=principal, create=False, read_only=True) as store:
        found = answer(store.at(valid=valid, known=known), question)
        if as_json:
            _print_json(found)
        else:
            _print(question, found)
    return 0


def _print_json(found: Found) -> None:
    shown: dict[str, Any] = {
        "answers": [answer_json(side) for side in found.answers],
        "contested": [answer_json(side) for side in found.contested],
        "outranked": [answer_json(side) for side in found.outranked],
        "entailed": found.entailed,
    }
    if found.kept_out:
        shown["kept_out"] = [answer_json(side) for side in found.kept_out]
    if found.hint:
        shown["hint"] = found.hint
    if found.shared:
        shown["shared"] = [{**answer_json(side), "owner": side.owner} for side in found.shared]
    print_json(shown)


def _print(question: str, found: Found) -> None:
    from agm_store.cli.output import side_row, table, word
    from agm_store.forms import inertly, said

    sides = [*found.answers, *found.contested, *found.outranked]
    if sides:
        table([side_row(side) for side in sides])
    if not found.answers:
        words = {True: "follows", False: found.otherwise, "undecided": "undecided"}
        how = "contested" if found.contested else words[found.entailed]
        say(f"{question}: {word(how)}")
    elif found.is_claim:
        say(f"{question}: {word('follows')}")
    for side in found.kept_out[:_MOST]:
        how = side.status if side.status == "held" else side.standing
        say(f"  {said(side)} is {word(how)}; `agm why {side.belief}` says why")
    if len(found.kept_out) > _MOST:
        say(f"  and {len(found.kept_out) - _MOST} more")
    if found.hint:
        say(f"  {inertly(found.hint)}")
    if found.shared:
        table([[f"shared by {side.owner}", *side_row(side)] for side in found.shared])
