"""Deriving: a claim that follows from what is believed is recorded with the proofs as its justifications.

Each kernel, a minimal set of believed claims that entails it together with the constraints, becomes one
justification; rules count as premises by the statement that told them.  When one kernel goes, another may
still support the conclusion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import NotDecided
from agm_store.components import component
from agm_store.errors import InvalidArgument, NothingToChange, shorten
from agm_store.grounding import INSTANCE
from agm_store.statements import utterance
from agm_store.telling import belief_of, record
from agm_store.touches import tokens_of_claim

if TYPE_CHECKING:
    from agm import Claim
    from agm_store.context import Context
    from agm_store.receipts import Receipt


def derive(
    context: Context,
    claim: Claim,
    *,
    source: str | None = None,
    episode: str | None = None,
    limit: int = 4,
) -> tuple[Receipt, ...]:
    """Record what follows, with its justifications; see `BeliefStore.derive`."""
    _check_limit(limit)
    with context.writing():
        said = utterance(context, claim, entrenchment="inferred", source=source, episode=episode)
        assert said.claim is not None  # an utterance takes in a claim or refuses it
        normal = context.meant(said.claim)
        kernels = _kernels(context, normal, limit)
        known = _justifications(context, normal)
        return tuple(
            record(
                context,
                utterance(context, claim, entrenchment="inferred", source=source, episode=episode),
                because=sorted(kernel),
            )
            for kernel in kernels
            if kernel not in known
        )


def _check_limit(limit: object) -> None:
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidArgument("limit", limit, "how many justifications at most, from 1 on")


def _kernels(context: Context, claim: Claim, limit: int) -> list[frozenset[str]]:
    """The ids of the premises of each proof, best first.

    It is read what is believed without the claim itself, so no proof rests on what rests on the claim.

    Raises:
        NothingToChange: it does not follow, or from the constraints alone.
        NotDecided: whether it follows was not found out.
    """
    from agm.base import BeliefBase
    from agm_store.outcomes import consolidated

    ledger = context.ledger(component(context.journal, context.owner, tokens_of_claim(claim)))
    without = frozenset({str(claim)})
    reading = consolidated(context, ledger, context.now(), around=[claim], without=without)
    others = [t for t in reading.kept if t.claim is not None]
    beliefs = [belief_of(context, t.entry_id, t.body, t.claim) for t in others]
    constraints = [context.parsed(text) for _, text in ledger.constraints]
    spoken = [claim, *constraints, *(b.claim for b in beliefs)]
    vocabulary = context.lexicon.learn(sorted({s for c in spoken for s in c.symbols}))
    base = BeliefBase(beliefs, constraints=constraints, order=context.order, vocabulary=vocabulary)
    asked = f"derive {shorten(str(claim))}"
    if not base.entails(claim):
        raise NothingToChange(asked, "it does not follow from what else is believed now")
    found = base.why(claim)
    if any(not kernel for kernel in found.kernels):
        raise NothingToChange(asked, "it follows from the constraints alone, which always hold")
    if not found.kernels:
        raise NotDecided(f"no proof of {shorten(str(claim))} was found within the budget")
    return [
        frozenset(belief.id.partition(INSTANCE)[0] for belief in kernel)
        for kernel in found.kernels[:limit]
    ]


def _justifications(context: Context, claim: Claim) -> set[frozenset[str]]:
    """The sets of premises that support a claim already."""
    ledger = context.ledger(tokens_of_claim(claim))
    return {
        frozenset(because)
        for t in ledger.claims.get(str(claim), ())
        if t.live
        for because in t.because
    }
