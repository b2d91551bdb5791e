"""The operators of the matrix, and which postulates are published to hold and to fail for each.

A published row has a sign for each operator: + holds, - fails, . not stated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm import consolidate, erase, update
from agm.contraction import choice, full_meet, package, shielded
from agm.contraction.named import OPERATORS as CONTRACTIONS
from agm.contraction.shielding import not_following_from
from agm.iterated import JOURNALS
from agm.iterated import OPERATORS as ITERATED
from agm.merging import OPERATORS as MERGERS
from agm.postulates.degrees import raw_rank
from agm.revision import external, revise, screened, semi_revise
from agm.revision.multiple import revise_all
from agm.theories import CONTRACTIONS as THEORY_CONTRACTIONS
from agm.theories import dalal, erasure, forbus, levi, maxichoice, pma, satoh

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


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
        return worlds[(theory.worlds * 7 + without.worlds * 5) % len(worlds)]

    return maxichoice(chosen)


def _same(operator: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _: operator


def _levi_of(make: Callable[..., Any]) -> Callable[..., Any]:
    return lambda order: levi(make(order))


# full linear lexmax lexmeet Brewka safe smooth one maxi ensconcement severe lifted
_CONTRACTION = {
    "success": "++++++++++++",
    "inclusion": "++++++++++++",
    "failure": "++++++++++++",
    "vacuity": "++++++++++++",
    "core-retainment": "+++++++++---",
    "relevance": "+++++-------",
    "fullness": "-++---------",
    "disjunctive-elimination": "+++++----+--",
    "relative-closure": "+++++-+--+-+",
    "uniformity": "+++++++++-++",
    "recovery": "------------",
    "entrenchment-certificate": "-++---------",
    "weak-entrenchment": "-++++++++---",
    "locality": "+++++++++---",
    "base 7": "++++++++-+++",
    "base 8": "-++------+++",
    "K÷7 on Cn(R)": "-++-------++",
    "K÷8 on Cn(R)": "-++------+++",
    "K*3 (Levi)": "++++++++++++",
    "K*4 (Levi)": "++++++++++++",
    "K*5 (Levi)": "++++++++++++",
    "K*6 (Levi)": "++++++++++++",
    "K*7 (Levi)": "-++------+++",
    "K*8 (Levi)": "-++------+++",
    "linear hierarchy": "----------++",
}

_REVISION = {
    "success": "++++++++++++",
    "inclusion": "++++++++++++",
    "consistency": "++++++++++++",
    "vacuity": "++++++++++++",
    "relevance": "+++++-.--...",
    "core-retainment": "+++++....---",
    "uniformity": "+++++....-..",
    "pre-expansion": "+++++.......",
}

_CONSOLIDATION = {
    "consistency": "++++++++++++",
    "inclusion": "++++++++++++",
    "vacuity": "++++++++++++",
    "idempotence": "++++++++++++",
    "core-retainment": "+++++++++---",
    "relevance": "+++++----...",
    "componentwise": "+++++++++---",
}

_SEMI_REVISION = {
    "semi consistency": "++++++++++++",
    "semi inclusion": "++++++++++++",
    "semi pre-expansion": "..--........",
    "semi relative success": "-++..-.--...",
}

_ITERATED = {
    # natural lexicographic restrained bullet Spohn Dalal Satoh amnesic
    "K*1": "++++++.+",
    "K*2": "++++++.+",
    "K*3": "++++++.+",
    "K*4": "++++++.+",
    "K*5": "++++++.+",
    "K*6": "++++++.+",
    "K*7": "++++++.+",
    "K*8": "++++++-+",
    "C1": "+++++-.+",
    "C2": "+++++-.-",
    "C3": "++++-+.+",
    "C4": "++++--.+",
    "Ind": "-+++--.-",
    "CB": "+-----.-",
    "D": "+-+---.-",
}

_JOURNALS = {
    # append, reassert, reassert lowering, delete on write
    "C1": "++.-",
    "C2": "++.-",
    "C3": "++-+",
    "C4": "++-+",
    "Ind": "++-+",
    "CB": "--.-",
    "D": "--.-",
}

_THEORY_CONTRACTION = {
    # full meet, arbitrary maxichoice, orderly maxichoice, partial meet, severe withdrawal
    "K÷1": "+++++",
    "K÷2": "+++++",
    "K÷3": "+++++",
    "K÷4": "+++++",
    "K÷5": "++++-",
    "K÷6": "+++++",
    "K÷7": "+-+++",
    "K÷8": "+-+++",
    "factoring": "+-.+.",
    "linear hierarchy": "...-+",
    "antitony": "...-+",
}

_UPDATE = {
    # PMA, Forbus, Dalal, Satoh
    "U1": "++..",
    "U2": "++-.",
    "U3": "++..",
    "U4": "++..",
    "U5": "++..",
    "U6": "++..",
    "U7": "++..",
    "U8": "++-.",
    "U9": "-+..",
    "R2 (revision)": "--+.",
    "R3 (revision)": "--+.",
    "K*8 (revision)": "--+-",
}

TABLES: tuple[Table, ...] = (
    Table("Base contraction", "contraction", CONTRACTIONS, _CONTRACTION),
    Table("Internal base revision", "revision", _with(_internal), _REVISION),
    Table("External base revision", "revision", _with(_external), _REVISION),
    Table("Consolidation", "consolidation", _with(_consolidating), _CONSOLIDATION),
    Table("Semi-revision", "semi-revision", _with(_semi), _SEMI_REVISION),
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
        _THEORY_CONTRACTION,
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
    Table("Iterated revision", "iterated revision", ITERATED, _ITERATED),
    Table("Iterated revision by journals", "iterated journal revision", JOURNALS, _JOURNALS),
    Table(
        "Iterated revision of bases",
        "iterated base revision",
        {"revise, deleting": revise},
        {"C1": "-", "C2": "-", "C3": "+", "C4": "+", "Ind": "+", "CB": "-", "D": "-"},
    ),
    Table(
        "Update of theories",
        "theory update",
        {"PMA": pma, "Forbus": forbus, "Dalal": dalal, "Satoh": satoh},
        _UPDATE,
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
        {"U1": "+", "U2": "+", "U8": "+", "U9": "-", "R2 (revision)": "-"},
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
)

RECORDED: dict[tuple[str, str, str], str] = dict.fromkeys(
    _DIFFERENT, "0006-what-the-matrix-is-worth"
)
"""Cells (table, operator, postulate) that differ from what is published, and the decision on them."""
