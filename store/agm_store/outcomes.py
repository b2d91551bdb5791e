"""What a ledger comes to at one valid time: its tellings in force, consolidated under contractions and rules.

`consolidated` is the reading that worlds, verbs and checks share; slots of literals alone need no solver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.pads import pad_for, with_clashes
from agm_store.reading import Reading, read_tellings
from agm_store.remaining import contracted, in_force_at
from agm_store.texts import parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm import Claim
    from agm_store.context import Context
    from agm_store.contractions import Removal
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
    in_force = in_force_at(ledger, valid, without)
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
        context,
        ledger,
        in_force,
        valid=valid,
        around=around,
        of=_removals(context, ledger, valid, without),
    )


def _removals(
    context: Context, ledger: Ledger, valid: int, without: frozenset[str]
) -> Callable[[int], Removal]:
    from agm_store.ranges import range_of

    return lambda seq: range_of(context, ledger, seq).removal(valid, without)


def _with_solver(
    context: Context,
    ledger: Ledger,
    in_force: list[Telling],
    *,
    valid: int,
    around: Sequence[Claim],
    of: Callable[[int], Removal],
) -> Reading:
    from agm_store.grounding import rejoin

    left, pad, reading = contracted(context, ledger, in_force, valid=valid, around=around, of=of)
    if left.overridden and any(left.follows(seq, text, reading) for seq, text in left.ground):
        fewer = [t for t in left.tellings if t.entry_id not in left.overridden]
        reading = read_tellings(ledger, fewer, pad(fewer))
    return rejoin(reading, in_force)._replace(removed=left.removed)
