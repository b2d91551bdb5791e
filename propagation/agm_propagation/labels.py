"""States that follow each step: IN or OUT, exact with circles, at the cost of what a step touches.

Each belief that is IN has one support: it is held by itself, or one of its justifications, whose
premises came IN before it did (Doyle 1979: well-founded supporting justifications). `_since` counts
those moments, so support never runs in a circle. When a support goes, beliefs fall along supporting
links only (`_fall`), each caught where another justification is found that is whole and older than
the belief; what has fallen is then lifted by any justification that is whole (Forbus and de Kleer,
Building Problem Solvers, 1993, chapter 7: first all that rested on it goes OUT, then alternatives are
looked for). A justification knows how many of its premises are OUT, so no premise is looked at twice.
Nothing recurses.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Literal

from agm_propagation.adjacency import NEVER
from agm_propagation.errors import InvalidRecord, NoSuchJustification
from agm_propagation.growing import ABSENT, Growing
from agm_propagation.records import Gap, Justification, Moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm.beliefs import BeliefId
    from agm_propagation.adjacency import Adjacency
    from agm_propagation.records import Artefact
    from agm_propagation.support import SupportGraph

State = Literal["IN", "OUT"]
_OUT, _HELD = -1, -2  # the support of a belief that has no justification for one
_REMOVED = NEVER << 1  # added to what a justification waits for when it is removed


class Labels:
    """The state of each belief of a support graph; made by `SupportGraph.labels`, and changed by steps.

    Each step answers with what moved, and costs time in proportion to what it touches, not to the
    graph. What is told stands while it is held; a justification without premises only records who
    told it. A blocked belief is OUT whatever supports it.

    >>> from agm_propagation import Justification, SupportGraph
    >>> graph = SupportGraph([Justification(conclusion="wet", premises={"rain"})])
    >>> labels = graph.labels(["rain"])
    >>> labels.retire(["rain"])
    Moved(gained=(), lost=('rain', 'wet'))
    >>> labels.add(Justification(conclusion="rain", premises={"wet"}))  # a circle supports nothing
    Moved(gained=(), lost=())
    """

    __slots__ = (
        "_artefacts",
        "_blocked",
        "_clock",
        "_held",
        "_missing",
        "_net",
        "_since",
        "_support",
    )

    def __init__(
        self,
        adjacency: Adjacency,
        held: Sequence[int],
        blocked: Sequence[int],
        *,
        artefacts: Sequence[Artefact],
    ) -> None:
        """Work out the first states; the numbers are those of the adjacency."""
        size = len(adjacency.names)
        self._net = Growing(adjacency)
        self._artefacts = artefacts
        self._missing = adjacency.counts()
        self._support = array("i", [_OUT]) * size
        self._since = array("q", [0]) * size
        self._held, self._blocked = bytearray(size), bytearray(size)
        self._clock = 0
        for number in blocked:
            self._blocked[number] = 1
        self._hold(held)

    def hold(self, ids: Iterable[str], /) -> Moved:
        """These beliefs stand by themselves from here on; raises NotInGraph."""
        return self._moved(gained=self._hold(self._net.find(ids)))

    def retire(self, ids: Iterable[str], /) -> Moved:
        """These beliefs no longer stand by themselves, perhaps by a justification; raises NotInGraph."""
        left = [n for n in self._net.find(ids) if self._held[n]]
        for number in left:
            self._held[number] = 0
        return self._moved(lost=self._fall([n for n in left if self._support[n] == _HELD]))

    def block(self, ids: Iterable[str], /) -> Moved:
        """These beliefs are OUT from here on, whatever supports them; raises NotInGraph."""
        numbers = self._net.find(ids)
        for number in numbers:
            self._blocked[number] = 1
        return self._moved(lost=self._fall([n for n in numbers if self._support[n] != _OUT]))

    def unblock(self, ids: Iterable[str], /) -> Moved:
        """These beliefs stand again where something supports them; raises NotInGraph."""
        numbers = [n for n in self._net.find(ids) if self._blocked[n]]
        for number in numbers:
            self._blocked[number] = 0
        held = [n for n in numbers if self._held[n]]
        gained = self._hold(held)
        return self._moved(gained=gained + self._lift(n for n in numbers if not self._held[n]))

    def add(self, justification: Justification, /) -> Moved:
        """One more way to support a belief; one that is there already changes nothing."""
        if not isinstance(justification, Justification):
            raise InvalidRecord("justification", justification, "an object of Justification")
        place = self._net.place(justification)
        if place == ABSENT:
            place = self._append(justification)
        elif self._missing[place] >= _REMOVED:
            self._missing[place] -= _REMOVED
        conclusion, missing = self._net.conclusions[place], self._missing[place]
        if missing or self._support[conclusion] != _OUT or self._blocked[conclusion]:
            return self._moved()
        self._stand(conclusion, place)
        return self._moved(gained=self._rise([conclusion]))

    def remove(self, justification: Justification, /) -> Moved:
        """One way less to support a belief; raises NoSuchJustification."""
        place = self._place(justification)
        conclusion = self._net.conclusions[place]
        self._missing[place] += _REMOVED
        return self._moved(lost=self._fall([conclusion] * (self._support[conclusion] == place)))

    def state(self, id: str, /) -> State:
        """Whether a belief is IN or OUT now; raises NotInGraph."""
        (number,) = self._net.find([id])
        return "OUT" if self._support[number] == _OUT else "IN"

    @property
    def believed(self) -> frozenset[BeliefId]:
        """All beliefs that are IN."""
        return self._named(n for n, support in enumerate(self._support) if support != _OUT)

    @property
    def held(self) -> frozenset[BeliefId]:
        """The beliefs that stand by themselves, where nothing blocks them."""
        return self._named(n for n, flag in enumerate(self._held) if flag)

    @property
    def blocked(self) -> frozenset[BeliefId]:
        """The beliefs that are OUT whatever supports them."""
        return self._named(n for n, flag in enumerate(self._blocked) if flag)

    def support_of(self, id: str, /) -> Justification | None:
        """The justification that supports a belief now, None when it is OUT; raises NotInGraph.

        For one that is held it is its first telling, or one without source where none is recorded.
        Followed from premise to premise it never comes back.
        """
        (number,) = self._net.find([id])
        support = self._support[number]
        if support == _OUT:
            return None
        if support == _HELD:
            tellings = (j for j in self._present(number) if not self._net.premises_of(j))
            support = next(tellings, _HELD)
        if support == _HELD:
            return Justification(conclusion=id)
        return self._net.record(support)

    def why_out(self, id: str, /) -> tuple[Gap, ...]:
        """What each justification of a belief lacks, empty when it is IN; raises NotInGraph."""
        (number,) = self._net.find([id])
        if self._support[number] != _OUT:
            return ()
        net, support = self._net, self._support
        gaps = []
        for place in self._present(number):
            missing = (n for n in net.premises_of(place) if support[n] == _OUT)
            gaps.append(Gap(net.record(place), self._sorted(missing)))
        return tuple(gaps)

    @property
    def graph(self) -> SupportGraph:
        """The support graph as it is now, with all that was added and without what was removed."""
        from agm_propagation.support import SupportGraph

        net = self._net
        places = range(len(net.conclusions))
        present = (net.record(j) for j in places if self._missing[j] < _REMOVED)
        return SupportGraph.of(present, artefacts=self._artefacts, beliefs=net.names)

    def __contains__(self, id: object) -> bool:
        """Whether a belief has a state."""
        return id in self._net.numbers

    def __len__(self) -> int:
        """How many beliefs have a state."""
        return len(self._support)

    def __repr__(self) -> str:
        return f"<Labels: {len(self)} beliefs, {len(self.believed)} of them IN>"

    def _hold(self, numbers: Iterable[int]) -> list[int]:
        """Mark as held; what came IN by it, and all that follows."""
        fresh = []
        for number in numbers:
            self._held[number] = 1
            if self._blocked[number]:
                continue
            if self._support[number] == _OUT:
                self._stand(number, _HELD)
                fresh.append(number)
            else:
                self._support[number] = _HELD  # which no step but retiring or blocking takes away
        return self._rise(fresh)

    def _lift(self, numbers: Iterable[int]) -> list[int]:
        """Those that are OUT and have a whole justification come IN, and all that follows."""
        missing, support, blocked, net = self._missing, self._support, self._blocked, self._net
        fresh = []
        for number in numbers:
            if support[number] == _OUT and not blocked[number]:
                for j in net.of(number):
                    if not missing[j]:
                        self._stand(number, j)
                        fresh.append(number)
                        break
        return self._rise(fresh)

    def _rise(self, fresh: list[int]) -> list[int]:
        """Let in what follows from beliefs that just came IN; the list of them grows and is returned."""
        net, missing, support, blocked = self._net, self._missing, self._support, self._blocked
        conclusions, uses_of = net.conclusions, net.uses_of
        for belief in fresh:
            for j in uses_of(belief):
                left = missing[j] - 1
                missing[j] = left
                if not left:
                    conclusion = conclusions[j]
                    if support[conclusion] == _OUT and not blocked[conclusion]:
                        self._stand(conclusion, j)
                        fresh.append(conclusion)
        return fresh

    def _stand(self, number: int, support: int) -> None:
        """Come IN: later than everything that is IN, and so than the premises of the support."""
        self._clock += 1
        self._since[number] = self._clock
        self._support[number] = support

    def _fall(self, bereft: Iterable[int]) -> list[int]:
        """What goes OUT when beliefs have lost their support.

        While beliefs fall, a justification that could not catch one never can: `tried` says from
        where on to look, so each is tried once.
        """
        missing, support, uses_of = self._missing, self._support, self._net.uses_of
        conclusions = self._net.conclusions
        tried: dict[int, int] = {}
        fallen = []
        for number in bereft:
            support[number] = _OUT if self._blocked[number] else self._catch(number, tried)
            if support[number] == _OUT:
                fallen.append(number)
        for belief in fallen:  # which grows meanwhile
            for j in uses_of(belief):
                missing[j] += 1
                conclusion = conclusions[j]
                if support[conclusion] == j:
                    caught = support[conclusion] = self._catch(conclusion, tried)
                    if caught == _OUT:
                        fallen.append(conclusion)
        self._lift(fallen)
        return [n for n in fallen if support[n] == _OUT]

    def _catch(self, number: int, tried: dict[int, int]) -> int:
        """The next whole justification of a belief that is older than it, or _OUT."""
        missing, since, net = self._missing, self._since, self._net
        start, own, more = net.first[number], since[number], net.more_of.get(number, ())
        early = net.first[number + 1] - start
        for place in range(tried.get(number, 0), early + len(more)):
            j = start + place if place < early else more[place - early]
            if not missing[j] and all(since[p] < own for p in net.premises_of(j)):
                tried[number] = place + 1
                return j
        return _OUT

    def _append(self, justification: Justification) -> int:
        """Take in a justification that was never there, with the beliefs it is the first to name."""
        place = self._net.add(justification)
        new = len(self._net.names) - len(self._support)
        self._support.extend([_OUT] * new)
        self._since.extend([0] * new)
        self._held.extend(bytes(new))
        self._blocked.extend(bytes(new))
        premises = self._net.premises_of(place)
        waits = sum(self._support[n] == _OUT for n in premises)
        self._missing.append(waits if premises else NEVER)
        return place

    def _place(self, justification: Justification) -> int:
        place = self._net.place(justification)
        if place == ABSENT or self._missing[place] >= _REMOVED:
            conclusion = justification.conclusion
            number = self._net.numbers.get(conclusion, ABSENT)
            others = 0 if number == ABSENT else len(self._present(number))
            raise NoSuchJustification(justification, conclusion, others)
        return place

    def _present(self, number: int) -> list[int]:
        """The justifications of a belief that are not removed."""
        return [j for j in self._net.of(number) if self._missing[j] < _REMOVED]

    def _moved(self, *, gained: Iterable[int] = (), lost: Iterable[int] = ()) -> Moved:
        return Moved(self._sorted(gained), self._sorted(lost))

    def _sorted(self, numbers: Iterable[int]) -> tuple[BeliefId, ...]:
        order = sorted(numbers)
        names: list[BeliefId] = list(map(self._net.names.__getitem__, order))  # type: ignore[arg-type]
        if order and order[-1] >= self._net.known:  # those that were added have no place by name
            names.sort()
        return tuple(names)

    def _named(self, numbers: Iterable[int]) -> frozenset[BeliefId]:
        return frozenset(map(self._net.names.__getitem__, numbers))  # type: ignore[arg-type]
