"""Revisions, consolidation and expansion of bases, beside their definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm import consolidate, expand, revise
from agm.revision import (
    credibility_limited,
    external,
    levi,
    revise_all,
    screened,
    semi_revise,
)
from laboratory.asking import TABLE
from laboratory.comparing.contractions import OPERATORS
from laboratory.comparing.pairs import Pair, any_base, clashing
from laboratory.definitions import revision as by_definition
from laboratory.definitions.contraction import CONTRACTIONS, linear

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.claims import Claim
    from agm.contraction import Operator
    from laboratory.asking import BaseQuestion
    from laboratory.definitions.contraction import Contraction
    from laboratory.definitions.revision import Held

_GUARDS = ("asserted", "documented")


def held(change: Change) -> Held:
    """What is held afterwards: claims with their ranks."""
    after = change.after
    return frozenset((belief.claim, after.rank(belief)) for belief in after)


def _lost_some(question: BaseQuestion, found: Held) -> bool:
    """Whether a sentence of the base is gone."""
    left = {sentence for sentence, _ in found}
    return any(belief.claim not in left for belief in question.base)


def _pair(
    name: str,
    operator: Callable[[BaseQuestion], Change],
    definition: Callable[[BaseQuestion], Held | str],
    draw: Callable[[Random], BaseQuestion] = clashing,
) -> Pair:
    return Pair(name, draw, lambda question: held(operator(question)), definition, _lost_some)


def _over(name: str, operator: Operator, contraction: Contraction) -> Iterator[Pair]:
    """The revisions that belong to a contraction."""
    yield _pair(
        f"agm.revision.levi({name})",
        lambda q: levi(operator, entrenchment=q.of)(q.base, q.claim),
        lambda q: by_definition.internal(q.told, q.news[0], contraction),
    )
    yield _pair(
        f"agm.revision.external({name})",
        lambda q: external(q.base, q.claim, entrenchment=q.of, contraction=operator),
        lambda q: by_definition.external(q.told, q.news[0], contraction),
    )
    yield _pair(
        f"agm.revision.semi_revise({name})",
        lambda q: semi_revise(q.base, q.claim, entrenchment=q.of, contraction=operator),
        lambda q: by_definition.semi(q.told, q.news[0], contraction),
    )
    yield _pair(
        f"agm.revision.revise_all({name})",
        lambda q: revise_all(q.base, q.claims, entrenchment=q.of, contraction=operator),
        lambda q: by_definition.multiple(q.told, q.news, contraction),
    )
    yield _pair(
        f"agm.consolidate({name})",
        lambda q: consolidate(q.base, contraction=operator),
        lambda q: by_definition.consolidate(q.told, contraction),
        any_base,
    )


def _first_world(_: BeliefBase, claim: Claim) -> bool:
    """A condition without a plan: whether the claim is true where all atoms are false."""
    return bool(TABLE.mask(claim) & 1)


def _credible(name: str) -> Pair:
    return _pair(
        f"agm.revision.credibility_limited({name})",
        lambda q: credibility_limited(_first_world, entrenchment=q.of, contraction=OPERATORS[name])(
            q.base, q.claim
        ),
        lambda q: by_definition.credibility_limited(
            q.told, q.news[0], CONTRACTIONS[name], credible=bool(q.goal & 1)
        ),
    )


PAIRS = (
    *(pair for name in OPERATORS for pair in _over(name, OPERATORS[name], CONTRACTIONS[name])),
    _pair(
        "agm.revise",
        lambda q: revise(q.base, q.claim, entrenchment=q.of),
        lambda q: by_definition.internal(q.told, q.news[0], linear),
    ),
    _pair(
        "agm.revision.external",
        lambda q: external(q.base, q.claim, entrenchment=q.of),
        lambda q: by_definition.external(q.told, q.news[0], linear),
    ),
    _pair(
        "agm.revision.semi_revise",
        lambda q: semi_revise(q.base, q.claim, entrenchment=q.of),
        lambda q: by_definition.semi(q.told, q.news[0], linear),
    ),
    _pair(
        "agm.revision.revise_all",
        lambda q: revise_all(q.base, q.claims, entrenchment=q.of),
        lambda q: by_definition.multiple(q.told, q.news, linear),
    ),
    _pair(
        "agm.consolidate",
        lambda q: consolidate(q.base),
        lambda q: by_definition.consolidate(q.told, linear),
        any_base,
    ),
    _credible("linear_preferred"),
    _credible("safe"),
    _pair(
        "agm.revision.screened",
        lambda q: screened(*_GUARDS, entrenchment=q.of)(q.base, q.claim),
        lambda q: by_definition.screened(q.told, q.news[0], q.guarded(*_GUARDS)),
    ),
    Pair(
        "agm.expand",
        clashing,
        lambda q: held(expand(q.base, q.claim, entrenchment=q.of)),
        lambda q: by_definition.expand(q.told, q.news[0]),
        lambda q, found: found != frozenset((one.claim, q.base.rank(one)) for one in q.base),
    ),
)
