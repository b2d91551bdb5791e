"""Theories written down as bases, for operators on bases that are asked what theories are asked.

A theory is the meaning of many bases: of one belief or of several, of one class or of several. Where
constraints rule worlds out, beliefs and claims may speak of these worlds or not, and mean the same.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING

from agm.base import BeliefBase
from agm.beliefs import Belief
from agm.claims import And, Or, negate
from agm.postulates.cases import answer_of
from agm.postulates.drawing import CLASSES
from agm.postulates.settings import Counterexample, one_claim
from agm.postulates.tables import meet, table
from agm.postulates.worldcases import ChangeCase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm.changes import Change
    from agm.claims import Claim
    from agm.postulates.drawing_worlds import Theories
    from agm.signature import Signature

MOST = 4
"""The most beliefs of a base that describes a theory."""


def of_described_theories(
    operator: Callable[[BeliefBase, Claim], Change], drawn: Theories
) -> ChangeCase:
    """The base operator asked to change bases, each the description of a theory."""
    return Described(operator, drawn.signature, drawn.writing).case(drawn)


def shown_described(drawn: Theories) -> Counterexample:
    """Drawn theories and inputs as the bases and claims that an operator is asked about."""
    written = Writing(drawn.signature, drawn.writing)
    one, two = (written.base(worlds) for worlds in drawn.theories)
    return Counterexample((one, two), *map(written.claim, drawn.inputs))


class Writing:
    """A way to write theories and inputs over a signature; the same number is the same way."""

    def __init__(self, over: Signature, number: int) -> None:
        self.over = over
        self.number = number
        self.table = table(len(over.simple))
        self._outside = self.table.true & ~over.everywhere

    def base(self, worlds: int) -> BeliefBase:
        """A base that has just these worlds among the possible ones."""
        if not self.number:
            return self.holding([Belief(self.table.claim(worlds), id="b1")])
        random = Random(f"{self.number} {worlds}")  # noqa: S311  (bases that anyone can repeat)
        masks: list[int] = []
        for _ in range(random.randrange(MOST)):
            masks.append(worlds | self._some(random, self.over.everywhere))  # noqa: PERF401
        open_yet = meet(masks, self.over.everywhere)
        masks.append(worlds | self._some(random, self.over.everywhere & ~open_yet))
        return self.holding(
            [
                Belief(
                    self.table.claim(mask | self._some(random, self._outside)),
                    random.choice((*CLASSES, "core")),
                    id=f"b{number}",
                )
                for number, mask in enumerate(masks, start=1)
            ]
        )

    def holding(self, beliefs: Sequence[Belief]) -> BeliefBase:
        """The base of these beliefs under the constraints."""
        return BeliefBase(beliefs, constraints=self.over.constraints)

    def claim(self, worlds: int) -> Claim:
        """A claim that is true in just these possible worlds, and perhaps in impossible ones."""
        if not self.number:
            return self.table.claim(worlds)
        random = Random(f"{self.number} input {worlds}")  # noqa: S311  (claims that anyone can repeat)
        return self.table.claim(worlds | self._some(random, self._outside))

    def mask(self, claim: Claim) -> int:
        """The possible worlds in which a claim is true."""
        return self.table.mask(claim) & self.over.everywhere

    def _some(self, random: Random, worlds: int) -> int:
        return worlds & random.getrandbits(len(self.table.worlds))


class Described:
    """A base operator over the theories of a signature, asked once about each theory and input."""

    def __init__(
        self,
        operator: Callable[[BeliefBase, Claim], Change],
        signature: Signature,
        writing: int = 0,
    ) -> None:
        self._call = one_claim(operator)
        self._written = Writing(signature, writing)
        self._after = cache(self._asked)
        self._plain = cache(self._changed)
        self._other = cache(self._rewritten)
        self._listed = cache(self._backwards)

    def case(self, drawn: Theories) -> ChangeCase:
        """The case of theories over this signature."""
        k, other = drawn.theories
        return ChangeCase(
            self._plain,
            drawn.signature.everywhere,
            k,
            *drawn.inputs,
            other=other,
            rewritten=self._other,
            listed=self._listed,
            demoted=self._demoted,
        )

    def _asked(self, k: int, a: int) -> BeliefBase | None:
        return answer_of(self._call, self._written.base(k), (self._written.claim(a),))

    def _changed(self, k: int, a: int) -> int | None:
        return self._meaning(self._after(k, a))

    def _rewritten(self, k: int, a: int) -> int | None:
        tables, written = self._written.table, self._written
        own, claim, atom = tables.claim(k), tables.claim(a), tables.atoms[0]
        base = written.holding([Belief(Or([own, atom])), Belief(Or([own, negate(atom)]))])
        return self._meaning(answer_of(self._call, base, (And([claim, claim]),)))

    def _backwards(self, k: int, a: int) -> bool | None:
        """Whether a base of several beliefs that is listed backwards has the same result."""
        base, after = self._written.base(k), self._after(k, a)
        arrived = base.arena.beliefs
        turned = self._written.holding(tuple(arrived)[::-1])
        again = answer_of(self._call, turned, (self._written.claim(a),))
        if after is None or again is None:
            return None if after is again else False
        return self._content(after) == self._content(again)

    def _demoted(self, k: int, a: int) -> bool | None:
        """Whether a belief that is still held is held less firmly."""
        base, after = self._written.base(k), self._after(k, a)
        if after is None:
            return None
        content = self._content(after)
        for belief in base:
            ranks = [rank for mask, rank in content if mask == self._written.mask(belief.claim)]
            if ranks and max(ranks) < base.rank(belief):
                return True
        return False

    def _content(self, base: BeliefBase) -> list[tuple[int, int]]:
        return sorted((self._written.mask(belief.claim), base.rank(belief)) for belief in base)

    def _meaning(self, after: BeliefBase | None) -> int | None:
        if after is None:
            return None
        every = self._written.over.everywhere
        return meet((self._written.mask(belief.claim) for belief in after), every)
