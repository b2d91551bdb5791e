"""The definitions of the laboratory for bases as tests write them: (mask, rank), strongest first.

Answers are sets of places. Masks and entailment are those of `propositional`.
"""

from __future__ import annotations

import re

from agm.contraction import OPERATORS
from laboratory.definitions import contraction as by_definition
from laboratory.definitions.bases import Base, Entry
from tests.strategies.propositional import ALL


def _base(base):
    entries = [Entry(place, place, worlds, rank) for place, (worlds, rank) in enumerate(base)]
    made = Base(entries, ALL)
    assert [one.number for one in made.entries] == list(range(len(base)))
    return made


def _places(base, part):
    return frozenset(one.number for one in base.listed(part))


def _asked(definition):
    def asked(base, *goals):
        made = _base(base)
        return _places(made, definition(made, *goals))

    return asked


def kernels(base, *goals):
    """Minimal sets that entail one of the goals."""
    made = _base(base)
    return [_places(made, part) for part in made.kernels(*goals)]


def remainders(base, *goals):
    """Maximal sets that entail none of the goals."""
    made = _base(base)
    return [_places(made, part) for part in made.remainders(*goals)]


full_meet = _asked(by_definition.full_meet)
linear_preferred = _asked(by_definition.linear)

CONTRACTIONS = {
    name: _asked(by_definition.CONTRACTIONS[re.sub(r"\W+", "_", name.lower())])
    for name in OPERATORS
}
