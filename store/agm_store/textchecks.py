"""The checks of a newcomer's words: how its text stands to what it may conflict with, by the `Entailment` helper.

Two structured claims are never asked about: what they say, the solver reads.  A contradiction passes the
gates in order (entrenchment, confidence, precision, budget) and is then written as a directive of the
newcomer's own entry; a paraphrase makes the newcomer one more telling of the same belief; a refinement
is linked.  When any check did not run, the newcomer is held whole and nothing else is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm.errors import AgmError
from agm_store.asking import Pair, Unrun, said
from agm_store.entries import FOREVER, moment
from agm_store.tiers import (
    JUDGED,
    Call,
    below_floor,
    certainty,
    decided,
    over_budget,
    own_confidence,
    tier,
)
from agm_store.touches import split_token

if TYPE_CHECKING:
    from agm import Verdict
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.proposals import Proposal, Ruling

CLASS = "entailment"
"""The class of verdicts under which the precision of what is retired here is measured."""


class _Met(NamedTuple):
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
            if t.admitted and not t.withdrawn and _overlap(self.ledger.interval(t), (low, high))
        )
        return max((t.rank for t in same), default=self.telling.rank)


class _Clash(NamedTuple):
    """A candidate that was found to contradict the newcomer, and by which verdict."""

    met: _Met
    verdict: Verdict


def check_texts(context: Context, proposal: Proposal, ruling: Ruling, now: int) -> None:
    """Rule on a newcomer by how its text stands to the texts and claims near it."""
    if _not_asked(context, proposal, ruling):
        return
    call = _call(context, proposal)
    try:
        found, lost = _met(context, proposal, ruling, call)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RuntimeError) as e:
        _undecided(ruling, [Unrun("candidates", "raised", None, type(e).__name__)])
        return
    except AgmError as error:
        _undecided(ruling, [Unrun("candidates", "raised", None, str(error))])
        return
    answers = [(met, _compared(call, proposal, met)) for met in found]
    ruling.checked += [
        (met.entry.entry_id, v, v.route) for met, v in answers if not isinstance(v, Unrun)
    ]
    lost += [v for _, v in answers if isinstance(v, Unrun)]
    if lost:
        _undecided(ruling, lost)
        against = sorted(
            met.entry.entry_id
            for met, v in answers
            if not isinstance(v, Unrun) and v.kind == "contradiction"
        )
        if against:
            ruling.fields["contradicts"] = (
                against  # so that it touches them when it is looked at again
            )
    verdicts = [(met, v) for met, v in answers if not isinstance(v, Unrun)]
    if lost:
        _links(proposal, ruling, verdicts)
        return
    clashes = [_Clash(met, v) for met, v in verdicts if v.kind == "contradiction"]
    if clashes:
        _clashes(context, proposal, ruling, clashes, now)
    _links(proposal, ruling, verdicts)


def ask_before(context: Context, call: Call, body: Body) -> None:
    """Ask what a telling's check of words will want to know, before a write begins that others would wait for.

    What goes wrong here goes wrong there again, and is said there.
    """
    from agm_store.candidates import candidates

    if body["mode"] != "assertion" or body["class"] == "untrusted":
        return
    tokens = body.get("on") or ([body["slot"]] if "slot" in body else [])
    try:
        near = candidates(
            context, body["text"], tokens, over=_interval(context, body), asker=call.asker
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RuntimeError):
        return
    except AgmError:
        return
    for entry in near.entries:
        if "claim" in body and "claim" in entry.body:
            continue
        pair = Pair(said(body), said(entry.body), entry.entry_id)
        answer = call.asker.compare(pair)
        if isinstance(answer, Unrun) or answer.kind != "contradiction":
            continue
        confidences = own_confidence(call, body), answer.confidence
        if tier(context.policy, confidences) == JUDGED and context.judge is not None:
            call.asker.judge(pair, "temporal_change")


def _interval(context: Context, body: Body) -> tuple[int, int]:
    """Where a telling will be in force, as far as it says so itself."""
    return body.get("from", context.now()), body.get("to", FOREVER)


def _not_asked(context: Context, proposal: Proposal, ruling: Ruling) -> bool:
    """Whether nothing is asked about a newcomer, and why."""
    text, alone = proposal.body.get("text"), "claim" not in proposal.body
    if text is None or (context.entailment is None and not alone):
        return True
    if context.entailment is None:
        why = "no structured claim: a text alone is not checked for conflicts"
    elif proposal.decided:
        why = "a person decided: its text was not compared"
    elif proposal.by_owner:
        why = "the owner's own verb names its target: other texts were not compared"
    elif proposal.held or ruling.state != "admitted":
        why = "it is held, so its text was not compared"
    else:
        return False
    ruling.not_checked.append(why)
    return True


def _met(
    context: Context, proposal: Proposal, ruling: Ruling, call: Call
) -> tuple[list[_Met], list[Unrun]]:
    """The candidates that overlap a newcomer and of which at least one side has no structured claim.

    Beside them the ways of looking that failed, so that nobody knows what else there is.
    """
    from agm_store.candidates import candidates
    from agm_store.context import tokens_of

    over = proposal.start, proposal.end
    near = candidates(context, proposal.body["text"], proposal.tokens, over=over, asker=call.asker)
    if near.dropped:
        ruling.not_checked.append("words not searched for: " + ", ".join(near.dropped))
    if near.not_indexed:
        ruling.not_checked.append(f"{near.not_indexed} entries are not indexed yet")
    ruling.not_checked += near.not_checked
    alone = "claim" not in proposal.body
    ledgers: dict[tuple[str, ...], Ledger] = {}
    found = []
    for entry in near.entries:
        if entry.entry_id in proposal.targets or not (alone or "claim" not in entry.body):
            continue
        tokens = tuple(tokens_of(entry))
        if tokens not in ledgers:
            ledgers[tokens] = context.ledger(tokens)
        ledger = ledgers[tokens]
        telling = ledger.tellings.get(entry.entry_id)
        if telling is None or not telling.admitted or telling.withdrawn:
            continue
        if _overlap(ledger.interval(telling), (proposal.start, proposal.end)):
            found.append(_Met(entry, ledger, telling))
    return found, list(near.unrun)


def _call(context: Context, proposal: Proposal) -> Call:
    """The call that a newcomer is part of; one of its own when it is told alone."""
    if proposal.call is None:
        proposal.call = Call(context)
    return proposal.call


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])


def _compared(call: Call, proposal: Proposal, met: _Met) -> Verdict | Unrun:
    from agm.verdicts import Verdict

    body = met.entry.body
    if (
        "claim" not in body
        and "claim" not in proposal.body
        and body["text"] == proposal.body["text"]
    ):
        return Verdict("paraphrase", "same text")
    return call.asker.compare(Pair(said(proposal.body), said(body), met.entry.entry_id))


def _undecided(ruling: Ruling, lost: list[Unrun]) -> None:
    """Hold a newcomer of which checks did not run."""
    ruling.retired.clear()
    ruling.contested_with.clear()
    for check in lost:
        ruling.not_checked.append(check.why)
    more = f", and {len(lost) - 1} more" if len(lost) > 1 else ""
    ruling.hold(f"undecided: {lost[0].why}{more}")
    ruling.unrun += lost


# ---- what contradicts a newcomer


def _clashes(
    context: Context,
    proposal: Proposal,
    ruling: Ruling,
    clashes: list[_Clash],
    now: int,
) -> None:
    """Let a newcomer and what contradicts it pass the gates; either all that it does is applied, or it is held."""
    call = _call(context, proposal)
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
        _bounded(context, proposal, ruling, retired, now)
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
    context: Context, proposal: Proposal, ruling: Ruling, clashes: list[_Clash]
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


def _ends_newcomer(proposal: Proposal, clash: _Clash) -> bool:
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
    proposal: Proposal, ruling: Ruling, later: list[_Clash], fields: dict[str, Any]
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


def _confidences(call: Call, proposal: Proposal, clash: _Clash) -> tuple[float | None, ...]:
    """The fact's confidence and the verdict's; what the owner says by hand is certain."""
    return own_confidence(call, proposal.body), clash.verdict.confidence


def _decision(
    context: Context, call: Call, proposal: Proposal, ruling: Ruling, clash: _Clash
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
    proposal: Proposal, ruling: Ruling, losing: list[_Clash], by: list[str | None]
) -> list[dict[str, Any]]:
    """What becomes of those that a newcomer overtakes: ended where it starts, if it is open and starts later."""
    from agm_store.directing import change_of

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
    proposal: Proposal,
    ruling: Ruling,
    retired: set[str],
    now: int,
) -> None:
    """Hold a newcomer whose class of verdicts was not right often enough, or that is over its budget."""
    if ruling.state == "admitted" and (why := below_floor(context, CLASS)) is not None:
        ruling.hold(why)
    if ruling.state != "admitted":
        return
    why = over_budget(context, _call(context, proposal), retired, proposal.body.get("source"), now)
    if why is not None:
        ruling.hold(why)


def _carry_out(ruling: Ruling, directives: list[dict[str, Any]], losing: list[_Clash]) -> None:
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


# ---- what says the same, or more


def _links(proposal: Proposal, ruling: Ruling, verdicts: list[tuple[_Met, Verdict]]) -> None:
    """Note which beliefs a newcomer restates, and which it refines or is refined by."""
    if proposal.bare:
        return
    alone = "claim" not in proposal.body
    same = [met for met, v in verdicts if v.kind == "paraphrase"]
    texts = [met for met in same if alone and "claim" not in met.entry.body]
    if texts and ruling.state in ("admitted", "held"):
        best = max(texts, key=lambda met: (met.telling.rank, -met.telling.seq))
        ruling.fields["restates"] = best.telling.identity.removeprefix("#")
    said_apart = sorted(met.entry.entry_id for met in same if alone == ("claim" in met.entry.body))
    if said_apart and ruling.state in ("admitted", "held"):
        ruling.fields["attests"] = said_apart
    for met in same:
        ruling.notices.append(f"it says the same as {met.entry.entry_id}: one more attestation")
    for field, side in (("refines", "new"), ("refined_by", "old")):
        found = sorted(
            met.entry.entry_id
            for met, v in verdicts
            if v.kind == "refinement" and v.direction == side
        )
        if found:
            ruling.fields[field] = found
            word = "more specific than" if side == "new" else "less specific than"
            ruling.notices.append(f"it is {word} {', '.join(found)}: both stand")
