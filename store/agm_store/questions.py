"""What a world says to a question in text: the answer that the command line and the tools of a model both show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim, Term
    from agm_store.records import Side
    from agm_store.worlds import World


class Found(NamedTuple):
    """An answer as it is printed; ``entailed`` of a term says whether it has one undisputed value."""

    answers: Sequence[Side]
    contested: Sequence[Side]
    outranked: Sequence[Side]
    entailed: bool | str
    otherwise: str = "nothing is believed"
    """What to say when it is not entailed."""
    is_claim: bool = False
    shared: Sequence[Side] = ()


def answer(world: World, question: str) -> Found:
    """What a world says to a term or a claim in text.

    A relation can be asked by its first arguments, and then has several answers.

    Raises:
        ClaimSyntaxError, InvalidName, VocabularyError: the question is none.
    """
    from agm.claims import Atom, Term
    from agm.errors import ClaimSyntaxError
    from agm.syntax import parse, parse_simple, parse_term

    simple = parse_simple(question)  # (loads no parser)
    if isinstance(simple, Atom) and simple.args:
        names = tuple(arg for arg in simple.args if isinstance(arg, str))
        if len(names) == len(simple.args):
            return _of_term(world, Term(simple.predicate, names), question)
    if simple is not None:
        return _of_claim(world, simple)
    try:
        term = parse_term(question)
    except ClaimSyntaxError:
        return _of_claim(world, parse(question))
    return _of_term(world, term, question)


def _of_term(world: World, term: Term[Any], question: str) -> Found:
    from agm.errors import NotDecided

    try:
        found = world.ask(term)
    except NotDecided:
        return Found((), (), (), "undecided")
    believed = [s for s in found.sides if s.standing == "believed"]
    contested = [s for s in found.sides if s.standing == "contested"]
    if not believed and not contested and _relational(world, term):
        return _of_atom(world, question)
    return Found(believed, contested, found.outranked, bool(believed), shared=found.shared)


def _relational(world: World, term: Term[Any]) -> bool:
    known = world.context.lexicon.learn([term.predicate]).get(term.predicate)
    return term.is_ground and known is not None and not known.functional


def _of_atom(world: World, question: str) -> Found:
    """A relation atom that nobody told may still follow from rules."""
    from agm.errors import VocabularyError
    from agm.syntax import parse

    try:
        return _of_claim(world, parse(question))
    except (
        VocabularyError
    ):  # its last argument is an entity here, which the relation's values need not be
        return Found((), (), (), False)


def _of_claim(world: World, claim: Claim) -> Found:
    """Whether a claim follows; its answers are the beliefs it follows from, its contested sides those of its slot."""
    from agm.verdicts import Inconsistent, Undecided

    verdict = world.check(claim)
    if isinstance(verdict, Undecided):
        return Found((), (), (), "undecided")
    entailed = isinstance(verdict, Inconsistent)
    contested, outranked = _around(world, claim)
    grounds = _grounds(world, claim) if entailed else ()
    denied = not entailed and isinstance(world.check(~claim), Inconsistent)
    otherwise = "no, its denial follows" if denied else "unknown, nothing believed decides it"
    return Found(grounds, contested, outranked, entailed, otherwise, is_claim=True)


def _around(world: World, claim: Claim) -> tuple[list[Side], list[Side]]:
    """The contested and outranked tellings that speak of the claim's keys."""
    from agm_store.touches import tokens_of_claim

    _, reading = world.reading_of(tokens_of_claim(claim))
    words: dict[str, list[Side]] = {"contested": [], "outranked": []}
    meant = world.context.meant
    for belief in sorted(reading.standing):
        standing = reading.standing[belief]
        if standing in words:
            side = world.standing(belief)
            if side.claim is not None and meant(side.claim).keys & meant(claim).keys:
                words[standing].append(side)
    return words["contested"], words["outranked"]


def _grounds(world: World, claim: Claim) -> list[Side]:
    """A least set of beliefs from which the claim follows, the very claim first."""
    from agm_store.certificates import minimal
    from agm_store.touches import tokens_of_claim

    normal, _ = world.context.lexicon.admit(claim)
    ledger, reading = world.reading_of(tokens_of_claim(normal))
    told = [t for t in reading.believed if t.claim == str(world.context.meant(normal))]
    if told:
        return [world.standing(told[0].entry_id)]
    kernel = minimal(world.context, ledger, reading.kept, [~normal])
    return [world.standing(belief) for belief in kernel]
