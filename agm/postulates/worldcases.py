"""Cases of operators on theories: what is believed, as sets of worlds written as bits.

A `StateCase` is an operator with memory that is given one input after another; a `ChangeCase` one
that takes a theory and an input to a theory; a `MergeCase` one that joins several theories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from agm.postulates.postulate import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Believed: TypeAlias = "Callable[[tuple[int, ...]], int | None]"
    Changed: TypeAlias = "Callable[[int, int], int | None]"
    Compared: TypeAlias = "Callable[[int, int], bool | None]"
    Merged: TypeAlias = "Callable[[tuple[int, ...], int], int | None]"


def entails(worlds: int, goal: int) -> bool:
    """Whether a theory of these worlds has the sentence that holds in those of `goal`."""
    return not worlds & ~goal


class StateCase:
    """One state of an operator and two inputs `a` and `g`.

    `believed` tells the worlds believed possible after a row of inputs, None when an input is
    declined; `true` is the set of all worlds. `listings` say the same of the state written otherwise,
    where it is a base that can be listed in several orders.
    """

    def __init__(
        self, believed: Believed, true: int, a: int, g: int, *, listings: Sequence[Believed] = ()
    ) -> None:
        self._believed = believed
        self.listings = tuple(listings)
        self.true = true
        self.a = a
        self.g = g

    def after(self, *inputs: int) -> int:
        """The worlds believed possible after these inputs, one after the other."""
        found = self._believed(inputs)
        if found is None:
            raise Refused(f"an input among {inputs} was declined")
        return found

    @property
    def k(self) -> int:
        """The worlds believed possible at first."""
        return self.after()


class ChangeCase:
    """A theory `k`, another one `other`, and two inputs `a` and `g` of an operator on theories.

    `rewritten` is the operator asked about theories and inputs that are written another way; where
    these are sets of worlds there is no other way. Of operators on bases `listed` tells whether another
    listing of the base has the same result, `demoted` whether a belief that is still held fell in rank.
    """

    def __init__(
        self,
        changed: Changed,
        true: int,
        k: int,
        a: int,
        g: int = 0,
        *,
        other: int = 0,
        rewritten: Changed | None = None,
        listed: Compared | None = None,
        demoted: Compared | None = None,
    ) -> None:
        self._changed = changed
        self._listed = listed
        self._demoted = demoted
        self._rewritten = rewritten or changed
        self.true = true
        self.k = k
        self.other = other
        self.a = a
        self.g = g

    def by(self, k: int, a: int) -> int:
        """The worlds of the theory `k` after the input `a`."""
        return self._asked(self._changed, k, a)

    def by_another(self, k: int, a: int) -> int:
        """The same of the theory and the input as they are written another way."""
        return self._asked(self._rewritten, k, a)

    @property
    def complete(self) -> bool:
        """Whether the theory settles every question."""
        return self.k.bit_count() == 1

    @property
    def same_in_any_listing(self) -> bool:
        """Whether the base that describes `k` may be listed in another order; True of theories."""
        return self._compared(self._listed, unasked=True)

    @property
    def demotes(self) -> bool:
        """Whether a belief that is still held is easier to give up; False of theories."""
        return self._compared(self._demoted, unasked=False)

    def _compared(self, compared: Compared | None, *, unasked: bool) -> bool:
        found = unasked if compared is None else compared(self.k, self.a)
        if found is None:
            raise Refused(f"the input {self.a} was declined at {self.k}")
        return found

    @staticmethod
    def _asked(changed: Changed, k: int, a: int) -> int:
        found = changed(k, a)
        if found is None:
            raise Refused(f"the input {a} was declined at {k}")
        return found


class MergeCase:
    """Two profiles of theories and two constraints `mu` and `nu` of a merging operator."""

    def __init__(
        self,
        merged: Merged,
        true: int,
        profiles: tuple[tuple[int, ...], tuple[int, ...]],
        constraints: tuple[int, int],
    ) -> None:
        self._merged = merged
        self.true = true
        self.one, self.two = profiles
        self.mu, self.nu = constraints

    def of(self, profile: tuple[int, ...], constraint: int) -> int:
        """The worlds of the merged profile under a constraint."""
        found = self._merged(profile, constraint)
        if found is None:
            raise Refused(f"the profile {profile} was declined")
        return found
