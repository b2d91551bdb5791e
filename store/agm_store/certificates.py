"""Certificates over the store: the believed claims that, with one more, contradict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.grounding import id_of
from agm_store.texts import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim
    from agm_store.context import Context
    from agm_store.ledger import Ledger, Telling


def kernel_against(
    context: Context, ledger: Ledger, believed: Sequence[Telling], telling: Telling
) -> tuple[str, ...]:
    """The ids of a minimal set of believed tellings that one more contradicts under the constraints, in order of seq.

    Weakest premises are left out first, so the strongest reasons remain; empty when there is no contradiction.

    Raises:
        NotDecided: whether there is one was not found out.
    """
    extra = _parsed(telling)
    if extra is None:
        return ()
    return minimal(context, ledger, believed, [extra])


def minimal(
    context: Context, ledger: Ledger, believed: Sequence[Telling], extra: Sequence[Claim]
) -> tuple[str, ...]:
    """The ids of a minimal set of tellings that contradicts some claims under the constraints.

    Raises:
        NotDecided: whether all of them together contradict was not found out.
    """
    from agm import solver
    from agm.verdicts import Inconsistent, inconsistent

    pairs = [
        (t, c)
        for t in sorted(believed, key=lambda t: (t.rank, t.order_start, t.seq), reverse=True)
        if (c := _parsed(t)) is not None
    ]
    extra = [context.meant(claim) for claim in extra]
    constraints = [parsed(text) for _, text in ledger.constraints]
    everything = [*(c for _, c in pairs), *extra, *constraints]
    vocabulary = context.lexicon.learn(sorted({s for c in everything for s in c.symbols}))
    for claim in (*constraints, *extra):
        vocabulary = vocabulary.admit(claim)[1]
    tellings: dict[Claim, Telling] = {}
    for telling, claim in pairs:
        admitted, vocabulary = vocabulary.admit(claim)
        tellings.setdefault(admitted, telling)  # the strongest of each claim
    answer = solver.check(list(tellings), constraints=[*constraints, *extra], vocabulary=vocabulary)
    if not inconsistent(answer):
        return ()
    assert isinstance(answer, Inconsistent)
    # The core prefers what comes first; what it could not decide leaves it larger.
    found = [tellings[claim] for claim in answer.core]
    return tuple(dict.fromkeys(id_of(t) for t in sorted(found, key=lambda t: t.seq)))


def _parsed(telling: Telling) -> Claim | None:
    return None if telling.claim is None else parsed(telling.claim)
