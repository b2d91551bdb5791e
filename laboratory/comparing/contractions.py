"""Contractions, consolidation and what is given up by several claims, beside their definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm import contraction as library
from agm.contraction.shielding import not_following_from
from agm.incision import all_members
from agm.revision import levi
from agm.selection import everything, first, most_by_rank, preferred_by_rank
from laboratory.comparing.pairs import Pair, any_base
from laboratory.definitions import contraction as by_definition
from laboratory.definitions.bases import joined
from laboratory.definitions.choices import one_of, some_of
from laboratory.definitions.contraction import CONTRACTIONS
from laboratory.definitions.revision import internal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agm.changes import Change
    from agm.contraction import Operator
    from agm.remainders import Beliefs, Kernels, Remainders
    from laboratory.asking import BaseQuestion
    from laboratory.definitions.bases import Base, Part
    from laboratory.definitions.choices import Names
    from laboratory.definitions.contraction import Contraction

OPERATORS: dict[str, Operator] = {name: getattr(library, name) for name in CONTRACTIONS}
"""The library's contractions by the names of their functions."""

_GUARDS = ("asserted", "documented")


def kept(change: Change) -> Names:
    """The beliefs that are left, by id."""
    return frozenset(belief.id for belief in change.after)


def names(beliefs: Iterable[Any]) -> Names:
    """Beliefs by id."""
    return frozenset(belief.id for belief in beliefs)


def gave_up(question: BaseQuestion, found: Names) -> bool:
    """Whether something of the base is gone."""
    return len(found) < len(question.base)


def _pair(
    name: str,
    operator: Callable[[BaseQuestion], Change],
    definition: Callable[[BaseQuestion], Part],
) -> Pair:
    return Pair(
        f"agm.contraction.{name}",
        any_base,
        lambda question: kept(operator(question)),
        lambda question: question.told.names(definition(question)),
        gave_up,
    )


def _one_claim(name: str, operator: Operator, definition: Contraction) -> Pair:
    """An operator that needs nothing but the base and the claim."""
    return _pair(name, lambda q: operator(q.base, q.claim), lambda q: definition(q.told, q.goal))


def _selecting(question: BaseQuestion) -> Callable[[Remainders], list[Beliefs]]:
    """A selection function that takes about half of the remainders, without a plan."""

    def select(remainders: Remainders) -> list[Beliefs]:
        by_names = {names(one): one for one in remainders}
        return [by_names[one] for one in some_of(by_names, question.salt)]

    return select


def _selected(question: BaseQuestion) -> Callable[[list[Part]], list[Part]]:
    """What `_selecting` takes, of parts."""
    told, salt = question.told, question.salt
    return lambda parts: [told.part(one) for one in some_of(map(told.names, parts), salt)]


def _choosing(question: BaseQuestion) -> Callable[[Remainders], Beliefs]:
    """A choice of one remainder without a plan."""

    def choose(remainders: Remainders) -> Beliefs:
        by_names = {names(one): one for one in remainders}
        return by_names[one_of(by_names, question.salt)]

    return choose


def _incising(question: BaseQuestion) -> Callable[[Kernels], list[Any]]:
    """An incision function that cuts about half of each kernel, without a plan."""

    def incise(kernels: Kernels) -> list[Any]:
        cut = {name for one in kernels for name in some_of(names(one), question.salt)}
        return [belief for belief in question.base if belief.id in cut]

    return incise


def _incised(question: BaseQuestion) -> Callable[[Base, list[Part]], Part]:
    """What `_incising` cuts, of parts."""

    def incise(base: Base, kernels: list[Part]) -> Part:
        return joined(base.part(some_of(base.names(one), question.salt)) for one in kernels)

    return incise


def _all_members(_: Base, kernels: list[Part]) -> Part:
    return joined(kernels)


def _identity(name: str | None, contraction: Contraction) -> Pair:
    """B ∩ (B * ¬α) over the revision that belongs to a contraction, or over the default one."""

    def definition(question: BaseQuestion) -> Part:
        told = question.told
        after = internal(told, question.denial, contraction)
        if isinstance(after, str):  # ¬α cannot be believed
            return told.all
        left = {sentence for sentence, _ in after}
        return told.part(one.name for one in told.entries if one.sentence in left)

    revision = levi(OPERATORS[name]) if name else None
    shown = f"harper(levi({name}))" if name else "harper"
    harper = library.harper(revision)
    return _pair(shown, lambda q: harper(q.base, q.claim), definition)


def _linear_package(question: BaseQuestion) -> Part:
    return by_definition.linear(question.told, *question.goals)


def _of_all(question: BaseQuestion, contraction: Contraction) -> Part:
    """B ÷ ⋀A."""
    together = question.told.possible
    for goal in question.goals:
        together &= goal
    return contraction(question.told, together)


def _shielded(name: str) -> Pair:
    operator = library.shielded(not_following_from(*_GUARDS), contraction=OPERATORS[name])
    return _pair(
        f"shielded({name})",
        lambda q: operator(q.base, q.claim),
        lambda q: by_definition.shielded(q.told, q.goal, CONTRACTIONS[name], q.guarded(*_GUARDS)),
    )


def _choice(name: str) -> Pair:
    return _pair(
        f"choice({name})",
        lambda q: library.choice(q.base, q.claims, contraction=OPERATORS[name]),
        lambda q: _of_all(q, CONTRACTIONS[name]),
    )


PAIRS = (
    *(_one_claim(name, operator, CONTRACTIONS[name]) for name, operator in OPERATORS.items()),
    _one_claim("contract", library.contract, by_definition.linear),
    _one_claim(
        "partial_meet(everything)", library.partial_meet(everything), CONTRACTIONS["full_meet"]
    ),
    _one_claim("partial_meet(first)", library.partial_meet(first), by_definition.linear),
    _one_claim(
        "partial_meet(most_by_rank)",
        library.partial_meet(most_by_rank),
        CONTRACTIONS["lexcard_meet"],
    ),
    _one_claim(
        "partial_meet(preferred_by_rank)",
        library.partial_meet(preferred_by_rank),
        CONTRACTIONS["brewka_meet"],
    ),
    _pair(
        "partial_meet(arbitrary)",
        lambda q: library.partial_meet(_selecting(q))(q.base, q.claim),
        lambda q: by_definition.partial_meet(_selected(q))(q.told, q.goal),
    ),
    _one_claim("maxichoice", library.maxichoice(), by_definition.linear),
    _pair(
        "maxichoice(arbitrary)",
        lambda q: library.maxichoice(_choosing(q))(q.base, q.claim),
        lambda q: by_definition.partial_meet(
            lambda parts: [q.told.part(one_of(map(q.told.names, parts), q.salt))]
        )(q.told, q.goal),
    ),
    _one_claim(
        "kernel_contraction(all_members)",
        library.kernel_contraction(all_members),
        by_definition.kernel_contraction(_all_members),
    ),
    _pair(
        "kernel_contraction(arbitrary)",
        lambda q: library.kernel_contraction(_incising(q))(q.base, q.claim),
        lambda q: by_definition.kernel_contraction(_incised(q))(q.told, q.goal),
    ),
    _pair(
        "smooth_kernel_contraction(arbitrary)",
        lambda q: library.smooth_kernel_contraction(_incising(q))(q.base, q.claim),
        lambda q: by_definition.smooth(by_definition.kernel_contraction(_incised(q)))(
            q.told, q.goal
        ),
    ),
    _identity(None, by_definition.linear),
    *(_identity(name, CONTRACTIONS[name]) for name in ("full_meet", "safe", "severe")),
    _shielded("linear_preferred"),
    _shielded("safe"),
    _choice("linear_preferred"),
    _choice("full_meet"),
    _pair("package", lambda q: library.package(q.base, q.claims), _linear_package),
    _pair(
        "package(everything)",
        lambda q: library.package(q.base, q.claims, selection=everything),
        lambda q: by_definition.package(q.told, q.goals, lambda parts: parts),
    ),
    _pair(
        "package(arbitrary)",
        lambda q: library.package(q.base, q.claims, selection=_selecting(q)),
        lambda q: by_definition.package(q.told, q.goals, _selected(q)),
    ),
)
