"""Differences: comparisons that say how far two slots are apart, `x - y <= 3`, and bounds on one.

`differences_of` reads one off a comparison of slots, `limits_of` off what is left to a slot. They speak
of the *number* of a value, its place on its own scale, and each of them that holds bounds the distance
of two numbers; so a cycle of bounds that is shorter than zero refutes whatever the types are.
`Differences` holds them in exact integers: between whole numbers a strict bound is one less, between
others it is less by a unit too small to add up to anything along a cycle.

What is denied bounds something only where the slots have an order: `!(x < y)` is true of a number and a
string. A denial therefore waits until what is asserted puts its slots on one scale.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, lcm

from agm.claims import Compare
from agm.domains import Remaining, number_of, scale_of
from agm.potentials import Potentials
from agm.terms import Linear, Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from agm.claims import Claim
    from agm.domains import Domain, Number
    from agm.potentials import Edge
    from agm.values import Key, Value

WHOLE = frozenset({"int", "date", "datetime"})
"""The kinds of slots whose numbers are whole."""
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_DENIED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
_AMOUNT = "amount"
"""The scale of a slot that is known to be a number or a quantity, and no more."""


class Difference:
    """One slot less another compares so (`<`, `<=`, `=`, `!=`) with a bound; without a slot, zero.

    `shape` is what the comparison asks of its slots: a `sum` that they are amounts, an `order` that they
    are on one scale, a `value` that the slot is on the `scale` of the bound, `same` nothing. A difference
    that is `denied` holds also where they are not.
    """

    __slots__ = ("bound", "denied", "left", "op", "right", "scale", "shape")

    def __init__(
        self,
        left: Key | None,
        right: Key | None,
        op: str,
        bound: Number,
        *,
        shape: str,
        scale: str = "",
        denied: bool = False,
    ) -> None:
        if op in {">", ">="}:
            left, right, op, bound = right, left, _FLIPPED[op], -bound
        self.left = left
        self.right = right
        self.op = op
        self.bound = bound
        self.shape = shape
        self.scale = scale
        self.denied = denied

    @property
    def slots(self) -> tuple[Key, ...]:
        """The slots it speaks of."""
        return tuple(slot for slot in (self.left, self.right) if slot is not None)


def differences_of(claim: Claim) -> tuple[Difference, Difference] | None:
    """What a comparison of slots says when it is denied and when it is asserted; None for others."""
    if not isinstance(claim, Compare) or not _is_linked(claim):
        return None
    factors: dict[Key, Number] = {}
    rest = _gather(factors, claim.left, 1) + _gather(factors, claim.right, -1)
    parts = [(slot, factor) for slot, factor in factors.items() if factor]
    if not 0 < len(parts) <= 2 or (len(parts) == 2 and parts[0][1] != -parts[1][1]):
        return None
    (left, factor), *others = parts
    right = others[0][0] if others else None
    bound = -rest * factor if factor in {1, -1} else Fraction(-rest) / factor
    shape = "sum"
    if isinstance(claim.left, Term) and isinstance(claim.right, Term):
        shape = "same" if claim.op in {"=", "!="} else "order"

    def told(op: str, *, denied: bool) -> Difference:
        op = op if factor > 0 else _FLIPPED[op]
        return Difference(left, right, op, bound, shape=shape, denied=denied)

    # Both `=` and the denial of `!=` say that the sides are one, and that they are fit for it.
    return told(_DENIED[claim.op], denied=claim.op != "!="), told(claim.op, denied=False)


def value_of(slot: Key, op: str, value: Value, *, asserted: bool = True) -> Difference | None:
    """What a comparison of a slot with a constant says; None when the constant has no number."""
    place = number_of(value)
    if place is None:
        return None
    denied = not asserted and op != "!="
    op = op if asserted else _DENIED[op]
    scale = scale_of(value)
    return Difference(slot, None, op, place, shape="value", scale=scale, denied=denied)


def limits_of(slot: Key, left: Remaining) -> list[Difference]:
    """What the values left to a slot say of its number."""
    found = [value_of(slot, op, bound, asserted=False) for op, bound in left.barred]
    low, high, scale = left.low, left.high, left.domain.scale
    lowest, highest = ">" if left.open_low else ">=", "<" if left.open_high else "<="
    if left.only is not None:
        values = [value for value in left.only if left.admits(value)]
        scales = set(map(scale_of, values))
        if not values or "" in scales:
            return []
        numbers = [number_of(value) or 0 for value in values]
        low, high, lowest, highest = min(numbers), max(numbers), ">=", "<="
        scale = scales.pop() if len(scales) == 1 else ""
    ends = ((lowest, low), (highest, high))
    found += [
        Difference(slot, None, op, end, shape="value", scale=scale)
        for op, end in ends
        if end is not None
    ]
    return [one for one in found if one is not None]


class Differences:
    """Differences that hold together, and numbers that suit them."""

    def __init__(self, told: Iterable[Difference], domain: Callable[[Key], Domain]) -> None:
        """Make room for these differences; `take` holds them. `domain` is that of a slot."""
        told = list(told)
        slots = dict.fromkeys(slot for one in told for slot in one.slots)
        self._places: dict[Key | None, int] = {None: 0}
        self._places.update((slot, place) for place, slot in enumerate(slots, 1))
        known = [domain(slot) for slot in slots]
        self._whole = [True, *(one.kind in WHOLE for one in known)]
        self._unit = 1
        if not all(self._whole):
            # A cycle has fewer strict bounds than there are places: they add up to less than one.
            small = 10 ** len(str(len(self._places)))
            self._unit = lcm(*(one.bound.denominator for one in told)) * small
        self._numbers = Potentials(len(self._places))
        self._group = list(range(len(self._places)))
        self._size = [1] * len(self._places)
        self._scale = ["", *(one.scale for one in known)]
        self._denials: list[Difference] = []
        self._awake: set[Difference] = set()
        self._bound: set[int] = set()
        self._trail: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        for slot, one in zip(slots, known, strict=True):
            if one.kind in {"date", "datetime"}:  # they begin and end somewhere
                self.take(limits_of(slot, Remaining(one)))

    def take(self, told: Iterable[Difference] | None) -> bool:
        """Let these hold from now on, if all can; whether they can. None stands for `false`."""
        if told is None:
            return False
        mark = self.mark()
        if all(map(self._hold, told)) and self._wake():
            return True
        self.back(mark)
        return False

    def mark(self) -> int:
        """How far it is now, for `back`."""
        return len(self._trail)

    def back(self, mark: int) -> None:
        """Let go of what was taken since."""
        while len(self._trail) > mark:
            undo, arguments = self._trail.pop()
            undo(*arguments)

    @property
    def slots(self) -> list[Key]:
        """The slots whose numbers something bounds; the values of others are free."""
        found = self._places.items()
        return [slot for slot, place in found if slot is not None and place in self._bound]

    def number(self, slot: Key) -> Fraction:
        """A number for a slot; those of all slots suit what is held."""
        at = self._numbers.at
        return Fraction(at[self._places[slot]] - at[0], self._unit)

    def _hold(self, one: Difference) -> bool:
        if one.op == "!=":
            return True  # it bounds nothing
        if one.denied:
            self._denials.append(one)
            self._trail.append((self._denials.pop, ()))
            return True
        self._learn(one)
        return self._bind(one)

    def _wake(self) -> bool:
        """Let the denials hold whose slots have come to be on one scale."""
        for one in self._denials:
            if one not in self._awake and self._ordered(one):
                self._awake.add(one)
                self._trail.append((self._awake.discard, (one,)))
                if not self._bind(one):
                    return False
        return True

    def _bind(self, one: Difference) -> bool:
        left, right = self._places[one.left], self._places[one.right]
        self._bound.update((left, right))
        edges = [(right, left, self._length(left, right, one.bound, strict=one.op == "<"))]
        if one.op == "=":
            edges.append((left, right, self._length(left, right, -one.bound, strict=False)))
        return all(map(self._take, edges))

    def _take(self, edge: Edge) -> bool:
        if not self._numbers.take(edge):
            return False
        self._trail.append((self._numbers.drop, (edge,)))
        return True

    def _length(self, left: int, right: int, bound: Number, *, strict: bool) -> int:
        if self._whole[left] and self._whole[right]:
            return (ceil(bound) - 1 if strict else floor(bound)) * self._unit
        return int(bound * self._unit) - strict

    def _learn(self, one: Difference) -> None:
        """Note what an asserted difference tells of the scales of its slots."""
        places = [self._places[slot] for slot in one.slots]
        if one.shape == "order":
            self._join(places)
        elif one.shape != "same":
            scale = one.scale if one.shape == "value" else _AMOUNT
            for place in places:
                self._note(self._root(place), scale)

    def _join(self, places: Sequence[int]) -> None:
        """Put slots that have an order between them on one scale."""
        one, other = map(self._root, places)
        if one == other or (_is_settled(self._scale[one]) and _is_settled(self._scale[other])):
            return
        if self._size[one] < self._size[other]:
            one, other = other, one
        self._note(one, self._scale[other])
        self._trail.append((self._group.__setitem__, (other, other)))
        self._group[other] = one
        self._size[one] += self._size[other]  # a hint for speed, so never taken back

    def _note(self, root: int, scale: str) -> None:
        known = self._scale[root]
        if not known or (known == _AMOUNT and scale):
            self._trail.append((self._scale.__setitem__, (root, known)))
            self._scale[root] = scale

    def _root(self, place: int) -> int:
        while self._group[place] != place:
            place = self._group[place]
        return place

    def _ordered(self, one: Difference) -> bool:
        """Whether the slots are on scales on which a denial is the opposite comparison."""
        roots = [self._root(self._places[slot]) for slot in one.slots]
        scales = {self._scale[root] for root in roots}
        if one.shape == "value":
            return scales == {one.scale}
        if one.shape == "sum":
            return all(_is_amount(scale) for scale in scales)
        return roots[0] == roots[-1] or (len(scales) == 1 and all(map(_is_settled, scales)))


def _is_linked(claim: Compare) -> bool:
    return isinstance(claim.left, Linear) or isinstance(claim.right, Term | Linear)


def _is_settled(scale: str) -> bool:
    return scale not in {"", _AMOUNT}


def _is_amount(scale: str) -> bool:
    return scale in {_AMOUNT, "number"} or scale.startswith("quantity")


def _gather(factors: dict[Key, Number], side: object, sign: int) -> Number:
    """Add the factors of one side to those found, and answer its constant; a unit is dropped."""
    if isinstance(side, Term):
        factors[side.key] = factors.get(side.key, 0) + sign
        return 0
    if isinstance(side, Linear):
        for factor, term in side.terms:
            assert isinstance(term, Term)
            factors[term.key] = factors.get(term.key, 0) + sign * (number_of(factor) or 0)
        return _gather(factors, side.constant, sign)
    return sign * (number_of(side) or 0)
