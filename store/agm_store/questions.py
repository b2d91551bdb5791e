"""What a world says to a question in text: the answer that the command line and the tools of a model both show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim, Term
    from agm.values import Key
    from agm_store.records import Side
    from agm_store.worlds import World

_KEPT_OUT = ("overridden", "unsupported", "held")


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
    kept_out: Sequence[Side] = ()
    """Where nothing answers: what was told of it and is overridden, unsupported or held; `why` says why."""
    hint: str = ""
    """What the question may have meant instead; empty when it is clear."""


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
        found = _of_claim(world, simple)
        bare = isinstance(simple, Atom) and not simple.args and not found.entailed
        return found._replace(hint=_terms_of(world, question)) if bare else found
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
    if believed or contested:
        return Found(believed, contested, found.outranked, bool(believed), shared=found.shared)
    if _relational(world, term):
        return _of_atom(world, question)
    out = _kept_out(world, term)
    return Found((), (), found.outranked, entailed=False, shared=found.shared, kept_out=out)


def _kept_out(world: World, term: Term[Any]) -> list[Side]:
    """What was told of an attribute's slot and is overridden, unsupported or held."""
    from agm.values import Key
    from agm_store.touches import split_token

    names = [arg for arg in term.args if isinstance(arg, str)]
    if len(names) < len(term.args):
        return []
    token = world.context.slot(str(Key(term.predicate, tuple(names))))
    found = _sides_by_word(world, [token], frozenset([Key(*split_token(token))]))
    return [side for word in _KEPT_OUT for side in found[word]]


def _terms_of(world: World, word: str) -> str:
    """What a bare word may have meant: it is a proposition, and terms have their entity with them."""
    context = world.context
    told = [t for t in context.journal.tokens(context.owner, word) if t.endswith(")")]
    if not told:
        return ""
    more = f" or {len(told) - 1} more" if len(told) > 1 else ""
    return f"a bare word is a proposition; a term names its entity, as {told[0]}{more} does"


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
    from agm_store.touches import tokens_of_claim

    verdict = world.check(claim)
    if isinstance(verdict, Undecided):
        return Found((), (), (), "undecided")
    entailed = isinstance(verdict, Inconsistent)
    words = _sides_by_word(world, tokens_of_claim(claim), world.context.meant(claim).keys)
    contested, outranked = words["contested"], words["outranked"]
    kept_out = [side for word in _KEPT_OUT for side in words[word]]
    grounds = _grounds(world, claim) if entailed else ()
    denied = not entailed and isinstance(world.check(~claim), Inconsistent)
    otherwise = "no, its denial follows" if denied else "unknown, nothing believed decides it"
    out = () if entailed or contested else kept_out
    return Found(grounds, contested, outranked, entailed, otherwise, is_claim=True, kept_out=out)


def _sides_by_word(world: World, tokens: list[str], keys: frozenset[Key]) -> dict[str, list[Side]]:
    """The tellings that speak of some keys and are contested, outranked or kept out otherwise."""
    ledger, reading = world.reading_of(tokens)
    words: dict[str, list[Side]] = {word: [] for word in ("contested", "outranked", *_KEPT_OUT)}
    meant = world.context.meant
    for telling in sorted(ledger.tellings.values(), key=lambda t: t.entry_id):
        word = reading.standing.get(telling.entry_id, telling.state)
        if word in words and telling.claim is not None and not telling.withdrawn:
            side = world.standing(telling.entry_id)
            if side.claim is not None and meant(side.claim).keys & keys:
                words[word].append(side)
    return words


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
