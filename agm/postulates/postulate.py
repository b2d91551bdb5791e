"""What a postulate is: a guard, a condition, a formula and one sentence.

A postulate speaks of a *case*: an operator together with the values it is asked about. The guard
says whether the postulate claims anything of the case, the condition whether it is met. A module a
family lists them; `agm.postulates` names the modules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from agm.errors import AgmError

if TYPE_CHECKING:
    from collections.abc import Callable

C = TypeVar("C")


class Refused(AgmError):
    """An operator declined a case by a typed error, so that the case says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Postulate(Generic[C]):
    """A condition on an operator, as an object.

    `applicable` tells whether a case is covered, `holds` whether a covered case is as it should be.
    `inputs` is the number of claims it speaks of; `source` names where it comes from.
    """

    name: str
    formula: str
    family: str
    applicable: Callable[[C], bool]
    holds: Callable[[C], bool]
    source: str
    sentence: str
    inputs: int = 1

    def verdict(self, case: C) -> bool | None:
        """Whether the case is as it should be; None when the postulate says nothing of it."""
        try:
            return self.holds(case) if self.applicable(case) else None
        except Refused:
            return None

    def __str__(self) -> str:
        """The name and the formula."""
        return f"{self.name}: {self.formula}"


class PostulatesOf(Generic[C]):
    """Makes postulates of one family from functions: the docstring is the sentence.

    `inputs` is the number of claims that they speak of, unless one says otherwise.

    >>> named = PostulatesOf[int]("evenness")
    >>> @named("2|n", source="Euclid", when=lambda number: number > 0)
    ... def divisible(number):
    ...     "It has two equal halves."
    ...     return number % 2 == 0
    >>> divisible.verdict(3), divisible.verdict(0)
    (False, None)
    """

    def __init__(self, family: str, *, inputs: int = 1) -> None:
        self.family = family
        self.inputs = inputs

    def __call__(
        self,
        formula: str,
        *,
        source: str,
        when: Callable[[C], bool] | None = None,
        name: str = "",
        inputs: int = 0,
    ) -> Callable[[Callable[[C], bool]], Postulate[C]]:
        """Make a postulate of a function; `when` is the guard."""

        def made(holds: Callable[[C], bool]) -> Postulate[C]:
            return Postulate(
                name=name or holds.__name__.replace("_", "-"),
                formula=formula,
                family=self.family,
                applicable=when or _always,
                holds=holds,
                source=source,
                sentence=(holds.__doc__ or "").strip(),
                inputs=inputs or self.inputs,
            )

        return made


def _always(_: object) -> bool:
    return True
