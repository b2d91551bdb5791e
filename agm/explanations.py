"""Explanations: why something follows, why it was given up, and what would have to go for it.

Each answer is data with a text form: `justifications` (all kernels), `proof_of` and `proof_of_loss`
(rendered proofs), `to_believe` (what would have to be given up to believe a claim), `restorers`
(which single belief stands in its way), `repairs` (how an inconsistent base can be mended). Nothing
is changed. A list that was cut off has `complete` False and says so in its text.
"""

from __future__ import annotations

from agm.beliefs import Frozen
from agm.claims import Truth, negate
from agm.enumeration import DEFAULT_SEARCH
from agm.interning import set_field
from agm.proofs import proof
from agm.remainders import Remainders, kernels_of
from agm.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.changes import Change, Loss
    from agm.claims import Claim
    from agm.components import Item
    from agm.enumeration import Search
    from agm.proofs import Proof
    from agm.remainders import Beliefs, Kernels


class Sacrifices(Frozen):
    """Which beliefs would have to go for a claim to be possible: one set out of each part.

    `possible` is False when the constraints rule the claim out. `cheapest` is what the default
    operator gives up. `parts` lists for each independent conflict the minimal sets that end it, the
    cheapest first; a way out takes one set of each, and iterating lists all ways.
    """

    __slots__ = ("_remainders", "cheapest", "claim", "possible")
    claim: Claim
    cheapest: tuple[Belief, ...]
    possible: bool
    _remainders: Remainders

    def __init__(self, target: Target, claim: Claim, search: Search) -> None:
        remainders = Remainders(target, search)
        lost: list[Item] = []
        for factor in target.factors:
            kept = set(map(id, factor.kept_in_turn(factor.items)))
            lost += [item for item in factor.items if id(item) not in kept]
        set_field(self, "claim", claim)
        set_field(self, "possible", not target.impossible)
        set_field(self, "_remainders", remainders)
        set_field(self, "cheapest", remainders.in_order(item.belief for item in lost))

    @property
    def parts(self) -> tuple[tuple[Beliefs, ...], ...]:
        """For each independent conflict the minimal sets that end it, as many as were found."""
        return tuple(tuple(self._without(place)) for place in range(len(self._remainders.parts)))

    @property
    def contested(self) -> tuple[Belief, ...]:
        """The beliefs that occur in some conflict, as many as were found, most entrenched first."""
        gone = {id(belief): belief for part in self.parts for way in part for belief in way}
        return self._remainders.in_order(gone.values())

    @property
    def complete(self) -> bool:
        """Whether all ways out have been found; looks for them when they were not asked for yet."""
        for part in self._remainders.parts:
            for _ in part:
                pass
        return self._remainders.complete

    def __iter__(self) -> Iterator[Beliefs]:
        """Each way out, the cheapest first."""
        if self.possible:
            yield from self._ways(0)

    def to_data(self) -> dict[str, object]:
        """Ids, for JSON."""
        return {
            "claim": str(self.claim),
            "possible": self.possible,
            "cheapest": [belief.id for belief in self.cheapest],
            "parts": [[[b.id for b in one] for one in part] for part in self.parts],
            "complete": self.complete,
        }

    def __str__(self) -> str:
        """The cheapest way out, and what could go in place of its part in each conflict."""
        if not self.possible:
            return f"{self.claim} cannot be believed: the constraints rule it out"
        if not self.cheapest:
            return f"{self._aim} as it is: nothing has to be given up"
        lines = [f"{self._aim} when these go: {_shown(self.cheapest)}"]
        parts = self.parts
        for part in parts:
            for other in part[1:]:
                of = f" of {', '.join(b.id for b in part[0])}" if len(parts) > 1 else ""
                lines.append(f"  or instead{of}: {_shown(other)}")
        if not self.complete:
            lines.append("  and perhaps others: the search was cut off")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Sacrifices for {self.claim}: {len(self.cheapest)} at the cheapest>"

    @property
    def _aim(self) -> str:
        if isinstance(self.claim, Truth):
            return "the base is consistent"
        return f"{self.claim} can be believed"

    def _without(self, place: int) -> Iterator[Beliefs]:
        factor = self._remainders.target.factors[place]
        for kept in self._remainders.parts[place]:
            ids = set(map(id, kept))
            yield tuple(item.belief for item in factor.items if id(item.belief) not in ids)

    def _ways(self, place: int) -> Iterator[Beliefs]:
        if place == len(self._remainders.parts):
            yield ()
            return
        for first in self._without(place):
            for rest in self._ways(place + 1):
                yield self._remainders.in_order(first + rest)


def justifications(base: BeliefBase, claim: Claim, *, search: Search = DEFAULT_SEARCH) -> Kernels:
    """All justifications of an entailment: the kernels of the claim, found while they are read."""
    return kernels_of(base, claim, search=search)


def proof_of(base: BeliefBase, claim: Claim) -> Proof | None:
    """A proof of a claim from one kernel, that with the strongest weakest belief; None without any.

    Raises NotDecided.

    >>> from agm import BeliefBase, prop
    >>> p, q = prop("p"), prop("q")
    >>> print(proof_of(BeliefBase([p, p >> q]), q))
      1. p       [b1, asserted]
      2. p -> q  [b2, asserted]
      3. q       [from 1, 2]
    """
    target = Target(base, [claim])
    if target.impossible:
        return proof(base, target.input, ())
    found = [factor.kernel(factor.items) for factor in target.factors]
    if not found:
        return None
    best = min(found, key=lambda items: items[-1].place)
    return proof(base, target.input, [item.belief for item in best])


def proof_of_loss(base: BeliefBase, loss: Loss) -> Proof | None:
    """The certificate of a loss, or of a rejection, as a proof over the base before the change.

    None for a loss without a certificate.
    """
    if not loss.certified:
        return None
    return proof(base, loss.against, [*loss.kernel, loss.belief])


def proofs_of(change: Change) -> tuple[tuple[Loss, Proof | None], ...]:
    """Each loss and the rejection of a change, with its proof."""
    turned_away = () if change.rejection is None else (change.rejection,)
    losses = (*turned_away, *change.given_up)
    return tuple((loss, proof_of_loss(change.before, loss)) for loss in losses)


def to_believe(base: BeliefBase, claim: Claim, *, search: Search = DEFAULT_SEARCH) -> Sacrifices:
    """What would have to be given up so that the claim can be believed consistently.

    >>> from agm import Belief, BeliefBase, prop
    >>> p, q = prop("p"), prop("q")
    >>> print(to_believe(BeliefBase([Belief(p, "core"), p >> q]), ~q))
    !q can be believed when these go: p -> q [b2]
      or instead: p [b1]
    """
    claim = base.admit(claim)[0]
    return Sacrifices(Target(base, [negate(claim)]), claim, search)


def restorers(base: BeliefBase, claim: Claim) -> tuple[Belief, ...]:
    """The single beliefs each of which, if retracted, leaves the claim free to be believed again.

    Those are the members of every kernel of its denial, least entrenched first. There are none when
    nothing stands in its way, and when more than one belief would have to go. Raises NotDecided.

    >>> from agm import Belief, BeliefBase, prop
    >>> p, q = prop("p"), prop("q")
    >>> restorers(BeliefBase([Belief(p, "core"), p >> q]), ~q)
    (<Belief b2: p -> q (asserted)>, <Belief b1: p (core)>)
    """
    target = Target(base, [negate(base.admit(claim)[0])])
    if len(target.factors) != 1:
        return ()
    (factor,) = target.factors
    found = [
        item
        for item in factor.kernel(factor.items)
        if not factor.entails([other for other in factor.items if other is not item])
    ]
    return tuple(item.belief for item in reversed(found))


def repairs(base: BeliefBase, *, search: Search = DEFAULT_SEARCH) -> Sacrifices:
    """The minimal repairs of an inconsistent base; the cheapest is what `consolidate` gives up.

    >>> from agm import Belief, BeliefBase, prop
    >>> p = prop("p")
    >>> print(repairs(BeliefBase([Belief(p, "core"), ~p])))
    the base is consistent when these go: !p [b2]
      or instead: p [b1]
    """
    return Sacrifices(Target(base, [Truth(False)]), Truth(True), search)


def _shown(beliefs: Iterable[Belief]) -> str:
    return "; ".join(f"{belief.claim} [{belief.id}]" for belief in beliefs)
