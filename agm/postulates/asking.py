"""Putting drawn cases to an operator under test, and what each postulate says of them.

An operator may be wrong in other ways than by breaking a postulate: it may decline, raise an error
of any kind, or answer with something that is no answer. None of that is taken for a postulate kept.
"""

# ruff: noqa: ANN401  (what is drawn and what is answered differs from family to family)
from __future__ import annotations

from math import isnan
from traceback import format_exc
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from agm.changes import Change
from agm.errors import AgmError, StaleChange, shown
from agm.postulates.postulate import Refused
from agm.postulates.watching import DidNotEnd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm.postulates.families import Family
    from agm.postulates.postulate import Postulate

    Operator: TypeAlias = "Callable[..., Any]"


class Raised(NamedTuple):
    """What an operator raised that is no refusal: the name of the error, and the error in words."""

    kind: str
    text: str


ENDED = "exit"
"""The name under which an operator is said to have ended the process it ran in."""

Outcome: TypeAlias = "bool | Raised | Literal['refused'] | None"
"""Of one postulate at one case: kept or broken, None where it says nothing, or why it was not found out."""


Wanted: TypeAlias = "Literal[False] | str | None"
"""What is looked for: a postulate broken, an error of this name raised, or nothing."""


class Answers(NamedTuple):
    """What was found case by case; `endless` tells that the case after these did not come to an end."""

    outcomes: list[list[Outcome]]
    endless: bool


class InvalidAnswer(AgmError, TypeError):
    """An operator that answered with something else than operators of its family answer with.

    `operator` is its name, `case` what it was asked, `found` what came back, both as text.
    """

    def __init__(self, operator: str, family: str, case: str, *, found: str, due: str) -> None:
        """Name the operator, the case, what came back and what was due."""
        self.operator = operator
        self.family = family
        self.case = case
        self.found = found
        self.due = due
        super().__init__(
            f"asked {operator} about {case}: it answered {found}, but an operator of the family "
            f"{family!r} answers with {due}; see agm.postulates.families for the kinds of operators"
        )


class FaultyPostulate(AgmError, RuntimeError):
    """A postulate that raised an error of its own; `postulate` is its name, `reason` the error as text."""

    def __init__(self, postulate: str, reason: str) -> None:
        """Name the postulate and the error."""
        self.postulate = postulate
        self.reason = reason
        super().__init__(
            f"asked whether {postulate!r} holds, and its guard or its condition raised {reason}; "
            f"a postulate answers with True or False of every case of its family"
        )


class Asking:
    """The postulates of a family, asked of one operator.

    `watched` is put around the operator, to be told when a call begins and when it has ended.
    """

    def __init__(
        self,
        operator: Operator,
        family: Family,
        postulates: Sequence[Postulate[Any]],
        *,
        watched: Callable[[Operator], Operator] | None = None,
    ) -> None:
        self.name = named(operator)
        self.family = family
        self.postulates = tuple(postulates)
        tested = _tested(operator, family.answers, made=family.made)
        self._operator = tested if watched is None else watched(tested)

    def ask(self, cases: Iterable[Any], places: Sequence[int], *, until: Wanted = None) -> Answers:
        """What the postulates at these places say of drawn cases, up to the first that is wanted.

        Raises InvalidAnswer, and FaultyPostulate.
        """
        found: list[list[Outcome]] = []
        for drawn in cases:
            try:
                found.append(self.outcomes(drawn, places))
            except DidNotEnd:
                return Answers(found, True)
            if is_wanted(found[-1], until):
                break
        return Answers(found, False)

    def outcomes(self, drawn: Any, places: Sequence[int]) -> list[Outcome]:
        """What the postulates at these places say of one drawn case; raises what `ask` raises."""
        try:
            case = self.family.case(self._operator, drawn)
            return [_outcome(self.postulates[place], case) for place in places]
        except _Odd as odd:
            raise InvalidAnswer(
                self.name,
                self.family.name,
                str(self.family.shown(drawn)),
                found=odd.found,
                due=odd.due,
            ) from None


def is_wanted(outcomes: list[Outcome], wanted: Wanted) -> bool:
    """Whether some postulate is broken (wanted False) or an error of the wanted name was raised."""
    if wanted is None:
        return False
    kinds = [one.kind if isinstance(one, Raised) else one for one in outcomes]
    return any(kind is False for kind in kinds) if wanted is False else wanted in kinds


def named(operator: Operator) -> str:
    """The name of an operator, or how it shows itself when it has none."""
    name = getattr(operator, "__name__", None)
    return name if isinstance(name, str) else shown(operator)


class _Fault(Exception):
    """An error of the operator under test, on its way past what is ready for refusals."""

    def __init__(self, fault: BaseException) -> None:
        self.fault = fault
        super().__init__(fault)


class _Odd(Exception):
    """Something that is no answer, on the same way."""

    def __init__(self, found: object, due: str) -> None:
        self.found = shown(found)
        self.due = due
        super().__init__(self.found)


def _outcome(postulate: Postulate[Any], case: Any) -> Outcome:
    try:
        return bool(postulate.holds(case)) if postulate.applicable(case) else None
    except Refused:
        return "refused"
    except _Fault as passed:
        return _raised(passed.fault)
    except StaleChange as fault:
        return _raised(fault)
    except (AgmError, _Odd):
        raise
    except Exception as fault:
        wrong = FaultyPostulate(postulate.name, _raised(fault).text)
        wrong.add_note(format_exc())
        raise wrong from fault


def _raised(fault: BaseException) -> Raised:
    kind = type(fault).__name__
    return Raised(kind, f"{kind}: {fault}")


def _tested(operator: Operator, due: type, *, made: bool) -> Operator:
    """The operator, with every fault of it marked as its own."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            answer = operator(*args, **kwargs)
            if isinstance(answer, Change):
                _ = answer.after  # whatever the change is wrong about shows when it is carried out
        except AgmError:
            raise
        except (Exception, SystemExit) as fault:
            raise _Fault(fault) from fault
        if made and callable(answer):
            return _tested(answer, due, made=False)
        if made or not _is(answer, due):
            _dispose(answer)
            raise _Odd(
                answer, f"a function for one order that answers with {_a(due)}" if made else _a(due)
            )
        return answer

    return call


def _is(answer: Any, due: type) -> bool:
    if due is float:
        return isinstance(answer, int | float) and type(answer) is not bool and not isnan(answer)
    return isinstance(answer, due)


def _a(due: type) -> str:
    return "a number" if due is float else f"a {due.__name__}"


def _dispose(answer: Any) -> None:
    """Close a coroutine or a generator, which would complain that nobody waited for it."""
    close = getattr(answer, "close", None)
    if callable(close):
        close()
