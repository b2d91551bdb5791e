"""The operators of the matrix, and which postulates are published to hold and to fail for each.

A published row has a sign for each operator: + holds, - fails, . not stated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm import consolidate, erase, update
from agm.contraction import choice, full_meet, package, shielded
from agm.contraction.named import OPERATORS as CONTRACTIONS
from agm.contraction.shielding import not_following_from
from agm.errors import AgmError
from agm.iterated import JOURNALS
from agm.iterated import OPERATORS as ITERATED
from agm.merging import OPERATORS as MERGERS
from agm.postulates.degrees import raw_rank
from agm.revision import external, revise, screened, semi_revise
from agm.revision.multiple import revise_all
from agm.theories import CONTRACTIONS as THEORY_CONTRACTIONS
from agm.theories import dalal, erasure, forbus, levi, maxichoice, pma, satoh
from agm.verdicts import inconsistent
from laboratory import published

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agm.base import BeliefBase
    from agm.changes import Change
    from agm.claims import Claim


class Table(NamedTuple):
    """Operators of one family, and the published rows of signs by postulate."""

    title: str
    family: str
    operators: Mapping[str, Callable[..., Any]]
    published: Mapping[str, str]

    def expected(self, postulate: str, operator: str) -> str | None:
        """The published verdict of one cell; None when nothing is stated."""
        signs = self.published.get(postulate)
        if signs is None:
            return None
        sign = signs[list(self.operators).index(operator)]
        return {"+": "holds", "-": "fails", ".": None}[sign]


def _with(make: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """An operator for each base contraction."""
    return {name: make(contraction) for name, contraction in CONTRACTIONS.items()}


def _internal(contraction: Callable[..., Any]) -> Callable[..., Any]:
    return lambda base, claim: revise(base, claim, contraction=contraction)


def _external(contraction: Callable[..., Any]) -> Callable[..., Any]:
    return lambda base, claim: external(base, claim, contraction=contraction)


def _consolidating(contraction: Callable[..., Any]) -> Callable[..., Any]:
    return lambda base: consolidate(base, contraction=contraction)


def _semi(contraction: Callable[..., Any]) -> Callable[..., Any]:
    return lambda base, claim: semi_revise(base, claim, contraction=contraction)


def _choice(contraction: Callable[..., Any]) -> Callable[..., Any]:
    return lambda base, claims: choice(base, claims, contraction=contraction)


def _all_at_once(contraction: Callable[..., Any]) -> Callable[..., Any]:
    return lambda base, claims: revise_all(base, claims, contraction=contraction)


def _arbitrary(_: object) -> Callable[..., Any]:
    """Maxichoice by a choice that differs from input to input without a plan."""

    def chosen(theory: Any, without: Any) -> int:  # noqa: ANN401  (theories of the operator)
        worlds = [w for w in range(without.worlds.bit_length()) if without.worlds >> w & 1]
        world: int = worlds[(theory.worlds * 7 + without.worlds * 5) % len(worlds)]
        return world

    return maxichoice(chosen)


class OutsideColumn(AgmError):
    """A case of which a column is not to speak."""


def _at_consistent(operator: Callable[..., Any]) -> Callable[..., Any]:
    """The operator at consistent bases alone."""

    def revision(base: BeliefBase, claim: Claim) -> Change:
        if inconsistent(base.check()):
            raise OutsideColumn(
                "asked about an inconsistent base, of which this column says nothing"
            )
        change: Change = operator(base, claim)
        return change

    return revision


def _same(operator: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _: operator


def _levi_of(make: Callable[..., Any]) -> Callable[..., Any]:
    return lambda order: levi(make(order))


TABLES: tuple[Table, ...] = (
    Table("Base contraction", "contraction", CONTRACTIONS, published.CONTRACTION),
    Table("Internal base revision", "revision", _with(_internal), published.REVISION),
    Table("External base revision", "revision", _with(_external), published.REVISION),
    Table("Consolidation", "consolidation", _with(_consolidating), published.CONSOLIDATION),
    Table("Semi-revision", "semi-revision", _with(_semi), published.SEMI_REVISION),
    Table(
        "Credibility-limited revision",
        "credibility-limited revision",
        {"screened": screened("asserted", "documented")},
        {},
    ),
    Table(
        "Shielded contraction",
        "shielded contraction",
        {"shielded": shielded(not_following_from("asserted", "documented"))},
        {},
    ),
    Table("Package contraction", "package contraction", {"package": package}, {}),
    Table(
        "Choice contraction",
        "choice contraction",
        {"linear preferred": choice, "full meet": _choice(full_meet)},
        {},
    ),
    Table(
        "Multiple revision",
        "multiple revision",
        {"linear preferred": revise_all, "full meet": _all_at_once(full_meet)},
        {},
    ),
    Table(
        "Contraction of theories",
        "theory contraction",
        {
            "full meet": THEORY_CONTRACTIONS["full meet"],
            "arbitrary maxichoice": _arbitrary,
            "orderly maxichoice": THEORY_CONTRACTIONS["orderly maxichoice"],
            "partial meet": THEORY_CONTRACTIONS["partial meet"],
            "severe withdrawal": THEORY_CONTRACTIONS["severe withdrawal"],
        },
        published.THEORY_CONTRACTION,
    ),
    Table(
        "Revision of theories",
        "theory revision",
        {
            "Dalal": _same(dalal),
            "Satoh": _same(satoh),
            **{f"{name} (Levi)": _levi_of(make) for name, make in THEORY_CONTRACTIONS.items()},
        },
        {
            "K*1": "+.....",
            "K*2": "+.....",
            "K*3": "+.....",
            "K*4": "+.....",
            "K*5": "+.....",
            "K*6": "+.....",
            "K*7": "+.....",
            "K*8": "+-....",
        },
    ),
    Table(
        "Entrenchment",
        "entrenchment",
        {"degree": lambda base, claim: base.degree(claim), "raw rank": raw_rank},
        {"EE1": "+.", "EE2": "+-", "EE3": "+.", "EE4": "+.", "EE5": "+.", "lifted": "+."},
    ),
    Table("Iterated revision", "iterated revision", ITERATED, published.ITERATED),
    Table(
        "Iterated revision by journals", "iterated journal revision", JOURNALS, published.JOURNALS
    ),
    Table(
        "Iterated revision of bases",
        "iterated base revision",
        {"revise, deleting": revise, "revise, deleting, consistent": _at_consistent(revise)},
        {"C1": "--", "C2": "--", "C3": "++", "C4": "++", "Ind": "++", "CB": "--", "D": "--"},
    ),
    Table(
        "Update of theories",
        "theory update",
        {"PMA": pma, "Forbus": forbus, "Dalal": dalal, "Satoh": satoh},
        published.UPDATE,
    ),
    Table(
        "Erasure of theories",
        "theory erasure",
        {"PMA": erasure(pma), "Forbus": erasure(forbus), "Dalal": erasure(dalal)},
        {"E2": "++.", "E3": "++.", "E5": "++.", "E8": "++-"},
    ),
    Table(
        "Update of bases",
        "update",
        {"update": update},
        {"U1": "+", "U2": "+", "U8": "+", "U9": "-", "R2 (revision)": "-", "R3 (revision)": "-"},
    ),
    Table(
        "Erasure of bases",
        "erasure",
        {"erase": erase},
        {"E2": "+", "E3": "+", "E5": "+", "E8": "+"},
    ),
    Table(
        "Merging",
        "merging",
        MERGERS,
        {**{f"IC{number}": "++" for number in range(9)}, "Maj": "+-", "Arb": "-+"},
    ),
)
"""All tables of the matrix, in the order they are shown."""


def table_of(title: str) -> Table:
    """The table of this title."""
    return next(table for table in TABLES if table.title == title)


_DIFFERENT = (
    ("Semi-revision", "lexcard maxichoice", "semi pre-expansion"),
    ("Semi-revision", "lexcard meet", "semi pre-expansion"),
    ("Base contraction", "smooth safe", "base 7"),
    ("Iterated revision of bases", "revise, deleting", "C3"),
    ("Iterated revision of bases", "revise, deleting", "C4"),
    ("Iterated revision of bases", "revise, deleting", "Ind"),
    ("Update of bases", "update", "R3 (revision)"),
)

RECORDED: dict[tuple[str, str, str], str] = dict.fromkeys(
    _DIFFERENT, "0006-what-the-matrix-is-worth"
)
"""Cells (table, operator, postulate) that differ from what is published, and the decision on them."""
