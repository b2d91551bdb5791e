"""Minimal sets that meet every set of a family; the best first, while the family still grows.

What breaks every kernel, and what meets every way of breaking them, are such sets (minimal hitting
sets, or transversals: Berge 1989; Reiter 1987). Of two, the one that leaves out the first place where
they differ comes first. The search decides place by place and looks ahead: a place may be taken as
long as each one taken is the only one to meet some set (as in Murakami and Uno 2014), and where a set
cannot be met any more it turns back. Where the order is of no use it decides about the set with the
fewest places left, which turns back less often.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_PER_STEP = 16
_FEWEST = 2
"""A set with a single place left is met at once, so one with two is as tight as can be."""


class Transversals:
    """The minimal sets of places that meet each set learnt so far, each once.

    A set of places is an integer whose bit i stands for place i. Iterating gives the best first. Who
    then finds that one will not do learns why before asking for the next: from there the search goes
    on among what meets that too, and nothing before is lost, for what is minimal only now holds a
    smaller set that came earlier. After `limit` steps the search is cut off, and `reason` says so;
    a look ahead is one step, and one more for every few sets that it goes through.
    """

    __slots__ = ("_learnt", "_limit", "_of_place", "_steps", "reason")

    def __init__(self, count: int, *, limit: int) -> None:
        self._of_place = [0] * count  # the sets that a place is in, bit k for the k-th learnt
        self._learnt: list[int] = []
        self._limit = limit
        self._steps = 0
        self.reason = ""

    def learn(self, places: int) -> None:
        """Take in a set that has to be met."""
        number = 1 << len(self._learnt)
        self._learnt.append(places)
        for place in members(places):
            self._of_place[place] |= number

    def __iter__(self) -> Iterator[int]:
        """The sets of places, the best first."""
        floor: int | None = 0
        while floor is not None:
            known, start, floor = len(self._learnt), floor, None
            for found in self._from(start):
                yield found
                if len(self._learnt) != known:
                    floor = found
                    break

    def in_any_order(self) -> Iterator[int]:
        """The sets of places; nothing may be learnt on the way."""
        return self._from(None)

    def _from(self, floor: int | None) -> Iterator[int]:
        """The sets from one on, or in any order, while nothing new is learnt."""
        choose = self._tightest if floor is None else self._first
        waiting = [_Part(len(self._of_place), floor)]
        while waiting:
            if self._steps >= self._limit:
                self.reason = f"the search was cut off after {self._steps} steps"
                return
            part = waiting.pop()
            self._steps += 1 + self._missed(part).bit_count() // _PER_STEP
            if not self._looked_ahead(part):
                continue
            chosen = choose(part)
            if not part.reaches(chosen):
                continue
            if not chosen:
                yield part.taken
                continue
            other = part.copy()
            other.take(chosen, self._of_place[chosen.bit_length() - 1])
            other.reaches(chosen << 1)
            waiting.append(other)
            if part.floor is None or not part.floor & chosen:
                part.free ^= chosen
                waiting.append(part)

    @staticmethod
    def _first(part: _Part) -> int:
        """The first free place, as a set of one; no place when all is met."""
        return part.free & -part.free

    def _tightest(self, part: _Part) -> int:
        """The first place of the set that has the fewest left."""
        best, fewest = 0, 0
        for number in members(self._missed(part)):
            left = self._learnt[number] & part.free
            count = left.bit_count()
            if not best or count < fewest:
                best, fewest = left, count
            if count == _FEWEST:
                break
        return best & -best

    def _missed(self, part: _Part) -> int:
        return ((1 << len(self._learnt)) - 1) & ~part.met

    def _looked_ahead(self, part: _Part) -> bool:
        """Whether all can still be met; narrows what is free, and takes what has to be taken."""
        learnt, of_place = self._learnt, self._of_place
        while True:
            missed = self._missed(part)
            if not missed:
                part.free = 0
                return True
            part.narrow(of_place)
            only = 0
            for number in members(missed):
                left = learnt[number] & part.free
                if not left:
                    return False
                if not left & (left - 1):
                    only = left
                    break
            if not only:
                return True
            part.take(only, of_place[only.bit_length() - 1])


class _Part:
    """Part of the search: what is taken, what is free to be, and the sets these meet.

    `met` are the sets that are met, `once` those of them that are in one place only, and `floor` is
    what the search begins from; None where every set of the part comes after it. Up to the place
    `decided` the two have been compared.
    """

    __slots__ = ("_sets", "decided", "floor", "free", "met", "once", "taken")

    def __init__(self, count: int, floor: int | None) -> None:
        self._sets: tuple[int, ...] = ()  # of each place taken, the sets it is in
        self.floor = floor
        self.decided = 1
        self.free = (1 << count) - 1
        self.taken = 0
        self.met = 0
        self.once = 0

    def take(self, place: int, mine: int) -> None:
        """Take a place, given as a set of one, that is in these sets."""
        self._sets = (*self._sets, mine)
        self.once = (self.once & ~mine) | (mine & ~self.met)
        self.met |= mine
        self.taken |= place
        self.free &= ~place

    def narrow(self, of_place: Sequence[int]) -> None:
        """Free stays what meets a new set and leaves each place taken a set of its own."""
        own = [sets & self.once for sets in self._sets]
        met = self.met
        for place in members(self.free):
            mine = of_place[place]
            if mine & ~met:
                for sets in own:
                    if not sets & ~mine:
                        break
                else:
                    continue
            self.free ^= 1 << place

    def reaches(self, place: int) -> bool:
        """Whether what is decided now, all before a place, does not come before the floor.

        Without a place, all is decided.
        """
        if self.floor is None:
            return True
        differing = self.taken ^ self.floor
        differing &= -self.decided & (place - 1 if place else -1)
        self.decided = max(place, self.decided)
        if not differing:
            return True
        if differing & -differing & self.floor:
            return False
        self.floor = None
        return True

    def copy(self) -> _Part:
        """The same part once more."""
        other = _Part(0, self.floor)
        other._sets, other.decided, other.free = self._sets, self.decided, self.free
        other.taken, other.met, other.once = self.taken, self.met, self.once
        return other


def members(places: int) -> Iterator[int]:
    """The places of a set, ascending."""
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest
