"""The operators of the literature by their definitions, on masks: slow, and nothing of the library.

A base is a list of (mask, rank) in linear order, strongest first. An answer is a set of places kept.
Masks and entailment are those of `propositional`.
"""

from __future__ import annotations

from math import inf

from tests.strategies.propositional import entails, subsets


def _follows(base, places, goals):
    return any(entails([base[i][0] for i in places], goal) for goal in goals)


def kernels(base, *goals):
    """Minimal sets that entail one of the goals."""
    found = []
    for part in subsets(range(len(base))):
        if _follows(base, part, goals) and not any(set(one) <= set(part) for one in found):
            found.append(part)
    return [frozenset(one) for one in found]


def remainders(base, *goals):
    """Maximal sets that entail none of the goals."""
    found = []
    for part in reversed(list(subsets(range(len(base))))):
        if not _follows(base, part, goals) and not any(set(part) <= set(one) for one in found):
            found.append(part)
    return [frozenset(one) for one in found]


def degree(base, goal):
    if entails([], goal):
        return inf
    ranks = sorted({rank for _, rank in base}, reverse=True)
    return next((i for i in ranks if entails([m for m, r in base if r >= i], goal)), 0)


def _whole(base):
    return frozenset(range(len(base)))


def _ranks(base):
    return sorted({rank for _, rank in base}, reverse=True)


def full_meet(base, goal):
    return frozenset.intersection(_whole(base), *remainders(base, goal))


def linear_preferred(base, *goals):
    if any(entails([], goal) for goal in goals):
        return _whole(base)
    kept = []
    for place in range(len(base)):
        if not _follows(base, [*kept, place], goals):
            kept.append(place)
    return frozenset(kept)


def counts(base, part):
    return tuple(sum(base[i][1] == rank for i in part) for rank in _ranks(base))


def _best(base, goal):
    found = remainders(base, goal)
    top = max((counts(base, one) for one in found), default=None)
    return [one for one in found if counts(base, one) == top]


def lexcard_maxichoice(base, goal):
    best = _best(base, goal)
    return (
        min(best, key=lambda one: [i not in one for i in range(len(base))])
        if best
        else _whole(base)
    )


def lexcard_meet(base, goal):
    return frozenset.intersection(_whole(base), *_best(base, goal))


def preferred(base, goal):
    """Remainders that none widens at the first rank where they differ."""
    found = remainders(base, goal)

    def at(one, rank):
        return {i for i in one if base[i][1] == rank}

    def better(one, other):
        for rank in _ranks(base):
            if at(one, rank) != at(other, rank):
                return at(one, rank) > at(other, rank)
        return False

    return [one for one in found if not any(better(other, one) for other in found)]


def brewka_meet(base, goal):
    return frozenset.intersection(_whole(base), *preferred(base, goal))


def safe(base, goal):
    if entails([], goal):
        return _whole(base)
    cut = {
        i for one in kernels(base, goal) for i in one if base[i][1] == min(base[j][1] for j in one)
    }
    return _whole(base) - cut


def smooth_safe(base, goal):
    kept = safe(base, goal)
    return frozenset(i for i in range(len(base)) if entails([base[j][0] for j in kept], base[i][0]))


def one_per_kernel(base, goal):
    if entails([], goal):
        return _whole(base)
    return _whole(base) - {max(one) for one in kernels(base, goal)}


def maxi_adjustment(base, goal):
    if entails([], goal):
        return _whole(base)
    kept = frozenset()
    for rank in _ranks(base):
        level = [i for i in range(len(base)) if base[i][1] == rank]
        above = [base[i][0] for i in kept]
        minimal = []
        for part in subsets(level):
            if entails(above + [base[i][0] for i in part], goal) and not any(
                set(one) <= set(part) for one in minimal
            ):
                minimal.append(part)
        kept |= set(level) - {i for one in minimal for i in one}
    return frozenset(kept)


def ensconcement(base, goal):
    here = degree(base, goal)
    if here in (0, inf):
        return _whole(base)
    return frozenset(i for i, (m, _) in enumerate(base) if degree(base, goal | m) > here)


def severe(base, goal):
    here = degree(base, goal)
    if here in (0, inf):
        return _whole(base)
    return frozenset(i for i, (_, r) in enumerate(base) if r > here)


def severe_lifted(base, goal):
    here = degree(base, goal)
    if here in (0, inf):
        return _whole(base)
    return frozenset(i for i, (m, _) in enumerate(base) if degree(base, m) > here)


CONTRACTIONS = {
    "full meet": full_meet,
    "linear preferred": linear_preferred,
    "lexcard maxichoice": lexcard_maxichoice,
    "lexcard meet": lexcard_meet,
    "Brewka meet": brewka_meet,
    "safe": safe,
    "smooth safe": smooth_safe,
    "one per kernel": one_per_kernel,
    "maxi-adjustment": maxi_adjustment,
    "ensconcement": ensconcement,
    "severe": severe,
    "severe, lifted": severe_lifted,
}
