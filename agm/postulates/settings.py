"""How a drawn case is put to an operator, and how it is shown to a reader.

Each function takes an operator of its family's kind and a drawn value, and gives the case that the
postulates are asked about. Operators answer with typed refusals where a case does not suit them.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.base import BeliefBase
from agm.errors import AgmError
from agm.postulates.cases import Case, Situation, Trial, answer_of
from agm.postulates.common import other_orders
from agm.postulates.degrees import DegreeCase
from agm.postulates.tables import meet, table
from agm.postulates.worldcases import ChangeCase, MergeCase, StateCase
from agm.theories import Theory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm.changes import Change
    from agm.claims import Claim
    from agm.iterated import Journal, Preorder
    from agm.postulates.cases import Call
    from agm.postulates.drawing import Question
    from agm.postulates.drawing_worlds import Ordered, Profiles, Theories, Told
    from agm.postulates.worldcases import Changed


class Counterexample(NamedTuple):
    """Where a postulate fails: a start, the claim, and a second claim where two are spoken of.

    The start is a BeliefBase, a Preorder, a pair of theories, of bases or of profiles. Of an operator
    for several claims at once `claim` has them all, so that `operator(base, claim)` asks again.
    """

    base: Any
    claim: Claim | tuple[Claim, ...] | None
    other: Claim | None = None

    def __str__(self) -> str:
        """The start and the claims, on one line."""
        start = self.base
        if isinstance(start, tuple) and all(isinstance(one, BeliefBase) for one in start):
            start = " and ".join(map(_listed, start))
        elif isinstance(start, BeliefBase):
            start = _listed(start)
        claims = self.claim if isinstance(self.claim, tuple) else (self.claim, self.other)
        told = " and ".join(str(claim) for claim in claims if claim is not None)
        return f"{start} by {told}" if told else str(start)


def _listed(base: BeliefBase) -> str:
    listed = ", ".join(f"{b.id}: {b.claim} [{b.entrenchment}]" for b in base)
    laws = "; ".join(map(str, base.constraints))
    return f"{{{listed}}}" + (f" under {laws}" if laws else "")


def shown(drawn: Question) -> Counterexample:
    """A drawn base and its claims."""
    first, *rest = drawn.claims
    return Counterexample(drawn.base, first, rest[0] if rest else None)


def shown_alone(drawn: Question) -> Counterexample:
    """A drawn base without claims, for operators that take none."""
    return Counterexample(drawn.base, None)


def shown_several(drawn: Question) -> Counterexample:
    """A drawn base and all of its claims."""
    return Counterexample(drawn.base, drawn.claims)


def shown_order(drawn: Ordered) -> Counterexample:
    """A drawn preorder and its inputs."""
    say = drawn.order.signature.claim
    return Counterexample(drawn.order, say(drawn.inputs[0]), say(drawn.inputs[1]))


def shown_theories(drawn: Theories) -> Counterexample:
    """Drawn theories and inputs."""
    say = drawn.signature.claim
    both = tuple(Theory(drawn.signature, worlds) for worlds in drawn.theories)
    return Counterexample(both, say(drawn.inputs[0]), say(drawn.inputs[1]))


def shown_profiles(drawn: Profiles) -> Counterexample:
    """Drawn profiles and constraints."""
    say = drawn.signature.claim
    both = tuple(
        tuple(Theory(drawn.signature, worlds) for worlds in profile) for profile in drawn.profiles
    )
    return Counterexample(both, say(drawn.constraints[0]), say(drawn.constraints[1]))


def of_one_claim(operator: Callable[[BeliefBase, Claim], Change], drawn: Question) -> Case:
    """The operator asked to change a base by one claim."""
    return _case(one_claim(operator), drawn)


def of_no_claim(operator: Callable[[BeliefBase], Change], drawn: Question) -> Case:
    """The operator asked to put a base right."""
    return _case(no_claim(operator), drawn)


def of_several_claims(
    operator: Callable[[BeliefBase, Sequence[Claim]], Change], drawn: Question
) -> Case:
    """The operator asked to change a base by several claims at once."""
    return _case(several_claims(operator), drawn)


def one_claim(operator: Callable[[BeliefBase, Claim], Change]) -> Call:
    """The operator as one that is handed its claim in a tuple."""
    return lambda base, claims: operator(base, claims[0])


def several_claims(operator: Callable[[BeliefBase, Sequence[Claim]], Change]) -> Call:
    """The operator as one that is handed its claims in a list of its own."""
    return lambda base, claims: operator(base, list(claims))


def no_claim(operator: Callable[[BeliefBase], Change]) -> Call:
    """The operator as one that is handed claims and heeds none."""
    return lambda base, _: operator(base)


def _case(call: Call, drawn: Question) -> Case:
    return Case(Trial(call, _situation(drawn, 3)), *drawn.claims)


def _situation(drawn: Question, atoms: int) -> Situation:
    return Situation(
        drawn.beliefs, tables=table(atoms), constraints=drawn.constraints, order=drawn.order
    )


def of_degrees(operator: Callable[[BeliefBase, Claim], float], drawn: Question) -> DegreeCase:
    """The function asked for the degrees of sentences."""
    a, b, c = drawn.claims
    return DegreeCase(operator, _situation(drawn, 2), (a, b, c))


def of_bases_in_turn(operator: Callable[[BeliefBase, Claim], Change], drawn: Question) -> StateCase:
    """The operator asked to revise a base by one claim after another."""
    at = _situation(drawn, 3)
    claims = {at.mask(claim): claim for claim in drawn.claims}
    call = one_claim(operator)

    def believed(start: BeliefBase, inputs: tuple[int, ...]) -> int | None:
        base: BeliefBase | None = start
        for mask in inputs:
            if base is not None:
                claim = claims[mask] if mask in claims else at.table.claim(mask)
                base = answer_of(call, base, (claim,))
        return None if base is None else meet((at.mask(one.claim) for one in base), at.true)

    a, g = (at.mask(claim) for claim in drawn.claims[:2])
    listings = [
        partial(believed, at.holding([at.beliefs[place] for place in places]).base)
        for places in (other_orders(at) if len(at.beliefs) > 1 else ())
    ]
    return StateCase(cache(partial(believed, at.base)), at.true, a, g, listings=listings)


def of_orders_in_turn(operator: Callable[[Preorder, int], Preorder], drawn: Ordered) -> StateCase:
    """The operator asked to revise a preorder by one input after another."""
    states: dict[tuple[int, ...], Preorder] = {(): drawn.order}

    def state(inputs: tuple[int, ...]) -> Preorder:
        if inputs not in states:
            states[inputs] = operator(state(inputs[:-1]), inputs[-1])
        return states[inputs]

    def believed(inputs: tuple[int, ...]) -> int | None:
        try:
            return state(inputs).theory.worlds
        except AgmError:
            return None

    return StateCase(believed, drawn.order.signature.everywhere, *drawn.inputs)


def of_journal(operator: Callable[..., Journal], drawn: Told) -> StateCase:
    """The operator asked to write one claim after another, the last one on top of all."""
    journal, inputs, rank = drawn

    def believed(row: tuple[int, ...]) -> int | None:
        state = journal
        try:
            for place, worlds in enumerate(row, start=1):
                state = operator(state, worlds, rank=TOP if place == len(row) else rank)
        except AgmError:
            return None
        return state.theory.worlds

    return StateCase(cache(believed), journal.signature.everywhere, *inputs)


TOP = 9
"""The rank of the last claim of a journal: above all that were told before."""


def shown_journal(drawn: Told) -> Counterexample:
    """A drawn journal and its inputs."""
    say = drawn.journal.signature.claim
    return Counterexample(drawn.journal, say(drawn.inputs[0]), say(drawn.inputs[1]))


def of_theory_of_order(
    operator: Callable[[Preorder], Callable[[Theory, int], Theory]], drawn: Ordered
) -> StateCase:
    """The operator made for a preorder and asked about its theory."""
    made = cache(operator)

    def believed(inputs: tuple[int, ...]) -> int | None:
        theory = drawn.order.theory
        try:
            for worlds in inputs:
                theory = made(drawn.order)(theory, worlds)
        except AgmError:
            return None
        return theory.worlds

    return StateCase(cache(believed), drawn.order.signature.everywhere, *drawn.inputs)


def of_theories(operator: Callable[[Theory, int], Theory], drawn: Theories) -> ChangeCase:
    """The operator asked to change theories."""
    over = drawn.signature

    def changed(k: int, a: int) -> int | None:
        try:
            return operator(Theory(over, k), a).worlds
        except AgmError:
            return None

    return _changing(changed, drawn)


def _changing(changed: Changed, drawn: Theories) -> ChangeCase:
    k, other = drawn.theories
    return ChangeCase(cache(changed), drawn.signature.everywhere, k, *drawn.inputs, other=other)


def of_profiles(operator: Callable[[Sequence[Theory], int], Theory], drawn: Profiles) -> MergeCase:
    """The operator asked to merge profiles."""
    over = drawn.signature

    def merged(profile: tuple[int, ...], constraint: int) -> int | None:
        try:
            return operator([Theory(over, worlds) for worlds in profile], constraint).worlds
        except AgmError:
            return None

    return MergeCase(cache(merged), over.everywhere, drawn.profiles, drawn.constraints)
