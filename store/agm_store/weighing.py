"""Weighing a model's directives: who applies each, by its fact's confidence and that of what licensed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.asking import ENTAILMENT, Pair, said
from agm_store.proposals import Ruling
from agm_store.tiers import (
    SOLVED,
    Call,
    below_floor,
    certainty,
    decided,
    over_budget,
    own_confidence,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from agm import Claim
    from agm.directives import Fact
    from agm_store.applying import Directive
    from agm_store.context import Context
    from agm_store.ledger import Ledger, Telling
    from agm_store.proposals import Proposal
    from agm_store.statements import Utterance
    from agm_store.targeting import Aim

    class Plan(Protocol):
        """A fact with its directives."""

        @property
        def claim(self) -> Claim | None:
            """The claim of the fact, as it was admitted."""

        @property
        def fact(self) -> Fact:
            """The fact."""

        @property
        def live(self) -> Sequence[Aim]:
            """The directives that were not refused."""


WORDS = "directive"
"""The class of directives that nothing but their own words licenses."""


def class_of(found: Aim) -> str:
    """The class of verdicts by which a directive's precision is measured."""
    if found.verdict is None:
        return WORDS
    return ENTAILMENT if found.verdict.route.split(" ")[0] == ENTAILMENT else SOLVED


def weigh(context: Context, call: Call, plan: Plan) -> None:
    """Let the directives of a fact pass their tier and the precision of their class, or refuse them."""
    for found in list(plan.live):
        target = found.target
        if target is None or found.directive is None:
            continue
        new = plan.fact.text or (
            f"{found.action}, as {found.directive.reason}"
            if plan.claim is None
            else str(plan.claim)
        )
        decision = decided(
            context,
            call,
            Pair(new, said(target.body), target.entry_id),
            reason=found.directive.reason,
            confidences=_confidences(plan.fact, found),
        )
        found.check, found.decided_by = decision.check, decision.by
        if decision.why is not None:
            found.refuse(decision.code, decision.why)
        elif (why := below_floor(context, class_of(found))) is not None:
            found.refuse("below_precision", why)


def _confidences(fact: Fact, found: Aim) -> tuple[float | None, ...]:
    """The fact's confidence, and that of the verdict that licensed the directive; a proof is certain."""
    from agm_store.asking import is_confidence

    own = fact.confidence if is_confidence(fact.confidence) else None
    if fact.confidence is not None and own is None:
        own = 0.0  # no number from 0 to 1: the fact is refused for it, and nothing rests on it meanwhile
    proved = class_of(found) != ENTAILMENT
    return own, 1.0 if proved or found.verdict is None else found.verdict.confidence


def findings(plan: Plan, carried: Sequence[Aim], *, refused: bool) -> Ruling:
    """What a fact's entry says of its directives: the class, who decided at what confidence, what did not run."""
    ruling = Ruling()
    if not carried:
        return ruling
    ruling.unrun = [a.check for a in carried if a.check is not None]
    ruling.not_checked = [check.why for check in ruling.unrun]
    classes = sorted({class_of(a) for a in carried})
    ruling.fields = {"verdict": classes[0], "route": "inferred"}
    sure = certainty(c for a in carried for c in _confidences(plan.fact, a))
    if sure is not None:
        ruling.fields["certainty"] = sure
    if not refused:
        names = {a.decided_by for a in carried if a.decided_by is not None}
        ruling.fields["decided_by"] = ", ".join(sorted({*classes, *names}))
        ruling.fields["spent"] = len({t for a in carried for t in a.retires})
    return ruling


def weigh_again(context: Context, proposal: Proposal, ruling: Ruling, now: int) -> None:
    """Weigh the directives of what was held once more: by what licenses them now, tier, precision and budget."""
    from agm.directives import Fact
    from agm_store.targeting import licensed

    body = proposal.body
    call = proposal.call = proposal.call or Call(context)
    claim = None if "claim" not in body else context.meant(context.parsed(body["claim"]))
    fact = Fact(text=body.get("text", ""), claim=claim, confidence=own_confidence(call, body))
    for directive in body.get("resolves", ()):
        found = _aim(context, directive)
        if body["verdict"] != WORDS:
            licensed(context, found, fact, claim, call=call)
        if found.refusal is None:
            weigh(context, call, _Again(claim, fact, [found]))
        if found.refusal is None:
            continue
        if found.check is not None:
            ruling.unrun.append(found.check)
            ruling.not_checked.append(found.check.why)
            ruling.hold("undecided: " + found.check.why)
        else:
            ruling.hold(f"refused: {found.refusal}")
    if ruling.state == "admitted":
        why = over_budget(context, call, proposal.targets, body.get("source"), now)
        if why is not None:
            ruling.hold(why)


class _Again(NamedTuple):
    """What was held, as a fact with its directives."""

    claim: Claim | None
    fact: Fact
    live: Sequence[Aim]


def _aim(context: Context, directive: dict[str, Any]) -> Aim:
    """A recorded directive as it was aimed."""
    from agm_store.applying import Directive
    from agm_store.targeting import Aim

    found = Aim("resolves", directive["action"])
    found.directive = Directive(directive["target"], directive["action"], directive["reason"])
    found.ledger = context.ledger_of(context.telling_entry(directive["target"]))
    found.target = found.ledger.tellings.get(directive["target"])
    found.body = directive
    if found.target is None:
        found.refuse("target_retired", f"{directive['target']} is gone")
    return found


class Judged(NamedTuple):
    """What came of the directives of a line: why it is held, and what its entry says of them."""

    hold: str | None = None
    call: Call | None = None
    found: Ruling | None = None


def judge_line(
    context: Context,
    utterance: Utterance,
    asked: Sequence[tuple[Directive, Ledger, Telling]],
    resolves: Sequence[dict[str, Any]],
    *,
    call: Call,
    now: int,
) -> Judged:
    """Who applies the directives of a statement that gives its confidence: all of them, or nobody."""
    ruling = Ruling()
    by: set[str] = set()
    confidences = (utterance.body.get("confidence"), 1.0)
    for directive, _, target in asked:
        pair = Pair(said(utterance.body), said(target.body), target.entry_id)
        decision = decided(context, call, pair, reason=directive.reason, confidences=confidences)
        if decision.check is not None:
            ruling.unrun.append(decision.check)
            ruling.not_checked.append(decision.check.why)
        if decision.why is not None:
            ruling.hold(decision.why)
            break
        by.add(str(decision.by))
    retired = {t for d in resolves for t in d["tellings"]}
    if ruling.state == "admitted" and (why := below_floor(context, WORDS)) is not None:
        ruling.hold(why)
    if ruling.state == "admitted":
        why = over_budget(context, call, retired, utterance.body.get("source"), now)
        if why is not None:
            ruling.hold(why)
    ruling.fields = {"verdict": WORDS, "route": "inferred"}
    if (sure := certainty(confidences)) is not None:
        ruling.fields["certainty"] = sure
    if ruling.state == "admitted":
        ruling.fields |= {"decided_by": ", ".join(sorted({WORDS, *by})), "spent": len(retired)}
    return Judged("; ".join(ruling.why) or None, call, ruling)
