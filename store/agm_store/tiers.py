"""Who applies what a machine found: the policy, the judge or a person, by confidence, precision and budget.

`decided` looks at one pair that was found to contradict each other; `Call` counts what one call retires.
Everything here says why it does not apply something, and never more than that: only what passes all
of it retires a belief.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm_store.asking import Asker, Pair, Unrun, said
from agm_store.entries import moment
from agm_store.held import EXPIRED
from agm_store.undoing import voided

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agm.directives import Reason
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger
    from agm_store.policy import Policy
    from agm_store.proposals import Proposal, Ruling

AUTO, JUDGED, PERSON = "auto", "judge", "person"
MEASURED = 20
"""Retirements of a class that must be measured before its precision counts."""
LOOKED_AT = 500
"""The latest retirements of a class by which it is measured."""
BY = "@by "
"""Before a class of verdicts: the mark of the tellings that retire by it."""
SPENT = "@spent "
"""Before a source: the mark of the tellings by which it retires."""
SOLVED = "solver"
"""The class of what a proof or a slot decided."""


class Call:
    """One call of a verb: what was asked in it, and what it retires by machine."""

    __slots__ = ("asker", "limit", "machine", "retired")

    def __init__(
        self, context: Context, *, machine: bool = False, asker: Asker | None = None
    ) -> None:
        self.asker = Asker(context) if asker is None else asker
        self.machine = machine
        """Whether the facts come through a model, so that a missing confidence is for the judge."""
        self.retired: set[str] = set()
        self.limit: int | None = None
        """What this call may retire, where that is less than the policy allows."""


def through_model(call: Call, body: Body) -> bool:
    """Whether a fact comes through a model; one that waited for a check says so itself."""
    return "machine" in body if "unrun" in body else call.machine


def own_confidence(call: Call, body: Body) -> float | None:
    """The confidence of a fact: as given; what no model said is certain."""
    missing = None if through_model(call, body) else 1.0
    found: float | None = body.get("confidence", missing)
    return found


class Decision(NamedTuple):
    """Who applies a change, or why nobody does; `check` is what did not run."""

    by: str | None
    why: str | None = None
    code: str = ""
    check: Unrun | None = None


def tier(policy: Policy, confidences: Iterable[float | None]) -> str:
    """Who may apply a change of these confidences: the least counts, and one that is missing is the judge's."""
    given = list(confidences)
    least = min((c for c in given if c is not None), default=None)
    if least is not None and not least >= policy.judge:
        return PERSON
    return AUTO if least is not None and None not in given and least >= policy.auto else JUDGED


def certainty(confidences: Iterable[float | None]) -> float | None:
    """The confidence of a change: the least of its parts, None where one is missing."""
    given = list(confidences)
    known = [c for c in given if c is not None]
    return min(known) if known and len(known) == len(given) else None


def decided(
    context: Context,
    call: Call,
    pair: Pair,
    *,
    reason: Reason,
    confidences: tuple[float | None, ...],
) -> Decision:
    """Who applies a change whose sides contradict each other."""
    word = tier(context.policy, confidences)
    if word == AUTO:
        return Decision("policy")
    sure = certainty(confidences)
    how = "no confidence was given" if sure is None else f"its confidence is {sure:g}"
    if word == PERSON:
        low = min(c for c in confidences if c is not None)
        why = f"below its tier: its confidence is {low:g}, and below {context.policy.judge:g} a person decides"
        return Decision(None, why, "below_tier")
    if context.judge is None:
        why = f"below its tier: {how}, which a judge would decide, and there is none"
        return Decision(None, why, "below_tier")
    answer = call.asker.judge(pair, reason)
    if isinstance(answer, Unrun):
        return Decision(None, f"undecided: {answer.why}", "not_decided", answer)
    if answer.kind != "contradiction":
        why = f"the judge found no contradiction with {pair.belief}: {answer.kind}"
        return Decision(None, why, "not_confirmed")
    if answer.confidence is not None and not answer.confidence >= context.policy.judge:
        why = f"below its tier: the judge is sure of it by {answer.confidence:g} only"
        return Decision(None, why, "below_tier")
    return Decision("judge")


def over_budget(
    context: Context, call: Call, retired: Iterable[str], source: str | None, now: int
) -> str | None:
    """Why some tellings are too many to retire by machine, in this call or by this source; else they are counted."""
    policy = context.policy
    fresh = set(retired) - call.retired
    count = len(call.retired) + len(fresh)
    most = policy.retirements if call.limit is None else min(policy.retirements, call.limit)
    if count > most:
        return (
            f"over budget: the call would retire {count} beliefs, "
            f"at most {most} go without a person"
        )
    spent = 0 if source is None else _spent(context, source, now)
    if spent + len(fresh) > policy.source_retirements:
        return (
            f"over budget: {source!r} would have retired {spent + len(fresh)} beliefs since "
            f"{moment(_since(policy, now)).isoformat()}, at most {policy.source_retirements} go without a person"
        )
    call.retired |= fresh
    return None


def _since(policy: Policy, now: int) -> int:
    from datetime import timedelta

    return now - policy.source_window // timedelta(microseconds=1)


def _spent(context: Context, source: str, now: int) -> int:
    """How many tellings a source has retired by machine within the window of recorded time."""
    since = _since(context.policy, now)
    entries = context.journal.touching(context.owner, [SPENT + source])
    void = voided(entries)
    made = (e for e in entries if e.recorded_at > since and not _taken_back(e, void))
    return sum(
        e.body.get("spent", 0)
        for e in made
        if e.body["op"] in ("tell", "decide") and e.body["state"] == "admitted"
    )


def _taken_back(entry: Entry, void: set[int]) -> bool:
    """Whether a decision of the machine was undone; what a statement retired counts for good."""
    return entry.body["op"] == "decide" and entry.seq in void


class Precision(NamedTuple):
    """How many retirements of a class of verdicts stayed, and how many were undone or dismissed."""

    right: int
    wrong: int

    @property
    def share(self) -> float | None:
        """The share of those that stayed; None when nothing was measured."""
        return self.right / self.count if self.count else None

    @property
    def count(self) -> int:  # type: ignore[override]  # the word of the domain; nobody looks for a number in it
        """How many were measured."""
        return self.right + self.wrong

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, by Clopper and Pearson."""
        from agm_store.bounds import both

        return both(self.right, self.count)


def below_floor(context: Context, verdict: str) -> str | None:
    """Why a class of verdicts was not right often enough, or not measured often enough; None when it may be applied."""
    floor = context.policy.precision
    if floor is None:
        return None
    found = precision(context, verdict)
    count = found.right + found.wrong
    if count < MEASURED:
        return (
            f"below precision: {count} retirements by {verdict} are measured, "
            f"at least {MEASURED} must be before it is applied"
        )
    share = found.share or 0.0
    if share < floor:
        return (
            f"below precision: {found.right} of {count} retirements by {verdict} were right, "
            f"which is less than {floor:g}"
        )
    return None


def precision(context: Context, verdict: str) -> Precision:
    """The measured precision of a class: applied or approved is right, undone, withdrawn or dismissed wrong.

    What waits, and what was dismissed by its age, nobody judged: it does not count.
    """
    entries = context.journal.touching(context.owner, [BY + verdict])
    void = voided(entries)
    told = [e for e in entries if e.body["op"] == "tell"][-LOOKED_AT:]
    words = [_outcome(context, e, undone=e.seq in void) for e in told]
    return Precision(words.count(True), words.count(False))


def _outcome(context: Context, entry: Entry, *, undone: bool) -> bool | None:
    """The same, with what the journal has on it."""
    if undone:
        return False
    return outcome(entry, context.ledger_of(entry), undone=False, made=_decision(context, entry))


def outcome(entry: Entry, ledger: Ledger, *, undone: bool, made: Body | None) -> bool | None:
    """Whether the retirement that a statement asked for was right, by what became of it and was decided of it.

    None as long as nobody said: it waits, or was dismissed by its age.
    """
    if undone:
        return False
    if made is not None and made["option"] == EXPIRED:
        return None
    telling = ledger.tellings[entry.entry_id]
    if telling.state == "held":
        return None
    if telling.state != "admitted" or telling.withdrawn == "retracted":
        return False
    if entry.body["state"] == "admitted":
        return True
    return made is not None and bool(made.get("resolves") or "resolves" not in entry.body)


def _decision(context: Context, entry: Entry) -> Body | None:
    """The last decision on a telling that stands; None where nobody decided, or none was needed."""
    from agm_store.context import tokens_of

    if entry.body["state"] == "admitted":
        return None
    entries = context.journal.touching(context.owner, tokens_of(entry))
    void = voided(entries)
    made = [
        e.body
        for e in entries
        if e.body["op"] == "decide" and e.body["belief"] == entry.entry_id and e.seq not in void
    ]
    return made[-1] if made else None


def marks_of(body: Body) -> list[str]:
    """The marks by which the retirements of a class and of a source are found."""
    by = [BY + body["verdict"]]
    return [*by, SPENT + body["source"]] if "source" in body else by


def bounded(context: Context, call: Call, proposal: Proposal, ruling: Ruling, now: int) -> None:
    """Hold what comes through a model and would put others out by itself, unless it passes its tier and budgets."""
    losing = [
        t for t in (*ruling.retired, *ruling.contested_with) if t.entry_id not in proposal.targets
    ]
    if not losing or proposal.held or proposal.decided or not through_model(call, proposal.body):
        return
    confidences = (proposal.body.get("confidence"), 1.0)
    by = set()
    for telling in losing:
        pair = Pair(said(proposal.body), said(telling.body), telling.entry_id)
        found = decided(context, call, pair, reason="temporal_change", confidences=confidences)
        if found.check is not None:
            ruling.unrun.append(found.check)
            ruling.not_checked.append(found.check.why)
        if found.why is not None:
            ruling.hold(found.why)
            break
        by.add(str(found.by))
    ids = [t.entry_id for t in losing]
    why = below_floor(context, SOLVED) if ruling.state == "admitted" else None
    if why is None and ruling.state == "admitted":
        why = over_budget(context, call, ids, proposal.body.get("source"), now)
    if why is not None:
        ruling.hold(why)
    ruling.fields |= {"verdict": SOLVED, "route": "inferred"}
    if (sure := certainty(confidences)) is not None:
        ruling.fields["certainty"] = sure
    if ruling.state == "admitted":
        ruling.fields |= {"decided_by": ", ".join(sorted(by)), "spent": len(ids)}
    else:
        ruling.retired.clear()
        ruling.contested_with.clear()
