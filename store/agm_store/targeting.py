"""What a model's directive aims at: resolved against the list shown and the state before the batch.

A model may retire a belief of its own list only when what it says shares the slot or contradicts it,
and never on a check that did not run.  Each refusal is a code, a path into the answer and a reason;
nothing here raises for what a model wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from agm.directives import Action, Reason, listed
from agm.errors import AgmError, InvalidDirective, NotDecided
from agm_store.applying import Directive, body_of
from agm_store.asking import Unrun
from agm_store.attempts import foreign
from agm_store.errors import NotOwner, NotTheHead, TargetRetired, UnknownBelief, shorten
from agm_store.ledger import ADMITTED
from agm_store.retiring import target_of

if TYPE_CHECKING:
    from agm import Claim, Verdict
    from agm.directives import Fact, Resolves, Shown
    from agm_store.context import Context
    from agm_store.errors import StoreError
    from agm_store.ledger import Ledger, Telling
    from agm_store.tiers import Call

_CODES = {
    UnknownBelief: "unknown_target",
    NotOwner: "not_owner",
    NotTheHead: "not_the_head",
    TargetRetired: "target_retired",
}


class Aim:
    """One directive of a fact, and what it would retire; `refusal` says why it does not."""

    __slots__ = (
        "action", "body", "check", "decided_by", "directive", "ledger", "path", "refusal", "target", "verdict",
    )  # fmt: skip

    def __init__(self, path: str, action: Action) -> None:
        self.path = path
        self.action = action
        self.directive: Directive | None = None
        self.ledger: Ledger | None = None
        self.target: Telling | None = None
        self.body: dict[str, Any] | None = None
        self.refusal: InvalidDirective | None = None
        self.verdict: Verdict | None = None
        """What licensed it; None where only its words did."""
        self.check: Unrun | None = None
        """The check that did not run."""
        self.decided_by: str | None = None

    def refuse(self, code: str, reason: str, step: str = "") -> None:
        """Note one more fault of the directive."""
        before = () if self.refusal is None else self.refusal.faults
        self.refusal = InvalidDirective([*before, (code, self.path + step, reason)])

    @property
    def retires(self) -> frozenset[str]:
        """The tellings it would retire."""
        return frozenset(self.body["tellings"]) if self.body is not None else frozenset()


def aim(context: Context, resolves: Resolves, path: str, shown: Shown) -> Aim:
    """The belief that a directive names by its place in the list, if it may be acted on."""
    found = Aim(resolves.path or path, resolves.action)
    index = resolves.session_index
    if type(index) is not int:
        reason = f"{shorten(index)}: a target is an index of the list shown"
        found.refuse("target_not_an_index", reason, ".session_index")
    elif not 0 <= index < len(shown.beliefs):
        reason = f"{shorten(index)}: {listed(len(shown.beliefs))}"
        found.refuse("index_out_of_range", reason, ".session_index")
    for word, words in ((resolves.action, Action), (resolves.reason, Reason)):
        if word not in get_args(words):
            code = "unknown_action" if words is Action else "unknown_reason"
            found.refuse(code, f"{shorten(word)}: expected {' or '.join(get_args(words))}")
    if found.refusal is None:
        belief = shown.beliefs[index]
        found.directive = Directive(belief, resolves.action, resolves.reason)
        _look_up(context, found, belief)
    return found


def _look_up(context: Context, found: Aim, belief: str) -> None:
    try:
        _, ledger, target = target_of(context, belief)
    except (UnknownBelief, NotTheHead, TargetRetired) as error:
        refusal: StoreError = error
        if isinstance(error, UnknownBelief):
            refusal = foreign(context, f"{found.action} by a directive", error)
        found.refuse(_CODES[type(refusal)], str(refusal), ".session_index")
        return
    if target.state == ADMITTED:
        found.ledger, found.target = ledger, target
    else:
        reason = str(TargetRetired(belief, target.state))
        found.refuse("target_retired", reason, ".session_index")


def licensed(context: Context, found: Aim, fact: Fact, claim: Claim | None, *, call: Call) -> None:
    """Refuse a directive that what its fact says does not license."""
    if found.target is None:
        return
    if not _asserts(fact):
        reason = f"a fact of mode {fact.mode} asserts nothing, so it changes nothing"
        found.refuse("not_an_assertion", reason)
    elif claim is not None and found.target.claim is not None:
        _weigh(found, _compared(context, context.meant(claim), found.target))
    elif context.entailment is not None and fact.text and found.action == "supersede":
        _weigh(found, _in_words(found, fact, call))
    elif claim is not None or found.action == "supersede":
        reason = (
            f"text alone cannot be compared with {shorten(found.target.entry_id)}: "
            "no check ran, so nothing is retired; give both sides a claim"
        )
        found.refuse("not_compared", reason)


def _in_words(found: Aim, fact: Fact, call: Call) -> Verdict:
    """How the fact's text stands to the target's, by the helper that compares texts."""
    from agm.verdicts import Verdict
    from agm_store.asking import Pair, said

    assert found.target is not None
    pair = Pair(fact.text, said(found.target.body), found.target.entry_id)
    answer = call.asker.compare(pair)
    if isinstance(answer, Unrun):
        found.check = answer
        return Verdict("undecided", "none", reason=answer.why)
    return answer


def carry_out(found: Aim, at: int) -> None:
    """Work out what a directive retires when it takes effect at a time."""
    if found.target is None or found.ledger is None or found.directive is None:
        return
    try:
        found.body = body_of(found.directive, found.ledger, found.target, at)
    except (NotTheHead, TargetRetired) as error:
        found.refuse(_CODES[type(error)], str(error))


def _asserts(fact: Fact) -> bool:
    from datetime import datetime

    bounded = isinstance(fact.valid_from, datetime) and fact.valid_to is not None
    return fact.mode == "assertion" or (fact.mode == "historical" and bounded)


def _compared(context: Context, claim: Claim, target: Telling) -> Verdict:
    """How the fact's claim stands to the target's, under the owner's constraints."""
    from agm.claims import slot_literal
    from agm.syntax import parse
    from agm.verdicts import Verdict, compare_claims
    from agm_store.context import tokens_of

    old = parse(target.claim or "")
    mine, theirs = slot_literal(claim), slot_literal(old)
    if mine is not None and theirs is not None and mine[0] == theirs[0]:
        return Verdict("paraphrase" if claim is old else "contradiction", "slot")
    ruled = context.journal.ruled(context.owner)
    ledger = context.ledger({t for e in ruled for t in tokens_of(e)})
    constraints = [parse(text) for _, text in ledger.constraints]
    vocabulary = context.lexicon.learn(sorted(claim.symbols | old.symbols))
    try:
        return compare_claims(claim, old, constraints=constraints, vocabulary=vocabulary)
    except NotDecided as error:
        return Verdict("undecided", "none", reason=error.reason)
    except AgmError as error:
        return Verdict("undecided", "none", reason=str(error))


def _weigh(found: Aim, verdict: Verdict) -> None:
    assert found.target is not None
    found.verdict = verdict
    target = shorten(found.target.claim or found.target.body.get("text"))
    if verdict.kind == "paraphrase":
        found.refuse("same_value", f"it says the same as its target {target}: nothing to change")
    elif verdict.kind == "undecided":
        found.check = found.check or Unrun(
            "solver", "undecided", found.target.entry_id, verdict.reason
        )
        found.refuse("not_decided", f"the check against {target} did not run: {verdict.reason}")
    elif verdict.kind != "contradiction":
        reason = f"it does not contradict its target {target} ({verdict.kind})"
        found.refuse("unrelated_target", f"{reason}: both can hold, so nothing is retired")
