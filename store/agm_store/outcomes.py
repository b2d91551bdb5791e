"""What a ledger comes to at one valid time: its tellings in force, consolidated under contractions and rules.

`consolidated` is the reading that worlds, verbs and checks share; slots of literals alone need no solver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.pads import pad_for, with_clashes
from agm_store.reading import Reading, read_tellings
from agm_store.texts import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim
    from agm_store.context import Context
    from agm_store.ledger import Ledger, Telling


def consolidated(
    context: Context,
    ledger: Ledger,
    valid: int,
    *,
    around: Sequence[Claim] = (),
    without: frozenset[str] = frozenset(),
) -> Reading:
    """The reading of a ledger at a valid time, contractions and rules included.

    ``without`` names claims that are read as if nobody had told or derived them.

    Raises:
        NotDecided: a check did not run.
    """
    without = frozenset(map(context.claim, without))
    around = [context.meant(claim) for claim in around]
    in_force = [
        t
        for t in ledger.tellings.values()
        if t.identity not in without and ledger.in_force(t, valid)
    ]
    if any(t.redacted for t in in_force):
        in_force = without_redacted(in_force)
    if not in_force:
        return Reading([], [], {})
    constraints = [parsed(text) for _, text in ledger.constraints]
    if (
        not constraints
        and not ledger.contracts
        and all(t.slot is not None or t.claim is None for t in in_force)
    ):
        pad = pad_for(in_force, (), context.lexicon.vocabulary)
        return read_tellings(ledger, in_force, with_clashes(ledger, in_force, pad))
    return _with_solver(
        context, ledger, in_force, valid=valid, constraints=constraints, around=around
    )


def without_redacted(in_force: list[Telling]) -> list[Telling]:
    """The tellings in force without the redacted ones, and without what these had overtaken in their slots."""
    gone = [t for t in in_force if t.redacted]
    return [
        t
        for t in in_force
        if not t.redacted
        and not any(
            r.slot is not None
            and r.slot == t.slot
            and r.rank >= t.rank
            and r.order_start > t.order_start
            for r in gone
        )
    ]


def _with_solver(
    context: Context,
    ledger: Ledger,
    in_force: list[Telling],
    *,
    valid: int,
    constraints: list[Claim],
    around: Sequence[Claim],
) -> Reading:
    from agm_store.contractions import Contracted
    from agm_store.grounding import expand, rejoin

    claims = [*(parsed(t.claim) for t in in_force if t.claim is not None), *around]
    spoken = [*claims, *constraints, *(parsed(text) for _, text in ledger.contracts)]
    vocabulary = context.lexicon.learn(sorted({s for c in spoken for s in c.symbols}))
    left = Contracted(ledger, expand(in_force, spoken), constraints, vocabulary)
    for seq, _ in ledger.contracts:
        left.contract(seq, valid, spoken)
    pad = with_clashes(ledger, in_force, pad_for(left.tellings, constraints, vocabulary))
    reading = read_tellings(ledger, left.tellings, pad)
    if left.overridden and any(left.follows(seq, text, reading) for seq, text in ledger.contracts):
        fewer = [t for t in left.tellings if t.entry_id not in left.overridden]
        pad = with_clashes(ledger, in_force, pad_for(fewer, constraints, vocabulary))
        reading = read_tellings(ledger, fewer, pad)
    return rejoin(reading, in_force)._replace(removed=left.removed)
