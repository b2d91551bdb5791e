"""One comparison: a question is drawn, the operator and the definition are asked, and both agree.

An operator whose answer is left open by its definition (any certificate that is one, any proof) is
held against `Allowed`; every other answer has to be the very one of the definition. A typed refusal
is an answer, by the name of the error; an error of any other kind is never the right one.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.errors import AgmError
from agm.postulates.drawing import against, questions
from laboratory import asking

if TYPE_CHECKING:
    from collections.abc import Callable


class Allowed(NamedTuple):
    """The answers that a definition leaves open: what they have in common, in words."""

    holds: Callable[[Any], bool]
    said: str

    def __str__(self) -> str:
        return self.said


class Pair(NamedTuple):
    """An operator and its definition, asked the same questions.

    `mattered` says of a question and an answer whether there was something to decide, such as a
    loss; comparisons in which nothing happens show little.
    """

    name: str
    draw: Callable[[Random], Any]
    operator: Callable[[Any], Any]
    definition: Callable[[Any], Any]
    mattered: Callable[[Any, Any], bool]


class Comparison(NamedTuple):
    """One answer held against the definition."""

    question: Any
    found: Any
    due: Any
    agrees: bool
    mattered: bool


def compared(pair: Pair, seed: int, case: int) -> Comparison:
    """The comparison of this number; the same for the same pair, seed and number."""
    question = pair.draw(Random(f"{pair.name} {seed} {case}"))
    due = pair.definition(question)
    try:
        found = pair.operator(question)
    except AgmError as fault:
        refused = type(fault).__name__
        return Comparison(question, refused, due, agrees=refused == due, mattered=False)
    except Exception as fault:  # noqa: BLE001  (a crash is one more wrong answer, and is told)
        crashed = f"{type(fault).__name__}: {fault}"
        return Comparison(question, crashed, due, agrees=False, mattered=True)
    agrees = due.holds(found) if isinstance(due, Allowed) else bool(found == due)
    return Comparison(question, found, due, agrees, pair.mattered(question, found))


any_base = partial(asking.of_base, questions)
"""Questions about what often follows from the base."""

clashing = partial(asking.of_base, against)
"""Questions about what the base often contradicts."""
