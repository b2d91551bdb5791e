"""Update and erasure: what changes when the world does (Katsuno and Mendelzon 1991).

Revision mends a mistake, update follows a change: each world thought possible moves to the nearest
worlds in which the input holds. Where the beliefs touched are values of one slot this ends the old
value and starts the new. Elsewhere the component (at most 12 simple claims) is updated world by
world; beliefs that no longer hold in every world are ended, and a successor says what is left.
Larger components raise NotDecided: nothing is guessed.
"""

from __future__ import annotations

from agm.changes import Change, Loss
from agm.claims import negate, slot_literal
from agm.contraction.linear import contract
from agm.domains import domains
from agm.entrenchment import checked_class
from agm.errors import NotDecided
from agm.expansion import addition
from agm.revision.prioritised import ImpossibleClaim, revise
from agm.worlds import Worlds, updated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.components import Component, Item
    from agm.vocabulary import Vocabulary
    from agm.worlds import World


def update(base: BeliefBase, claim: Claim, *, entrenchment: str = "asserted") -> Change:
    """The change by which the world comes to satisfy the claim (B ◇ α).

    Raises ImpossibleClaim when the constraints contradict the claim, NotDecided when the component
    is inconsistent, too large, or compares several slots.

    >>> from agm import BeliefBase, prop
    >>> b, m = prop("book"), prop("magazine")
    >>> print(update(BeliefBase([b ^ m]), b))
    + book  [b2, asserted]
    - book xor magazine  [b1, asserted]
        because the update ends it
    """
    checked_class(entrenchment)
    claim, vocabulary = base.admit(claim)
    slot = slot_literal(claim)
    if slot is not None and _only_values(base, claim):
        return revise(base, claim, entrenchment=entrenchment)
    ground = base.written_out(claim)
    moved = _Moved(base, ground)
    targets = moved.worlds.of([*moved.component.background, ground])
    if not targets:
        raise ImpossibleClaim(claim)
    result = updated(moved.worlds, moved.before, targets)
    return moved.change(claim, result, targets, vocabulary, entrenchment=entrenchment)


def erase(base: BeliefBase, claim: Claim) -> Change:
    """The change by which the world may have come to falsify the claim (B ◆ α).

    Every world thought possible stays so, and is joined by the nearest worlds without the claim.
    Nothing changes when the constraints entail the claim. Raises NotDecided like `update`.
    """
    claim, vocabulary = base.admit(claim)
    if slot_literal(claim) is not None and _only_values(base, claim):
        return contract(base, claim)
    ground = base.written_out(claim)
    moved = _Moved(base, ground)
    possible = moved.worlds.of(moved.component.background)
    targets = moved.worlds.of([*moved.component.background, negate(ground)])
    result = moved.before | updated(moved.worlds, moved.before, targets)
    return moved.change(claim, result, possible, vocabulary)


class _Moved:
    """The component of a claim as worlds, before it moves."""

    def __init__(self, base: BeliefBase, ground: Claim) -> None:
        self.base = base
        self.component: Component = base.component([ground])
        claims = [item.claim for item in self.component.items]
        everything = [*self.component.background, *claims, ground]
        self.worlds = Worlds(everything, domains(base.vocabulary))
        self.before = self.worlds.of([*self.component.background, *claims])
        if not self.before:
            raise NotDecided("the beliefs it touches contradict each other; consolidate them first")

    def change(
        self,
        claim: Claim,
        result: frozenset[World],
        among: frozenset[World],
        vocabulary: Vocabulary,
        *,
        entrenchment: str | None = None,
    ) -> Change:
        """The change to a base whose component has just these worlds, among those possible."""
        base, worlds = self.base, self.worlds
        lost: list[Item] = []
        for item in self.component.items:
            holding = worlds.of([item.claim])
            if result <= holding:
                among &= holding
            else:
                lost.append(item)
        added: tuple[Belief, ...] = ()
        replaced: tuple[str, ...] = ()
        if entrenchment is not None:
            added, replaced = addition(base, claim, entrenchment)
        if result != among:
            added = (*added, self._successor(worlds.described(result, among), lost, added))
        return Change(
            base,
            claim,
            given_up=[self._ended(item, claim) for item in lost],
            added=added,
            replaced=replaced,
            route="worlds",
            settled=True,
            vocabulary=vocabulary,
        )

    def _successor(self, claim: Claim, lost: list[Item], added: tuple[Belief, ...]) -> Belief:
        """What is left of the beliefs that end, in the class of the weakest of them."""
        weakest = max(lost, key=lambda item: item.place)
        return self.base.fresh_belief(claim, weakest.belief.entrenchment, skip=len(added))

    def _ended(self, item: Item, claim: Claim) -> Loss:
        rule = None if item.binding is None else self.base.arena.beliefs[item.number]
        return Loss(
            item.belief,
            None,
            against=claim,
            rule=rule,
            binding=item.binding,
            by="the update ends it",
        )


def _only_values(base: BeliefBase, claim: Claim) -> bool:
    """Whether only tellings of its own value speak of the slot of a literal."""
    slot = slot_literal(claim)
    return (
        slot is not None
        and base.is_alone(slot[0])
        and not (base.bad() or base.strangers([claim]))
        and all(slot_literal(belief.claim) is not None for belief in base.at(slot[0]))
    )
