"""Postulates as test cases: one object a postulate, for `pytest.mark.parametrize`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm.postulates.checking import PATIENCE, check_one
from agm.postulates.families import family as family_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm.postulates.families import FamilyName
    from agm.postulates.postulate import Postulate


class PostulateCase:
    """One postulate to be asked of one operator; calling it raises AssertionError on a surprise.

    pytest names the test by `__name__`.
    """

    def __init__(
        self,
        operator: Callable[..., Any],
        postulate: Postulate[Any],
        *,
        family: FamilyName,
        expected: str,
        draws: int,
        seed: int,
        patience: float | None,
    ) -> None:
        self.operator = operator
        self.postulate = postulate
        self.family = family
        self.expected = expected
        self.draws = draws
        self.seed = seed
        self.patience = patience
        self.__name__ = postulate.name

    def __call__(self) -> None:
        """Check; the message of the error has the formula and the counterexample."""
        found = check_one(
            self.operator,
            self.postulate,
            family=self.family,
            draws=self.draws,
            seed=self.seed,
            patience=self.patience,
        )
        if found.verdict != self.expected:
            raise AssertionError(
                f"expected of {self.postulate.name!r} that it {self.expected}, found:\n{found}"
            )

    def __repr__(self) -> str:
        return f"<PostulateCase {self.postulate.name}: {self.expected}>"


def postulate_cases(
    operator: Callable[..., Any],
    *,
    family: FamilyName = "contraction",
    fails: Iterable[str] = ("recovery", "linear hierarchy"),
    draws: int = 500,
    seed: int = 0,
    patience: float | None = PATIENCE,
) -> list[PostulateCase]:
    """The postulates of a family as test cases for one operator, each to be called.

    `fails` names those that must fail; the others must hold, on enough draws. By default these are
    recovery, and the linear hierarchy that only rank cuts keep. Names the family does not have are
    ignored. `patience` is that of `check_postulates`.

    >>> from agm import contract
    >>> [case.postulate.name for case in postulate_cases(contract)][:2]
    ['success', 'inclusion']
    """
    failing = set(fails)
    return [
        PostulateCase(
            operator,
            postulate,
            family=family,
            expected="fails" if postulate.name in failing else "holds",
            draws=draws,
            seed=seed,
            patience=patience,
        )
        for postulate in family_of(family).postulates
    ]
