"""What a ledger comes to at one valid time: its tellings in force, consolidated under contractions and rules.

`consolidated` is the reading that worlds, verbs and checks share; slots of literals alone need no solver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.pads import pad_for, with_clashes
from agm_store.reading import Reading, read_tellings
from agm_store.texts import parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm import Claim
    from agm_store.context import Context
    from agm_store.contractions import Contracted
    from agm_store.ledger import Ledger, Telling
    from agm_store.ranges import Removal
    from agm_store.reading import Pad


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


def in_force_at(ledger: Ledger, valid: int, without: frozenset[str] = frozenset()) -> list[Telling]:
    """The tellings of a ledger that are read at a valid time, but those of some claims."""
    found = [
        t
        for t in ledger.tellings.values()
        if t.identity not in without and ledger.in_force(t, valid)
    ]
    return without_redacted(found) if any(t.redacted for t in found) else found


def follows_in(
    context: Context,
    ledger: Ledger,
    valid: int,
    *,
    seq: int,
    without: frozenset[str],
    of: Callable[[int], Removal],
) -> bool:
    """Whether a contracted claim follows from what is kept of what was recorded before, by what contractions did."""
    from agm_store.contractions import claims_of

    in_force = in_force_at(ledger, valid, without)
    left, _, reading = _contracted(context, ledger, in_force, valid=valid, around=(), of=of)
    text = next(claim for at, claim in ledger.contracts if at == seq)
    mentioned = claims_of(t for t in in_force if t.seq < seq)
    return left.follows(seq, text, reading, mentioned=mentioned)


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

    left, pad, reading = _contracted(context, ledger, in_force, valid=valid, around=around, of=of)
    if left.overridden and any(left.follows(seq, text, reading) for seq, text in left.ground):
        fewer = [t for t in left.tellings if t.entry_id not in left.overridden]
        reading = read_tellings(ledger, fewer, pad(fewer))
    return rejoin(reading, in_force)._replace(removed=left.removed)


def _contracted(
    context: Context,
    ledger: Ledger,
    in_force: list[Telling],
    *,
    valid: int,
    around: Sequence[Claim],
    of: Callable[[int], Removal],
) -> tuple[Contracted, Callable[[list[Telling]], Callable[[], Pad]], Reading]:
    """What contractions leave of the tellings in force, and how that is read.

    ``of`` says what a contraction of a claim about everybody removed where it ranges.
    """
    from agm_store.contractions import Contracted, claims_of
    from agm_store.grounding import expand
    from agm_store.ranges import is_ranging

    constraints = [parsed(text) for _, text in ledger.constraints]
    claims = [*claims_of(in_force), *around]
    spoken = [*claims, *constraints, *(parsed(text) for _, text in ledger.contracts)]
    vocabulary = context.lexicon.learn(sorted({s for c in spoken for s in c.symbols}))
    left = Contracted(ledger, expand(in_force, spoken), constraints, vocabulary)
    for seq, text in ledger.contracts:
        if is_ranging(text):
            removal = of(seq)
            left.take(seq, removal)
            left.bind_newcomers(seq, valid, spoken, removal)
        else:
            left.ground.append((seq, text))
            left.contract(seq, valid, spoken)

    def pad(tellings: list[Telling]) -> Callable[[], Pad]:
        return with_clashes(ledger, in_force, pad_for(tellings, constraints, vocabulary))

    left.tellings = [t for t in left.tellings if t.entry_id not in left.dropped]
    return left, pad, read_tellings(ledger, left.tellings, pad(left.tellings))
