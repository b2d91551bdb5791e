"""Declarations and constraints: journal entries that hold for every valid time, known from their recording on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm.errors import InconsistentConstraints, NotDecided
from agm_store.context import tokens_of
from agm_store.receipts import Receipt
from agm_store.records import EntryId
from agm_store.touches import DECLARED, tokens_of_claim

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm import Claim
    from agm.beliefs import BeliefId
    from agm_store.context import Context
    from agm_store.entries import Body


def declare(
    context: Context,
    attribute: str,
    kind_of_value: str,
    *,
    unit: str | None,
    cardinality: str,
    kind: str,
    values: Iterable[str],
) -> Receipt:
    """Record what an attribute means; see `BeliefStore.declare`."""
    with context.writing() as now:
        vocabulary = context.lexicon.learn([attribute]).declare(
            attribute,
            kind_of_value,
            unit=unit,
            cardinality=cast("Any", cardinality),
            kind=cast("Any", kind),
            values=values,
        )
        declaration = vocabulary.to_json()[attribute]
        body: Body = {
            "op": "declare",
            "predicate": attribute,
            "declaration": declaration,
            "on": [f"{attribute}{DECLARED}"],
        }
        entry = context.append(context.free_id("w"), now, body)
        return Receipt(belief=cast("BeliefId", entry.entry_id), entry=EntryId(entry.seq))


def constrain(context: Context, claim: Claim) -> Receipt:
    """Record a hard constraint; see `BeliefStore.constrain`."""
    from agm import solver
    from agm.syntax import parse
    from agm.verdicts import Inconsistent, Undecided

    with context.writing() as now:
        normal, vocabulary = context.lexicon.admit(claim)
        tokens = sorted({*tokens_of_claim(normal), *(f"{p}/*" for p in normal.symbols)})
        ruled = context.ledger(
            {t for e in context.journal.ruled(context.owner) for t in tokens_of(e)}
        )
        constraints = [context.meant(normal), *(parse(text) for _, text in ruled.constraints)]
        answer = solver.check(constraints, vocabulary=vocabulary)
        if isinstance(answer, Undecided):
            raise NotDecided(answer.reason)
        if isinstance(answer, Inconsistent):
            raise InconsistentConstraints(map(str, answer.core))
        body: Body = {"op": "constrain", "claim": str(normal), "on": tokens}
        marked = context.lexicon.marks(vocabulary)
        if marked:
            body["marks"] = marked
        entry = context.append(context.free_id("k"), now, body)
        context.lexicon.keep(vocabulary)
        return Receipt(
            belief=cast("BeliefId", entry.entry_id), entry=EntryId(entry.seq),
            not_checked=("beliefs already held are read under the constraint from now on; none was retired",),
        )  # fmt: skip
