"""What must no longer follow, and the parts of a base that bear on it: the frame of every operator.

A `Target` is one claim, or several of which none may follow (a package). Its beliefs fall into
*factors* that share no symbol under the constraints and the denial, so that each kernel lies within
one factor and each remainder is put together from one remainder of each. An operator says what a
factor loses; the target makes that a `Change` with a certificate for each loss.
"""

from __future__ import annotations

from agm.certificates import Certificate
from agm.changes import Change, Loss
from agm.claims import And, Implies, Not, Or, conjoin, negate
from agm.errors import AgmError
from agm.factors import Factor, joined
from agm.guard import beside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agm.base import BeliefBase
    from agm.claims import Claim
    from agm.components import Item


class NothingAsked(AgmError, ValueError):
    """An operator for several claims that was given none."""

    def __init__(self) -> None:
        super().__init__("asked to change a base by no claim at all; give at least one")


class Target:
    """Claims none of which may follow from a base, and the factors that decide it.

    `parts` are all factors, `factors` those that entail a claim now. There are none when a claim
    follows from the constraints alone (`impossible`), for then nothing is given up.
    """

    __slots__ = ("_factors", "base", "claims", "impossible", "parts", "vocabulary")

    def __init__(self, base: BeliefBase, claims: Sequence[Claim]) -> None:
        if not claims:
            raise NothingAsked
        vocabulary = base.vocabulary
        admitted: list[Claim] = []
        for claim in claims:
            taken, vocabulary = vocabulary.admit(claim)
            admitted.append(taken)
        self.base = base
        self.claims = tuple(dict.fromkeys(admitted))
        self.vocabulary = vocabulary
        factors = _factors(base, self.claims)
        self.impossible = any(factor.entails(()) for factor in factors)
        self.parts: tuple[Factor, ...] = () if self.impossible else tuple(factors)
        self._factors: tuple[Factor, ...] | None = None

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The factors that entail one of the claims; found when first asked for."""
        if self._factors is None:
            self._factors = tuple(part for part in self.parts if part.entails(part.items))
        return self._factors

    @property
    def input(self) -> Claim:
        """The claims as one sentence, for the record of a change."""
        return self.claims[0] if len(self.claims) == 1 else conjoin(self.claims)

    def change(
        self,
        lost: Iterable[Item],
        *,
        route: str,
        known: Sequence[tuple[Item, ...]] = (),
    ) -> Change:
        """The change that loses these items; kernels known already are used for certificates."""
        gone = {id(item) for item in lost}
        losses: list[tuple[Item, Loss]] = []
        for factor in self.parts:
            if gone.isdisjoint(map(id, factor.items)):
                continue
            kept = [item for item in factor.items if id(item) not in gone]
            losses += [
                (item, self._loss(factor, item, kept, known))
                for item in factor.items
                if id(item) in gone
            ]
        losses.sort(key=lambda pair: pair[0].place)
        return Change(
            self.base,
            self.input,
            given_up=[loss for _, loss in losses],
            route=route,
            settled=not self.impossible,
            vocabulary=self.vocabulary,
        )

    def _loss(
        self,
        factor: Factor,
        item: Item,
        kept: Sequence[Item],
        known: Sequence[tuple[Item, ...]],
    ) -> Loss:
        certificate = Certificate(factor, item, kept, [one for one in known if item in one])
        rule = None if item.binding is None else self.base.arena.beliefs[item.number]
        return Loss(
            item.belief,
            certificate.kernel,
            against=certificate.goal,
            rule=rule,
            binding=item.binding,
        )


def _factors(base: BeliefBase, claims: Sequence[Claim]) -> list[Factor]:
    """The beliefs that may bear on the claims, apart where no symbol joins them."""
    ground = [base.written_out(claim, asked=claims) for claim in claims]
    denials = [tuple(_conjuncts(negate(claim))) for claim in ground]
    parts = [part for denial in denials for part in denial]
    items: dict[tuple[int, object], Item] = {}
    background: dict[Claim, None] = {}
    seen: set[object] = set()
    groups = [part.keys for part in parts] + beside(base, ground)
    for keys in groups:
        if keys and keys <= seen:
            continue
        component = base.component_of(keys, asked=ground)
        seen |= component.keys
        background.update(dict.fromkeys(component.background))
        for item in component.items:
            items.setdefault((item.number, item.binding), item)
    ordered = sorted(items.values(), key=lambda item: item.place)
    everything = [*(item.claim for item in ordered), *background, *parts]
    found: list[Factor] = []
    for places, here in joined(everything):
        mine = [ordered[place] for place in places if place < len(ordered)]
        facing = [tuple(part for part in denial if part in here) for denial in denials]
        if mine or any(facing):
            laws = [claim for claim in background if claim in here]
            found.append(Factor(base, mine, laws, facing, claims))
    return found


def _conjuncts(claim: Claim) -> Iterator[Claim]:
    """Claims that together say the same, as many as can be split off."""
    body = claim.body if isinstance(claim, Not) else None
    if isinstance(claim, And):
        parts: Sequence[Claim] = claim.parts
    elif isinstance(body, Or):
        parts = [negate(part) for part in body.parts]
    elif isinstance(body, Implies):
        parts = [body.left, negate(body.right)]
    elif isinstance(body, Not):
        parts = [body.body]
    else:
        yield claim
        return
    for part in parts:
        yield from _conjuncts(part)
