"""How far sources can be relied upon, each within its class of entrenchment; and precision by class of verdicts.

A source's reliability is a Beta posterior over "what it tells is not found to be wrong": a uniform prior,
one right and one wrong, and its statements since.  It orders sources of one class among each other
(`in_order`); it never lifts one above its class: how much a class counts is the owner's decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agm_store.bounds import beta_quantile
from agm_store.held import dismissed_by_age
from agm_store.tiers import precision

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from agm_store.beliefs import BeliefStore
    from agm_store.ledger import Ledger, Telling
    from agm_store.listings import Review
    from agm_store.records import EntryId
    from agm_store.tiers import Precision

PRIOR = (1, 1)
"""Right and wrong ones that every source begins with: every reliability is as likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """What a source told that stands or stood, and what of it was found to be wrong."""

    right: int = 0
    wrong: int = 0

    @property
    def mean(self) -> float:
        """The mean of the posterior.

        >>> Reliability(right=7, wrong=1).mean
        0.8
        """
        a, b = self._parameters
        return a / (a + b)

    @property
    def interval(self) -> tuple[float, float]:
        """The middle 95 % of the posterior."""
        a, b = self._parameters
        return beta_quantile(0.025, a, b), beta_quantile(0.975, a, b)

    @property
    def _parameters(self) -> tuple[int, int]:
        return self.right + PRIOR[0], self.wrong + PRIOR[1]


def reliability(
    store: BeliefStore, *, known: datetime | EntryId | int | None = None
) -> Mapping[str, Mapping[str, Reliability]]:
    """For each class of entrenchment its sources, the most reliable first, as known at a point (default now).

    Wrong is what was withdrawn as never true, reverted, rejected by a person or meant otherwise; right what
    was admitted and is none of these, ended by the world or not.  What waits or was dismissed by its
    age, what only remarked on something and what names no source does not count.

    Raises:
        KnownInFuture: nobody knows yet.
    """
    context = store._context  # noqa: SLF001  the same package
    _, upto = store.at(known=known).point
    entries = list(context.journal.entries(owner=context.owner, upto=upto))
    ledger = context.fold(entries)
    unjudged = dismissed_by_age(entries, ledger)
    counts: dict[str, dict[str, list[int]]] = {}
    for telling in (*ledger.tellings.values(), *ledger.reverted.values()):
        source, right = telling.body.get("source"), _is_right(ledger, telling)
        if source is not None and right is not None and telling.entry_id not in unjudged:
            row = counts.setdefault(telling.body["class"], {}).setdefault(source, [0, 0])
            row[0 if right else 1] += 1
    return {
        name: _ordered({s: Reliability(right=r, wrong=w) for s, (r, w) in rows.items()})
        for name, rows in sorted(counts.items(), key=lambda item: (-context.rank(item[0]), item[0]))
    }


def _ordered(found: dict[str, Reliability]) -> dict[str, Reliability]:
    return dict(sorted(found.items(), key=lambda item: (-item[1].mean, item[0])))


def _is_right(ledger: Ledger, telling: Telling) -> bool | None:
    """Whether a telling counts as right; None when it does not count."""
    told = telling.body
    if telling.derived or told["state"] == "noted":
        return None
    if telling.entry_id in ledger.reverted:
        return False if told["state"] == "admitted" else None
    if telling.state == "admitted":
        return telling.withdrawn is None
    return False if telling.state in ("rejected", "noted") else None


def in_order(
    reviews: Sequence[Review], found: Mapping[str, Mapping[str, Reliability]]
) -> tuple[Review, ...]:
    """Reviews with those of more reliable sources first, within each class: places of other classes stay as they are.

    What names no source, or one that nobody knows, counts as the prior.
    """
    waiting: dict[str, list[Review]] = {}
    for review in reviews:
        waiting.setdefault(review.new.entrenchment, []).append(review)
    for name, rows in waiting.items():
        known = found.get(name, {})
        rows.sort(key=lambda r: -known.get(r.source or "", Reliability()).mean)
    turns = {name: iter(rows) for name, rows in waiting.items()}
    return tuple(next(turns[review.new.entrenchment]) for review in reviews)


def precision_by_verdict(store: BeliefStore) -> Mapping[str, Precision]:
    """For each class of verdicts how its retirements turned out, as the floor of a policy counts them."""
    context = store._context  # noqa: SLF001  the same package
    bodies = (e.body for e in context.journal.entries(owner=context.owner))
    names = sorted({b["verdict"] for b in bodies if b["op"] == "tell" and "verdict" in b})
    return {name: precision(context, name) for name in names}
