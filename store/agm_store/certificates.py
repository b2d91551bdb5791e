"""Certificates over the store: the believed claims that, with one more, contradict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.grounding import id_of
from agm_store.texts import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim
    from agm.verdicts import Check
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
        for t in sorted(believed, key=lambda t: (t.rank, t.order_start, t.seq))
        if (c := _parsed(t)) is not None
    ]
    constraints = [parsed(text) for _, text in ledger.constraints]
    everything = [*(c for _, c in pairs), *extra, *constraints]
    vocabulary = context.lexicon.learn(sorted({s for c in everything for s in c.symbols}))
    background = [*constraints, *extra]

    def checked(kept: Sequence[tuple[Telling, Claim]]) -> Check:
        claims = [c for _, c in kept]
        return solver.check(claims, constraints=background, vocabulary=vocabulary)

    if not inconsistent(checked(pairs)):
        return ()
    place, stride = 0, len(pairs)
    while place < len(pairs):
        fewer = [*pairs[:place], *pairs[place + stride :]]
        if isinstance(checked(fewer), Inconsistent):  # what is not decided leaves the set larger
            pairs, stride = fewer, 2 * stride
        elif stride > 1:
            stride //= 2
        else:
            place += 1
    return tuple(dict.fromkeys(id_of(t) for t, _ in sorted(pairs, key=lambda p: p[0].seq)))


def _parsed(telling: Telling) -> Claim | None:
    return None if telling.claim is None else parsed(telling.claim)
