"""Adjacency that grows: the flat arrays of a support graph, and beside them what was added since.

A justification that was added has the next number, so everything listed by justification goes on in
arrays of the same form. What is listed by belief cannot, and stands in two dictionaries, `more_of`
and `more_uses`. The large tables of the graph it starts from are shared, and never changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import ChainMap
from typing import TYPE_CHECKING

from agm_propagation.adjacency import NO_SOURCE, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_propagation.adjacency import Adjacency, Row
    from agm_propagation.records import Justification

ABSENT = -1


class Growing(Rows):
    """The beliefs and justifications of a graph, and those added since, by number.

    The first `known` beliefs are those of the graph, in the order of their ids.
    """

    __slots__ = ("_added", "first", "known", "more_of", "more_uses", "uses", "uses_from")

    def __init__(self, base: Adjacency) -> None:
        self._added: dict[Row, int] = {}
        self.known = len(base.names)
        self.names, self.source_names = base.names[:], base.source_names[:]
        self.numbers = ChainMap({}, base.numbers)
        self.sources = ChainMap({}, base.sources)
        self.conclusions, self.sources_of = base.conclusions[:], base.sources_of[:]
        self.premises, self.begins = base.premises[:], base.begins[:]
        self.first, self.uses_from, self.uses = base.first[:], base.uses_from[:], base.uses
        self.more_of: dict[int, list[int]] = {}
        self.more_uses: dict[int, list[int]] = {}

    def of(self, belief: int) -> Sequence[int]:
        """The justifications that conclude a belief, earlier ones first."""
        mine = range(self.first[belief], self.first[belief + 1])
        return [*mine, *self.more_of[belief]] if belief in self.more_of else mine

    def uses_of(self, belief: int) -> Sequence[int]:
        """The justifications that a belief is a premise of, earlier ones first."""
        mine = self.uses[self.uses_from[belief] : self.uses_from[belief + 1]]
        return [*mine, *self.more_uses[belief]] if belief in self.more_uses else mine

    def place(self, justification: Justification) -> int:
        """The number of a justification, or ABSENT."""
        numbers = self.numbers
        if not all(name in numbers for name in [justification.conclusion, *justification.premises]):
            return ABSENT
        source = NO_SOURCE
        if justification.source is not None:
            source = self.sources.get(justification.source, len(self.source_names))
        premises = tuple(sorted(map(numbers.__getitem__, justification.premises)))
        row = numbers[justification.conclusion], premises, source
        mine = range(self.first[row[0]], self.first[row[0] + 1])
        found = bisect_left(mine, row, key=self.row)
        if found < len(mine) and self.row(mine[found]) == row:
            return mine[found]
        return self._added.get(row, ABSENT)

    def add(self, justification: Justification) -> int:
        """Give the next number to a justification that has none."""
        conclusion, *premises = map(
            self._belief, [justification.conclusion, *sorted(justification.premises)]
        )
        premises.sort()
        source = self._source(justification.source)
        number = len(self.conclusions)
        self._added[conclusion, tuple(premises), source] = number
        self.conclusions.append(conclusion)
        self.sources_of.append(source)
        self.premises.extend(premises)
        self.begins.append(len(self.premises))
        self.more_of.setdefault(conclusion, []).append(number)
        for premise in premises:
            self.more_uses.setdefault(premise, []).append(number)
        return number

    def _belief(self, name: str) -> int:
        """The number of a belief, the next one if it has none."""
        number = self.numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
            self.first.append(self.first[-1])
            self.uses_from.append(self.uses_from[-1])
        return number

    def _source(self, name: str | None) -> int:
        """The number of a source, the next one if it has none."""
        if name is None:
            return NO_SOURCE
        number = self.sources.setdefault(name, len(self.source_names))
        if number == len(self.source_names):
            self.source_names.append(name)
        return number
