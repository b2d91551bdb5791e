"""How a drawn case is put to an operator, and how it is shown to a reader.

Each function takes an operator of its family's kind and a drawn value, and gives the case that the
postulates are asked about. Operators answer with typed refusals where a case does not suit them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from agm.base import BeliefBase
from agm.claims import And, Or, negate
from agm.errors import AgmError
from agm.postulates.cases import Case, Situation, Trial
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

    The start is a BeliefBase, a Preorder, a pair of theories, or a pair of profiles.
    """

    base: Any
    claim: Claim | None
    other: Claim | None = None

    def __str__(self) -> str:
        """The start and the claims, on one line."""
        start = self.base
        if isinstance(start, BeliefBase):
            listed = ", ".join(f"{b.id}: {b.claim} [{b.entrenchment}]" for b in start)
            start = f"{{{listed}}}"
        claims = [str(claim) for claim in (self.claim, self.other) if claim is not None]
        return f"{start} by {' and '.join(claims)}" if claims else str(start)


def shown(drawn: Question) -> Counterexample:
    """A drawn base and its claims."""
    first, *rest = drawn.claims or (None,)
    return Counterexample(BeliefBase(drawn.beliefs), first, rest[0] if rest else None)


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
    return _case(operator, drawn)


def one_claim(operator: Callable[[BeliefBase, Claim], Change]) -> Call:
    """The operator as one that is handed its claim in a tuple."""
    return lambda base, claims: operator(base, claims[0])


def no_claim(operator: Callable[[BeliefBase], Change]) -> Call:
    """The operator as one that is handed claims and heeds none."""
    return lambda base, _: operator(base)


def _case(call: Call, drawn: Question) -> Case:
    situation = Situation(drawn.beliefs, tables=table(3))
    return Case(Trial(call, situation), *drawn.claims[:2])


def of_degrees(operator: Callable[[BeliefBase, Claim], float], drawn: Question) -> DegreeCase:
    """The function asked for the degrees of sentences."""
    a, b, c = drawn.claims
    return DegreeCase(operator, Situation(drawn.beliefs, tables=table(2)), (a, b, c))


def of_bases_in_turn(operator: Callable[[BeliefBase, Claim], Change], drawn: Question) -> StateCase:
    """The operator asked to revise a base by one claim after another."""
    tables = table(3)
    claims = {tables.mask(claim): claim for claim in drawn.claims}

    def believed(inputs: tuple[int, ...]) -> int | None:
        base = BeliefBase(drawn.beliefs)
        try:
            for mask in inputs:
                claim = claims[mask] if mask in claims else tables.claim(mask)
                base = operator(base, claim).after
        except AgmError:
            return None
        return meet((tables.mask(belief.claim) for belief in base), tables.true)

    a, g = (tables.mask(claim) for claim in drawn.claims[:2])
    return StateCase(cache(believed), tables.true, a, g)


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
    change, start = operator(drawn.order), drawn.order.theory

    def believed(inputs: tuple[int, ...]) -> int | None:
        theory = start
        try:
            for worlds in inputs:
                theory = change(theory, worlds)
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


def of_described_theories(
    operator: Callable[[BeliefBase, Claim], Change], drawn: Theories
) -> ChangeCase:
    """The base operator asked to change bases of one belief, each the description of a theory."""
    tables = table(len(drawn.signature.simple))

    def meaning(held: Sequence[Claim], claim: Claim) -> int | None:
        try:
            after = operator(BeliefBase(held), claim).after
        except AgmError:
            return None
        return meet((tables.mask(belief.claim) for belief in after), tables.true)

    def changed(k: int, a: int) -> int | None:
        return meaning([tables.claim(k)], tables.claim(a))

    def rewritten(k: int, a: int) -> int | None:
        own, claim, atom = tables.claim(k), tables.claim(a), tables.atoms[0]
        return meaning([Or([own, atom]), Or([own, negate(atom)])], And([claim, claim]))

    return _changing(changed, drawn, rewritten=rewritten)


def _changing(changed: Changed, drawn: Theories, *, rewritten: Changed | None = None) -> ChangeCase:
    k, other = drawn.theories
    once, every = cache(changed), drawn.signature.everywhere
    return ChangeCase(once, every, k, *drawn.inputs, other=other, rewritten=rewritten or once)


def of_profiles(operator: Callable[[Sequence[Theory], int], Theory], drawn: Profiles) -> MergeCase:
    """The operator asked to merge profiles."""
    over = drawn.signature

    def merged(profile: tuple[int, ...], constraint: int) -> int | None:
        try:
            return operator([Theory(over, worlds) for worlds in profile], constraint).worlds
        except AgmError:
            return None

    return MergeCase(cache(merged), over.everywhere, drawn.profiles, drawn.constraints)
