"""The certificates of what contractions give up, beside what makes a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.contraction import contract
from laboratory.asking import TABLE
from laboratory.comparing.contractions import OPERATORS, names
from laboratory.comparing.pairs import Allowed, Pair, any_base
from laboratory.definitions.contraction import CONTRACTIONS
from laboratory.definitions.explanations import Reason, are_reasons, linear_reasons

if TYPE_CHECKING:
    from agm.changes import Change
    from laboratory.asking import BaseQuestion


def _reasons(change: Change, question: BaseQuestion) -> frozenset[Reason]:
    """Every loss with its certificate."""
    told = question.told
    return frozenset(
        Reason(
            loss.belief.id,
            names(loss.kernel) if loss.certified else None,
            told.possible & TABLE.mask(loss.against),
        )
        for loss in change.given_up
    )


def _certificates(name: str) -> Pair:
    """The certificates of what a contraction gives up."""
    operator, definition = OPERATORS[name], CONTRACTIONS[name]

    def allowed(question: BaseQuestion) -> Allowed:
        told, goal = question.told, question.goal
        part = definition(told, goal)
        return Allowed(
            lambda found: are_reasons(told, goal, part, found),
            f"kernels for the loss of {sorted(told.names(told.all & ~part))}",
        )

    return Pair(
        f"agm.contraction.{name}: certificates",
        any_base,
        lambda q: _reasons(operator(q.base, q.claim), q),
        allowed,
        lambda _, found: bool(found),
    )


PAIRS = (
    Pair(
        "agm.contract: certificates",
        any_base,
        lambda q: _reasons(contract(q.base, q.claim), q),
        lambda q: linear_reasons(q.told, q.goal),
        lambda _, found: bool(found),
    ),
    *map(_certificates, OPERATORS),
)
