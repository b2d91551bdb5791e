"""What becomes of a newcomer and of what its words contradict.

`rule_on_clashes` lets them pass the gates in order (entrenchment, confidence, precision, budget): either all
that the newcomer does is written as directives of its own entry, or it is held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm.errors import AgmError
from agm_store.asking import Pair, said
from agm_store.entries import FOREVER, moment
from agm_store.tiers import below_floor, certainty, decided, over_budget, own_confidence
from agm_store.touches import split_token

if TYPE_CHECKING:
    from agm import Verdict
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.proposals import Proposal, Ruling
    from agm_store.tiers import Call

CLASS = "entailment"
"""The class of verdicts under which the precision of what is retired here is measured."""


class Met(NamedTuple):
    """A candidate: its entry, and what became of it so far."""

    entry: Entry
    ledger: Ledger
    telling: Telling

    @property
    def rank(self) -> int:
        """Its rank by its strongest telling in force, for any of them would be retired with it."""
        low, high = self.ledger.interval(self.telling)
        same = (
            t
            for t in self.ledger.claims[self.telling.identity]
            if t.live and overlap(self.ledger.interval(t), (low, high))
        )
        return max((t.rank for t in same), default=self.telling.rank)


class Clash(NamedTuple):
    """A candidate that was found to contradict the newcomer, and by which verdict."""

    met: Met
    verdict: Verdict


def rule_on_clashes(
    context: Context,
    call: Call,
    proposal: Proposal,
    ruling: Ruling,
    clashes: list[Clash],
    *,
    now: int,
) -> None:
    """Let a newcomer and what contradicts it pass the gates; either all that it does is applied, or it is held."""
    stronger = [c for c in clashes if c.met.rank > proposal.rank]
    others = [c for c in clashes if c.met.rank <= proposal.rank]
    _for_a_person(context, proposal, ruling, clashes)
    for clash in stronger:
        ruling.notices.append(f"outranked by {clash.met.entry.entry_id} while that is in force")
    later = [c for c in others if _ends_newcomer(proposal, c)]
    losing = [c for c in others if c not in later]
    by = [_decision(context, call, proposal, ruling, clash) for clash in losing]
    directives = _directives(proposal, ruling, losing, by)
    retired = {t for d in directives for t in d["tellings"]}
    retired |= {c.met.entry.entry_id for c in losing}
    if losing:
        _bounded(context, call, proposal, ruling, retired, now=now)
    sure = certainty(c for clash in losing for c in _confidences(call, proposal, clash))
    fields: dict[str, Any] = {"contradicts": sorted(c.met.entry.entry_id for c in clashes)}
    if losing:
        fields |= {"verdict": CLASS, "route": "inferred"}
        names = sorted({d for d in by if d is not None})
        if ruling.state == "admitted":
            fields |= {"decided_by": ", ".join([CLASS, *names]), "spent": len(retired)}
        if sure is not None:
            fields["certainty"] = sure
    if later and ruling.state == "admitted":
        _end_newcomer(proposal, ruling, later, fields)
    _carry_out(ruling, directives, losing)
    ruling.fields |= fields


def _for_a_person(
    context: Context, proposal: Proposal, ruling: Ruling, clashes: list[Clash]
) -> None:
    """Hold a rival of core, of an immutable, and of a claim whose slot is declared; and what no entry could carry."""
    ids = [c.met.entry.entry_id for c in clashes if c.met.telling.body["class"] == "core"]
    if ids and proposal.body["class"] != "core":
        ruling.hold("rival of core: " + ", ".join(sorted(ids)))
    for clash in clashes:
        slot = clash.met.telling.slot or proposal.body.get("slot")
        if slot is None or clash.met.rank > proposal.rank:
            continue
        predicate = split_token(slot)[0]
        declared = context.lexicon.learn([predicate]).get(predicate)
        if declared is None or not declared.declared:
            continue
        what = "an immutable" if declared.kind == "immutable" else "a declared slot"
        ruling.hold(
            f"rival of {what}: {clash.met.entry.entry_id} and this are compared by words alone, "
            f"and {slot} is decided by claims"
        )
    if proposal.bare:
        ids = sorted(c.met.entry.entry_id for c in clashes)
        ruling.hold("it contradicts " + ", ".join(ids))


def _ends_newcomer(proposal: Proposal, clash: Clash) -> bool:
    """Whether both times are known and the older belief, of the newcomer's rank, starts after it."""
    telling = clash.met.telling
    return (
        clash.met.rank == proposal.rank
        and _dated(proposal.body)
        and not telling.undated
        and not telling.derived
        and telling.told_end == FOREVER
        and telling.start > proposal.start
    )


def _dated(body: dict[str, Any]) -> bool:
    return "from" in body or "inherits" in body


def _end_newcomer(
    proposal: Proposal, ruling: Ruling, later: list[Clash], fields: dict[str, Any]
) -> None:
    """End a newcomer that was dated before what contradicts it where the first of that starts."""
    first = min(later, key=lambda c: (c.met.telling.start, c.met.telling.seq))
    start = first.met.telling.start
    if start < proposal.end:
        fields["until"] = start
        fields.setdefault("route", "deterministic")
        ruling.notices.append(
            f"it ends at {moment(start).isoformat()}, where {first.met.entry.entry_id} starts"
        )


def _confidences(call: Call, proposal: Proposal, clash: Clash) -> tuple[float | None, ...]:
    """The fact's confidence and the verdict's; what the owner says by hand is certain."""
    return own_confidence(call, proposal.body), clash.verdict.confidence


def _decision(
    context: Context, call: Call, proposal: Proposal, ruling: Ruling, clash: Clash
) -> str | None:
    """Who applies what a contradiction does to an older belief; the newcomer is held when nobody does."""
    if ruling.state != "admitted":
        return None
    entry = clash.met.entry
    found = decided(
        context,
        call,
        Pair(said(proposal.body), said(entry.body), entry.entry_id),
        reason="temporal_change",
        confidences=_confidences(call, proposal, clash),
    )
    if found.why is not None:
        ruling.hold(found.why)
    if found.check is not None:
        ruling.unrun.append(found.check)
        ruling.not_checked.append(found.check.why)
    return found.by


def _directives(
    proposal: Proposal, ruling: Ruling, losing: list[Clash], by: list[str | None]
) -> list[dict[str, Any]]:
    """What becomes of those that a newcomer overtakes: ended where it starts, if it is open and starts later."""
    from agm_store.retiring import change_of

    found: list[dict[str, Any]] = []
    for clash, name in zip(losing, by, strict=True):
        telling = clash.met.telling
        open_ended = proposal.end == FOREVER and "because" not in proposal.body
        if not open_ended or proposal.body.get("undated"):
            ruling.notices.append(
                f"it and {telling.entry_id} contradict each other while both hold"
            )
        elif telling.undated or telling.start < proposal.start:
            try:
                directive = change_of(clash.met.ledger, telling, proposal.start)
            except AgmError as error:
                ruling.hold(f"{telling.entry_id} cannot be ended: {error}")
                continue
            found.append({**directive, "by": name or CLASS})
        elif telling.start == proposal.start and not (telling.defaulted and proposal.defaulted):
            ruling.contested_with.append(telling)
    return found


def _bounded(
    context: Context,
    call: Call,
    proposal: Proposal,
    ruling: Ruling,
    retired: set[str],
    *,
    now: int,
) -> None:
    """Hold a newcomer whose class of verdicts was not right often enough, or that is over its budget."""
    if ruling.state == "admitted" and (why := below_floor(context, CLASS)) is not None:
        ruling.hold(why)
    if ruling.state != "admitted":
        return
    why = over_budget(context, call, retired, proposal.body.get("source"), now)
    if why is not None:
        ruling.hold(why)


def _carry_out(ruling: Ruling, directives: list[dict[str, Any]], losing: list[Clash]) -> None:
    """Write the directives into the newcomer's entry: in force when it is admitted, for a person when it is held."""
    ruling.resolves += directives
    if ruling.state != "admitted":
        ruling.retired.clear()
        ruling.contested_with.clear()
        return
    ended = {t for d in directives for t in d["tellings"]}
    for clash in losing:
        for telling in clash.met.ledger.claims[clash.met.telling.identity]:
            if telling.entry_id in ended and telling not in ruling.retired:
                ruling.retired.append(telling)
                ruling.kernels[telling.entry_id] = ()


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two stretches of valid time share a moment."""
    return max(one[0], other[0]) < min(one[1], other[1])
