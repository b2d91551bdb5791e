"""Update and erasure: what changes when the world does (Katsuno and Mendelzon 1991).

Revision mends a mistake, update follows a change: each world thought possible moves to the nearest
worlds in which the input holds. Where the beliefs touched are values of one slot this ends the old
value and starts the new. Elsewhere what the input touches is updated world by world, part by part
where the parts change apart from each other (at most 12 simple claims each); beliefs that no longer
hold in every world are ended, and successors say what is left. Of rules the instances that may break
are ended. Larger parts raise NotDecided: nothing is guessed.
"""

from __future__ import annotations

from agm.changes import Change, Loss
from agm.claims import negate, slot_literal
from agm.contraction.linear import contract
from agm.domains import domains
from agm.entrenchment import checked_class
from agm.errors import NotDecided
from agm.expansion import addition
from agm.guard import beside
from agm.moving import Mover, parts_of
from agm.revision.prioritised import ImpossibleClaim, revise
from agm.worlds import CURE, Worlds, updated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.components import Item
    from agm.moving import Part
    from agm.values import Key
    from agm.vocabulary import Vocabulary
    from agm.worlds import World


def update(base: BeliefBase, claim: Claim, *, entrenchment: str = "asserted") -> Change:
    """The change by which the world comes to satisfy the claim (B ◇ α).

    Raises ImpossibleClaim when the constraints contradict the claim, NotDecided when what it touches
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
    if _only_values(base, claim):
        return revise(base, claim, entrenchment=entrenchment)
    moved = _Moved(base, claim, towards=base.written_out(claim))
    for part in moved.parts(alone=True):
        worlds, before = moved.worlds(part)
        targets = worlds.of([*part.background, moved.ground])
        if not targets:
            raise ImpossibleClaim(claim, asked="update")
        moved.settle(part, worlds, updated(worlds, before, targets), targets)
    added, replaced = addition(base, claim, entrenchment)
    return moved.change(vocabulary, added, replaced)


def erase(base: BeliefBase, claim: Claim) -> Change:
    """The change by which the world may have come to falsify the claim (B ◆ α).

    Every world thought possible stays so, and is joined by the nearest worlds without the claim.
    Nothing changes when the constraints entail the claim. Raises NotDecided like `update`.
    """
    claim, vocabulary = base.admit(claim)
    if _only_values(base, claim):
        return contract(base, claim)
    moved = _Moved(base, claim, towards=negate(base.written_out(claim)))
    # Whether the world changed is one question for all that would change with it.
    for part in moved.parts(alone=moved.moves_alone):
        if part.known and moved.ground not in part.known:
            continue  # it was false anyway
        worlds, before = moved.worlds(part)
        targets = worlds.of([*part.background, negate(moved.ground)])
        result = before | updated(worlds, before, targets)
        moved.settle(part, worlds, result, worlds.of(part.background))
    return moved.change(vocabulary)


class _Moved:
    """What a claim touches, and what becomes of it when the world moves."""

    def __init__(self, base: BeliefBase, claim: Claim, *, towards: Claim) -> None:
        self.base = base
        self.claim = claim
        self.ground = base.written_out(claim)
        mover = Mover(base, towards)
        bad: frozenset[Key] = frozenset().union(*beside(base, [self.ground]))
        self.component = mover.explored(bad)
        self.moves_alone = len(mover.moving) == 1
        self._lost: list[Item] = []
        self._left: list[Claim] = []

    def parts(self, *, alone: bool) -> list[Part]:
        """The parts that change apart from each other; NotDecided when nothing is possible now."""
        parts = parts_of(self.base, self.component, self.ground, alone=alone)
        if parts is None:
            raise NotDecided(_TORN, cure=_CONSOLIDATE)
        return parts

    def worlds(self, part: Part) -> tuple[Worlds, frozenset[World]]:
        """The worlds that a part tells apart, and those thought possible before."""
        held = [*part.background, *part.known, *(item.claim for item in part.items)]
        worlds = Worlds([*held, self.ground], domains(self.base.vocabulary))
        before = worlds.of(held)
        if not before:
            raise NotDecided(_TORN, cure=_CONSOLIDATE)
        return worlds, before

    def settle(
        self, part: Part, worlds: Worlds, result: frozenset[World], among: frozenset[World]
    ) -> None:
        """End what does not hold in the result, and note what is left to say, among what may be."""
        for item in part.items:
            holding = worlds.of([item.claim])
            if result <= holding:
                among &= holding
            else:
                self._lost.append(item)
        if result != among:
            self._left.append(worlds.described(result, among))

    def change(
        self,
        vocabulary: Vocabulary,
        added: tuple[Belief, ...] = (),
        replaced: tuple[str, ...] = (),
    ) -> Change:
        """The change that ends what was lost and says what is left."""
        for claim in self._left:
            added = (*added, self._successor(claim, added))
        self._lost.sort(key=lambda item: item.place)
        return Change(
            self.base,
            self.claim,
            given_up=map(self._ended, self._lost),
            added=added,
            replaced=replaced,
            route="worlds",
            settled=True,
            vocabulary=vocabulary,
        )

    def _successor(self, claim: Claim, added: tuple[Belief, ...]) -> Belief:
        """What is left of the beliefs that end, in the class of the weakest of them."""
        weakest = max(self._lost, key=lambda item: item.place)
        return self.base.fresh_belief(claim, weakest.belief.entrenchment, skip=len(added))

    def _ended(self, item: Item) -> Loss:
        rule = None if item.binding is None else self.base.arena.beliefs[item.number]
        return Loss(
            item.belief,
            None,
            against=self.claim,
            rule=rule,
            binding=item.binding,
            by="the update ends it",
        )


_TORN = "the beliefs that the claim touches contradict each other"
_CONSOLIDATE = f"Consolidate the base first (agm.consolidate). {CURE}"


def _only_values(base: BeliefBase, claim: Claim) -> bool:
    """Whether only tellings of its own value speak of the slot of a literal."""
    slot = slot_literal(claim)
    return (
        slot is not None
        and base.is_alone(slot[0])
        and not (base.bad() or base.strangers([claim]))
        and all(slot_literal(belief.claim) is not None for belief in base.at(slot[0]))
    )
