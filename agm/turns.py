"""Claims taken one after another, and what was taken stays worked out.

`kept_in_turn` keeps each claim that those kept before admit, `first_kernel` finds the kernel that rests
on the claims that come first. Both go through the claims by unit propagation where they are Horn
clauses, and by bounds on numbers where they are differences; the work for a claim is what it changes,
where a question to a solver would begin anew. For other claims they answer None.
"""

from __future__ import annotations

from agm.claims import Compare
from agm.horn import Propagation, Reader
from agm.kernels import kernel_in_turn
from agm.terms import Linear, Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from agm.claims import Claim
    from agm.domains import Domain
    from agm.kernels import Taking


def kept_in_turn(
    fixed: Sequence[Claim], claims: Sequence[Claim], domain: Callable[[str], Domain]
) -> tuple[list[bool], str] | None:
    """Which claims are kept when each is kept that the fixed ones and those kept before admit.

    With it the route, `horn` or `differences`. None when this is not the way to tell: some claim is of
    another form, or the fixed claims clash.
    """
    reading = read(fixed, claims, domain)
    if reading is None:
        return None
    held = reading.start()
    return None if held is None else ([held.take(one) for one in reading.parts], reading.route)


def first_kernel(
    fixed: Sequence[Claim], claims: Sequence[Claim], domain: Callable[[str], Domain]
) -> list[int] | None:
    """The places of claims that clash with the fixed ones, as few as deleting from the last up leaves.

    None when the claims are of another form, or do not clash.
    """
    reading = read(fixed, claims, domain)
    if reading is None:
        return None
    held = reading.start()
    if held is None:
        return []
    return kernel_in_turn(held, reading.parts)


class Reading:
    """Claims in a form that can be taken one after another, and the fixed ones to start from."""

    def __init__(
        self, route: str, fixed: Sequence[Any], parts: Sequence[Any], empty: Callable[[], Taking]
    ) -> None:
        self.route = route
        self.parts = parts
        self._fixed = fixed
        self._empty = empty

    def start(self) -> Taking | None:
        """The fixed claims taken, or None when they clash."""
        held = self._empty()
        return held if all(map(held.take, self._fixed)) else None


def read(
    fixed: Sequence[Claim],
    claims: Sequence[Claim],
    domain: Callable[[str], Domain],
    *,
    simple: bool = False,
) -> Reading | None:
    """The claims in a form that is taken in turn; None when they are of another form.

    None too when all are about one slot or atom each, unless `simple` ones are wanted.
    """
    found = _as_clauses((*fixed, *claims), domain, simple=simple)
    route = "horn"
    if found is None and any(map(_is_linked, claims)):
        found = _as_differences((*fixed, *claims), domain)
        route = "differences"
    if found is None:
        return None
    listed, empty = found
    return Reading(route, listed[: len(fixed)], listed[len(fixed) :], empty)


def _as_clauses(
    claims: Iterable[Claim], domain: Callable[[str], Domain], *, simple: bool
) -> tuple[list[Any], Callable[[], Taking]] | None:
    """The claims as sets of Horn clauses; None when one is none, or all are simple and it matters."""
    reader = Reader(domain)
    listed = []
    for claim in claims:
        clauses = reader.clauses(claim)
        if clauses is None:
            return None
        listed.append(clauses)
    return (listed, lambda: Propagation(reader.slots)) if simple or reader.has_rules else None


def _as_differences(
    claims: Iterable[Claim], domain: Callable[[str], Domain]
) -> tuple[list[Any], Callable[[], Taking]] | None:
    from agm.differences import Differences
    from agm.distances import told_by

    listed = told_by(claims, domain)
    if listed is None:
        return None
    told = [one for some in listed if some is not None for one in some]
    return listed, lambda: Differences(told, lambda slot: domain(slot.predicate))


def _is_linked(claim: Claim) -> bool:
    """Whether a claim compares slots with each other, looking at the outermost only."""
    if not isinstance(claim, Compare):
        return False
    return isinstance(claim.left, Linear) or isinstance(claim.right, Term | Linear)
