"""Iterated revision: operators on total preorders of the worlds of a small signature.

Every operator is `(preorder, claim) -> preorder`; what is believed is `preorder.theory`. The claim
may be a set of worlds, given as an integer. `OPERATORS` has them by name:

| name | file | source |
|---|---|---|
| natural | `natural` | Boutilier 1993 |
| lexicographic | `lexicographic` | Nayak 1994 |
| restrained | `restrained` | Booth and Meyer 2006 |
| bullet | `bullet` | Darwiche and Pearl 1997 |
| Spohn | `conditionalisation` | Spohn 1988 |
| Dalal, Satoh, amnesic | `rebuilt` | Dalal 1988, Satoh 1988, full meet |

Read `preorder` first, then any of these. `in_turn` takes in several claims. `journal` says the same
of lists of what was told: its operators are `(journal, claim) -> journal`, and a journal has a
`theory` as a preorder has, so the same postulates are asked of both. The other two protocols are
`(theory, claim) -> theory` in `agm.theories` and `(profile, constraint) -> theory` in
`agm.merging`.

A contradiction raises ImpossibleClaim, since no preorder believes it; a tautology is believed
already. At most 12 simple claims (`SignatureTooLarge`); beyond that a `BeliefBase` told with its
times, and `agm.consolidate`, give lexicographic revision without listing worlds.
"""

from __future__ import annotations

from agm.iterated.bullet import bullet
from agm.iterated.conditionalisation import conditionalise
from agm.iterated.journal import Journal, append, delete_on_write, reassert, reassert_lowering
from agm.iterated.lexicographic import lexicographic
from agm.iterated.natural import natural
from agm.iterated.preorder import InvalidPreorder, Preorder, all_preorders
from agm.iterated.rebuilt import amnesic, by_distance, dalal_rebuilt, forgetful, satoh_rebuilt
from agm.iterated.restrained import restrained
from agm.iterated.steps import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from agm.signature import Input

    IteratedOperator: TypeAlias = Callable[[Preorder, Input], Preorder]
    JournalOperator: TypeAlias = Callable[[Journal, Input], Journal]

__all__ = [
    "JOURNALS",
    "OPERATORS",
    "InvalidPreorder",
    "Journal",
    "Preorder",
    "all_preorders",
    "amnesic",
    "append",
    "bullet",
    "by_distance",
    "conditionalise",
    "dalal_rebuilt",
    "delete_on_write",
    "forgetful",
    "in_turn",
    "lexicographic",
    "natural",
    "reassert",
    "reassert_lowering",
    "restrained",
    "satoh_rebuilt",
]

OPERATORS: Mapping[str, IteratedOperator] = {
    "natural": natural,
    "lexicographic": lexicographic,
    "restrained": restrained,
    "bullet": bullet,
    "Spohn": conditionalise,
    "Dalal": dalal_rebuilt,
    "Satoh": satoh_rebuilt,
    "amnesic": amnesic,
}
"""Operators on preorders by name; `bullet` and `Spohn` with firmness 1."""

JOURNALS: Mapping[str, JournalOperator] = {
    "append": append,
    "reassert": reassert,
    "reassert lowering": reassert_lowering,
    "delete on write": delete_on_write,
}
"""Ways of writing a journal by name, all entries of rank 1 unless a rank is given."""
