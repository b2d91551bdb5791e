"""Postulates of iterated revision: what one input leaves of the answer to the next.

C1-C4: Darwiche and Pearl 1997; independence: Jin and Thielscher 2007, Booth and Meyer 2006; CB:
Boutilier 1996; D: Booth and Meyer 2006.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.postulates.common import SET
from agm.postulates.postulate import PostulatesOf
from agm.postulates.worldcases import StateCase, entails

if TYPE_CHECKING:
    from agm.postulates.postulate import Postulate

DP = "Darwiche and Pearl 1997"
BM = "Booth and Meyer 2006"
_postulate = PostulatesOf[StateCase]("iterated revision")


def _clash(case: StateCase) -> bool:
    return bool(case.g) and not case.a & case.g


def _specific(case: StateCase) -> bool:
    return bool(case.g) and entails(case.g, case.a)


def _against(case: StateCase) -> bool:
    return bool(case.a and case.g) and not case.after(case.a) & case.g


def _not_against(case: StateCase) -> bool:
    return bool(case.a and case.g and case.after(case.g) & case.a)


@_postulate("β⊢α ⇒ (Ψ*α)*β≡Ψ*β", source=DP, inputs=2, name="C1", when=_specific)
def c1(case: StateCase) -> bool:
    """A more specific input overrules a more general one told before it."""
    return case.after(case.a, case.g) == case.after(case.g)


@_postulate(
    "β⊢¬α ⇒ (Ψ*α)*β≡Ψ*β",
    source=DP,
    inputs=2,
    name="C2",
    when=lambda case: bool(case.a) and _clash(case),
)
def c2(case: StateCase) -> bool:
    """An input that contradicts the one before undoes it."""
    return case.after(case.a, case.g) == case.after(case.g)


@_postulate(
    "Ψ*β⊢α ⇒ (Ψ*α)*β⊢α",
    source=DP,
    inputs=2,
    name="C3",
    when=lambda case: bool(case.a and case.g) and entails(case.after(case.g), case.a),
)
def c3(case: StateCase) -> bool:
    """What the second input leaves believed, it leaves believed when it was told before."""
    return entails(case.after(case.a, case.g), case.a)


@_postulate("Ψ*β⊬¬α ⇒ (Ψ*α)*β⊬¬α", source=DP, inputs=2, name="C4", when=_not_against)
def c4(case: StateCase) -> bool:
    """What the second input does not refute, it does not refute when it was told before."""
    return bool(case.after(case.a, case.g) & case.a)


@_postulate(
    "Ψ*β⊬¬α ⇒ (Ψ*α)*β⊢α",
    source=f"Jin and Thielscher 2007; {BM} (P)",
    inputs=2,
    name="Ind",
    when=_not_against,
)
def independence(case: StateCase) -> bool:
    """What the second input does not refute stays believed when it was told before."""
    return entails(case.after(case.a, case.g), case.a)


@_postulate(
    "Ψ*α⊢¬β ⇒ (Ψ*α)*β≡Ψ*β",
    source="Boutilier 1996",
    inputs=2,
    name="CB",
    when=_against,
)
def cb(case: StateCase) -> bool:
    """An input that contradicts what is now believed undoes the input before it."""
    return case.after(case.a, case.g) == case.after(case.g)


@_postulate(
    "Ψ*α⊢¬β ∧ Ψ*β⊢¬α ⇒ (Ψ*α)*β⊢¬α",
    source=BM,
    inputs=2,
    name="D",
    when=lambda case: _against(case) and not case.after(case.g) & case.a,
)
def d(case: StateCase) -> bool:
    """Of two inputs that refute each other the later one wins."""
    return not case.after(case.a, case.g) & case.a


@_postulate(
    "B listed in any order ⇒ the same (B*α)*β",
    source=SET,
    name="independence-of-listing",
    when=lambda case: bool(case.a and case.g and case.listings),
)
def independence_of_listing(case: StateCase) -> bool:
    """The order in which beliefs with names of their own are listed does not matter."""
    own = case.after(case.a, case.g)
    return all(own == believed((case.a, case.g)) for believed in case.listings)


POSTULATES: tuple[Postulate[StateCase], ...] = (c1, c2, c3, c4, independence, cb, d)
"""C1 to C4, independence, CB and D."""

OF_BASES: tuple[Postulate[StateCase], ...] = (*POSTULATES, independence_of_listing)
"""The same for operators on bases, and that the order of listing does not matter."""
