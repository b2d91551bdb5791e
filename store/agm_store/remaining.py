"""The tellings in force at a valid time, and what contractions leave of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.contractions import Contracted, claims_of
from agm_store.grounding import expand
from agm_store.pads import pad_for, with_clashes
from agm_store.reading import read_tellings
from agm_store.texts import parsed
from agm_store.touches import tokens_of_claim

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm import Claim
    from agm_store.context import Context
    from agm_store.contractions import Removal
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Pad, Reading


def in_force_at(ledger: Ledger, valid: int, without: frozenset[str] = frozenset()) -> list[Telling]:
    """The tellings of a ledger that are read at a valid time, but those of some claims."""
    found = [
        t
        for t in ledger.tellings.values()
        if t.identity not in without and ledger.in_force(t, valid)
    ]
    return without_redacted(found) if any(t.redacted for t in found) else found


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


def is_ranging(text: str) -> bool:
    """Whether a contracted claim speaks of everybody."""
    return any(token.endswith("/*") for token in tokens_of_claim(parsed(text)))


def contracted(
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
    in_force = in_force_at(ledger, valid, without)
    left, _, reading = contracted(context, ledger, in_force, valid=valid, around=(), of=of)
    text = next(claim for at, claim in ledger.contracts if at == seq)
    mentioned = claims_of(t for t in in_force if t.seq < seq)
    return left.follows(seq, text, reading, mentioned=mentioned)
