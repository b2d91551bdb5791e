"""The border of the public verbs: wrong kinds of arguments are refused by name, damage is told from faults.

`public` checks each argument by its parameter's name, before anything is read or written.  When a
verb then stumbles over a body or a row that no verb could have written, the journal is verified, and
what that finds is raised instead.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast

from agm.errors import AgmError
from agm_store.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FunctionType

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")

STUMBLES = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading a body or a row that no verb wrote may raise."""


class _Kind(NamedTuple):
    fits: Callable[[object], bool]
    expected: str


def public(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A verb with its arguments checked, and with errors of a damaged journal named.

    None passes where it is the parameter's default.
    """
    names, checks = _checks(cast("FunctionType", method))

    @wraps(method)
    def called(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in zip(names, args, strict=False):
            if name in checks:
                _check(name, value, *checks[name])
        for name, value in kwargs.items():
            if name in checks:
                _check(name, value, *checks[name])
        try:
            return _with_what_followed(self, method(self, *args, **kwargs))
        except AgmError as error:
            if type(error).__name__ == "UnknownBelief":
                _refuse(self, method.__name__, error)
            raise
        except STUMBLES as error:
            _explain(self, error)
            raise

    return called


def _refuse(hand: Any, verb: str, error: Any) -> None:  # noqa: ANN401  a store or a world, and its error
    """Say whose belief a verb tried to change, where it is shared with the principal.

    Raises:
        NotOwner: it is; the attempt was written down.
    """
    from agm_store.attempts import CHANGING, refuse_foreign

    if verb in CHANGING:
        refuse_foreign(hand._context, verb, error.belief)  # noqa: SLF001  see above


def _with_what_followed(hand: Any, answer: R) -> R:  # noqa: ANN401  a store or a world
    """A receipt with what the write did downstream; any other answer as it is."""
    if type(answer).__name__ not in ("Receipt", "ArtefactReceipt"):
        return answer
    followed = hand._context.followed  # noqa: SLF001  see above
    if followed is None:
        return answer
    from dataclasses import replace

    receipt = cast("Any", answer)
    changes: dict[str, Any] = {"flags": (*receipt.flags, *followed.flags)}
    if followed.withdrawn:
        named = ", ".join(followed.withdrawn)
        changes["notices"] = (*receipt.notices, f"withdrawn, for nothing supports it: {named}")
        if getattr(receipt, "belief", None) in followed.withdrawn:
            changes["status"] = hand.why(receipt.belief).status
    return cast("R", replace(receipt, **changes))


def _explain(hand: Any, error: Exception) -> None:  # noqa: ANN401  a store or a world
    """Raise what verifying the journal finds; nothing when it is whole, or the call itself was wrong.

    Raises:
        JournalError: the file was changed outside agm.
    """
    trace = error.__traceback__
    if trace is None or trace.tb_next is None:
        return
    from agm_store.errors import JournalError
    from agm_store.transfer import verify

    try:
        verify(hand._journal, bodies=True)  # noqa: SLF001  the border belongs to both classes
    except JournalError as found:
        raise found from error


def _checks(method: FunctionType) -> tuple[tuple[str, ...], dict[str, tuple[_Kind, bool]]]:
    """The positional parameters, and for those whose name has a kind: the kind, and whether None passes."""
    code = method.__code__
    named = code.co_varnames[1 : code.co_argcount]
    defaults = method.__defaults__ or ()
    unset = dict(zip(named[len(named) - len(defaults) :], defaults, strict=True))
    unset.update(method.__kwdefaults__ or {})
    all_names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    checks = {n: (KINDS[n], n in unset and unset[n] is None) for n in all_names if n in KINDS}
    return named, checks


def checked(**arguments: object) -> None:
    """Refuse arguments of a wrong kind; None passes.

    Raises:
        InvalidArgument: naming the first that does not fit.
    """
    for name, value in arguments.items():
        _check(name, value, KINDS[name], optional=True)


def _check(name: str, value: object, kind: _Kind, optional: bool) -> None:  # noqa: FBT001  called with a row
    if not (optional and value is None) and not kind.fits(value):
        found = f"{_kind_of(value)}{_instead(kind, value)}"
        raise InvalidArgument(name, value, f"{kind.expected}, found {found}")


def _instead(kind: _Kind, value: object) -> str:
    """What to give in place of a value that is near what is wanted, or nothing."""
    if kind is _BELIEF and (_is_term(value) or _is_claim(value)):
        return "; `ask` and `timeline` of a term name the ids"
    from agm_store.receipts import Receipt
    from agm_store.records import Side

    for wanted, part in ((_BELIEF, "belief"), (_ENTRY, "entry")):
        if kind is wanted and isinstance(value, Receipt | Side):
            near = getattr(value, part, None)
            return "" if near is None else f"; its .{part} is {near!r}"
    return ""


def _kind_of(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def _is_claim(value: object) -> bool:
    from agm.claims import Claim

    return isinstance(value, Claim)


def _is_term(value: object) -> bool:
    from agm.terms import Term

    return isinstance(value, Term)


def _is_moment(value: object) -> bool:
    from datetime import datetime

    return isinstance(value, datetime)


def _is_start(value: object) -> bool:
    from agm.values import UNKNOWN

    return value is UNKNOWN or _is_moment(value)


def _is_entry(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_point(value: object) -> bool:
    return _is_entry(value) or _is_moment(value)


def _are_texts(value: object) -> bool:
    """Whether a value lists texts; what comes from a generator is seen when it is used."""
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_text, value))
    return not isinstance(value, str | bytes | dict) and hasattr(value, "__iter__")


def _is_text_or_texts(value: object) -> bool:
    return _is_text(value) or _are_texts(value)


def _is_claim_or_claims(value: object) -> bool:
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_claim, value))
    return _is_claim(value)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _are_claims_or_texts(value: object) -> bool:
    """Whether a value lists claims and texts; what comes from a generator is seen when it is used."""
    if isinstance(value, list | tuple | set | frozenset):
        return all(_is_text(one) or _is_claim(one) for one in value)
    return _are_texts(value) and not _is_claim(value)


def _is_count(value: object) -> bool:
    return _is_entry(value) and 0 < cast("int", value) < 2**63


def _is_cursor(value: object) -> bool:
    return _is_entry(value) and 0 <= cast("int", value) < 2**63


def _is_wait(value: object) -> bool:
    """Whether a value is a number of seconds that a thread may wait for."""
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 < value <= 86_400


def _is_span(value: object) -> bool:
    from datetime import timedelta

    return isinstance(value, timedelta)


def _is_progress(value: object) -> bool:
    """Whether a value is a function that can be told how many of how many, and which."""
    from inspect import signature

    if not callable(value):
        return False
    try:
        signature(value).bind(1, 1, "b1")
    except TypeError:
        return False
    except ValueError:
        pass  # compiled functions say nothing of their arguments
    return True


def _is_word(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_WORD


def _is_review(value: object) -> bool:
    from agm_store.listings import Review

    return isinstance(value, Review)


def _reconstructs(value: object) -> bool:
    return callable(getattr(value, "reconstruct", None))


def is_path(value: object) -> bool:
    """Whether a value may name a file: text or a path object, of characters that names can have."""
    import os

    if not isinstance(value, str | os.PathLike):
        return False
    try:
        name = os.fspath(value)
        return isinstance(name, str) and bool(name) and b"\0" not in os.fsencode(name)
    except UnicodeError:
        return False


MAX_WORD = 512
"""Characters of a word that says which kind, type or unit is meant."""
PATH = "a path that a file can have, as text or pathlib.Path"
"""What a file may be named by."""
_TEXT = _Kind(_is_text, "a string")
_WORD = _Kind(_is_word, f"a string of at most {MAX_WORD} characters")
_BELIEF = _Kind(_is_text, "the id of a belief, e.g. 'b1'")
_ENTRY = _Kind(_is_entry, "the number of an entry, as receipts and `history` name it")
_MOMENT = _Kind(_is_moment, "a datetime with a UTC offset")
_CLAIM = _Kind(
    _is_claim,
    "a Claim, e.g. attr('cache', 'ttl') == 300 or parse('ttl(cache) = 300'); words go into text=",
)
KINDS = {
    **dict.fromkeys(
        ("text", "episode", "parent", "entrenchment", "source", "citation", "statement"), _TEXT
    ),
    **dict.fromkeys(("note", "mode", "option", "on"), _TEXT),
    "attribute": _Kind(_is_name, "a name in Unicode, without lone surrogates"),
    **dict.fromkeys(("type", "unit", "cardinality", "kind"), _WORD),
    **dict.fromkeys(("old", "belief"), _BELIEF),
    **dict.fromkeys(("at", "valid", "valid_to", "moment"), _MOMENT),
    "valid_from": _Kind(_is_start, "a datetime with a UTC offset, or UNKNOWN"),
    "known": _Kind(_is_point, "a datetime with a UTC offset, or the number of an entry"),
    "entry": _ENTRY,
    "claim": _CLAIM,
    "term": _Kind(_is_term, "a Term, e.g. attr('cache', 'ttl'); `entails` takes claims"),
    **dict.fromkeys(("because", "rests_on"), _Kind(_are_texts, "a list of belief ids")),
    "artefact": _Kind(_is_text, "the name of an artefact, e.g. 'report'"),
    "version": _Kind(_is_text, "the name of a version, e.g. 'v2'"),
    "claims": _Kind(_are_claims_or_texts, "a list of claims and texts"),
    "correction": _Kind(_is_bool, "True or False"),
    "descriptors": _Kind(_are_claims_or_texts, "a list of claims and texts"),
    "rationale": _Kind(callable, "a function from reasons to a text"),
    "values": _Kind(_are_texts, "a list of values"),
    "retire": _Kind(_is_text_or_texts, "a belief id or a list of them"),
    "believe": _Kind(_is_claim_or_claims, "a Claim or a list of them"),
    "flag": _Kind(_is_text, "the id of a flag, as `flags` names it"),
    **dict.fromkeys(
        ("budget", "similar", "retirements"), _Kind(_is_count, "a whole number from 1 on")
    ),
    "after": _Kind(_is_cursor, "a number, as a report names it as `next`"),
    "deadline": _Kind(_is_wait, "seconds, more than 0 and at most a day"),
    **dict.fromkeys(("rederive", "sources", "clock"), _Kind(callable, "a function")),
    "progress": _Kind(_is_progress, "a function of a number, how many there are, and a name"),
    "with_": _Kind(_is_text, "the name of a principal"),
    **dict.fromkeys(("entity", "of"), _Kind(_is_text, "the name of an entity")),
    **dict.fromkeys(
        ("dry_run", "everybody", "include_retired", "fresh"), _Kind(_is_bool, "True or False")
    ),
    "by": _Kind(_reconstructs, "an object with a method reconstruct"),
    **dict.fromkeys(("older_than", "every"), _Kind(_is_span, "a timedelta")),
    "wait": _Kind(callable, "a function of seconds"),
    "review": _Kind(_is_review, "a Review, as `inbox` gives it"),
    "path": _Kind(is_path, PATH),
}
"""What an argument must be, by the name of its parameter."""
