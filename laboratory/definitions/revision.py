"""Revisions, consolidation and expansion of a base by their definitions.

An answer is what is held afterwards: pairs of a sentence and its rank. A sentence that is held and
told again keeps the higher of both ranks and its place. What the constraints rule out cannot be
taken in: IMPOSSIBLE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from laboratory.definitions.bases import Base
from laboratory.definitions.contraction import linear

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from laboratory.definitions.bases import Entry, Part
    from laboratory.definitions.contraction import Contraction

IMPOSSIBLE = "ImpossibleClaim"

Held: TypeAlias = "frozenset[tuple[Hashable, int]]"


def held(base: Base, part: Part) -> Held:
    """What is held when a part of the base is kept."""
    return frozenset((one.sentence, one.rank) for one in base.listed(part))


def expanded(base: Base, new: Entry) -> Base:
    """B ∪ {α}."""
    entries = [
        one._replace(rank=max(one.rank, new.rank)) if one.sentence == new.sentence else one
        for one in base.entries
    ]
    known = any(one.sentence == new.sentence for one in entries)
    return Base(entries if known else [*entries, new], base.possible)


def expand(base: Base, new: Entry) -> Held:
    """What is held in B ∪ {α}."""
    return _with(base, base.all, [new])


def internal(base: Base, new: Entry, contraction: Contraction) -> Held | str:
    """(B ÷ ¬α) ∪ {α}."""
    return multiple(base, [new], contraction)


def external(base: Base, new: Entry, contraction: Contraction) -> Held | str:
    """(B ∪ {α}) ÷ ¬α, where α itself is never given up."""
    if not new.worlds & base.possible:
        return IMPOSSIBLE
    more = expanded(base, new)
    mine = more.part(one.name for one in more.entries if one.sentence == new.sentence)
    return held(more, contraction(more, base.without(new.worlds)) | mine)


def multiple(base: Base, news: Sequence[Entry], contraction: Contraction) -> Held | str:
    """(B ÷ ¬⋀A) ∪ A."""
    together = base.possible
    for new in news:
        together &= new.worlds
    if not together:
        return IMPOSSIBLE
    return _with(base, contraction(base, base.without(together)), news)


def consolidate(base: Base, contraction: Contraction) -> Held:
    """B ÷ ⊥."""
    return held(base, contraction(base, 0))


def semi(base: Base, new: Entry, contraction: Contraction) -> Held:
    """(B ∪ {α}) ÷ ⊥."""
    return consolidate(expanded(base, new), contraction)


def credibility_limited(
    base: Base, new: Entry, contraction: Contraction, *, credible: bool
) -> Held | str:
    """B * α when α is credible, else B."""
    return internal(base, new, contraction) if credible else held(base, base.all)


def screened(base: Base, new: Entry, guarded: Part) -> Held:
    """B when the guarded entries contradict α; else B * α, where they are gone through first."""
    denial = base.without(new.worlds)
    if base.entails(guarded, denial):
        return held(base, base.all)
    order = [*base.places(guarded), *base.places(base.all & ~guarded)]
    return _with(base, linear(base, denial, order=order), [new])


def _with(base: Base, kept: Part, news: Iterable[Entry]) -> Held:
    ranks = dict(held(base, kept))
    for new in news:
        ranks[new.sentence] = max(new.rank, ranks.get(new.sentence, 0))
    return frozenset(ranks.items())
