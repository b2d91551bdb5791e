"""What is added to a drawn question: constraints, further claims, and rivals of every strength.

An operator may do well without constraints and forget them, look at the first two of its claims
and no further, or treat a newcomer rightly only where it is stronger than all that is held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.beliefs import Belief
from agm.claims import Or, Truth
from agm.entrenchment import DEFAULT_CHAIN, EntrenchmentOrder
from agm.postulates.drawing import CLASSES, MAX_BELIEFS, formula, truth
from agm.postulates.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from agm.claims import Claim
    from agm.postulates.drawing import Question

    Draw = Callable[[Random], Question]

HIGHER = ("documented", "asserted", "core")
"""Classes below, at and above the one at which a newcomer is told, `asserted`."""


def under_constraints(draw: Draw, *, atoms: int = 3) -> Draw:
    """The draw, one of five times under a constraint; it often entails an input then."""

    def drawn(random: Random) -> Question:
        question = draw(random)
        if random.random() >= 0.2:
            return question
        law = formula(random, table(atoms))
        if not table(atoms).mask(law):
            return question
        question = question._replace(constraints=(law,))
        if random.random() < 0.3:
            follows = random.choice((law, Or([law, formula(random, table(atoms))])))
            question = question._replace(claims=(follows, *question.claims[1:]))
        return question

    return drawn


def with_rivals(draw: Draw) -> Draw:
    """The draw, every second time with beliefs that are stronger than a newcomer too."""

    def drawn(random: Random) -> Question:
        question = draw(random)
        if random.random() < 0.5:
            return question
        raised = dict(zip(CLASSES, HIGHER, strict=True))
        beliefs = tuple(b.with_(entrenchment=raised[b.entrenchment]) for b in question.beliefs)
        return question._replace(beliefs=beliefs)

    return drawn


def with_unprotected(draw: Draw) -> Draw:
    """The draw, with beliefs of classes that stand above the protected ones, be these `core` or lower.

    One of three times the strongest are above `core`, in an order with a class more.
    """

    def drawn(random: Random) -> Question:
        question = draw(random)
        kind = random.random()
        if kind < 0.3:
            return question
        above = ("axiom", "core", "asserted") if kind < 0.6 else ("core", "asserted", "documented")
        beliefs = tuple(b.with_(entrenchment=random.choice(above)) for b in question.beliefs)
        order = EntrenchmentOrder("axiom", *DEFAULT_CHAIN) if kind < 0.6 else question.order
        return question._replace(beliefs=beliefs, order=order)

    return drawn


def with_tellings(draw: Draw) -> Draw:
    """The draw, one of ten times with a claim that is held twice, be it of another class."""

    def drawn(random: Random) -> Question:
        question = draw(random)
        if random.random() >= 0.1:
            return question
        told = random.choice(question.beliefs)
        room = len(question.beliefs) < MAX_BELIEFS
        others = question.beliefs if room else _without_one(question, told)
        every = (*others, Belief(told.claim, random.choice(CLASSES)))
        named = tuple(b.with_(id=f"b{number}") for number, b in enumerate(every, start=1))
        asked = (told.claim, *question.claims[1:]) if random.random() < 0.5 else question.claims
        return question._replace(beliefs=named, claims=asked)

    return drawn


def _without_one(question: Question, told: Belief) -> tuple[Belief, ...]:
    """All beliefs but one that is not the told one."""
    gone = next(belief for belief in question.beliefs[::-1] if belief is not told)
    return tuple(belief for belief in question.beliefs if belief is not gone)


def with_held_truths(draw: Draw) -> Draw:
    """The draw, at times with a logical truth among the beliefs or alone, and then as first claim too."""

    def drawn(random: Random) -> Question:
        question = draw(random)
        held = _truth(random)
        if random.random() >= 0.06 or any(b.claim is held for b in question.beliefs):
            return question
        first, *others = question.beliefs
        beliefs = (first.with_(claim=held), *(others if random.random() < 0.6 else ()))
        return question._replace(beliefs=beliefs, claims=(held, *question.claims[1:]))

    return drawn


def with_more_claims(draw: Draw) -> Draw:
    """The draw with one to four claims; at times one or all of them are logical truths."""

    def drawn(random: Random) -> Question:
        question = draw(random)
        kind = random.random()
        claims = list(question.claims[:1] if kind < 0.2 else question.claims)
        more = (kind >= 0.55) + (kind >= 0.75)
        claims += [draw(random).claims[0] for _ in range(more)]
        if random.random() < 0.12:
            claims[random.randrange(len(claims))] = _truth(random)
        elif random.random() < 0.05:
            claims = [_truth(random) for _ in claims]
        return question._replace(claims=tuple(claims))

    return drawn


def _truth(random: Random) -> Claim:
    return Truth(True) if random.random() < 0.3 else truth(random, table(3))
