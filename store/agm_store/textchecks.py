"""The checks of a newcomer's words: how its text stands to what it may conflict with, by the `Entailment` helper.

Two structured claims are never asked about: what they say, the solver reads.  A contradiction passes the
gates (``textclashes``); a paraphrase makes the newcomer one more telling of the same belief; a refinement
is linked.  When any check did not run, the newcomer is held whole and nothing else is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import AgmError
from agm_store.asking import Pair, Unrun, said
from agm_store.entries import FOREVER
from agm_store.textclashes import Clash, Met, overlap, rule_on_clashes
from agm_store.tiers import JUDGED, Call, own_confidence, tier

if TYPE_CHECKING:
    from agm import Verdict
    from agm_store.context import Context
    from agm_store.entries import Body
    from agm_store.ledger import Ledger
    from agm_store.proposals import Proposal, Ruling


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
    verdicts = [(met, v) for met, v in answers if not isinstance(v, Unrun)]
    ruling.checked += [(met.entry.entry_id, v, v.route) for met, v in verdicts]
    lost += [v for _, v in answers if isinstance(v, Unrun)]
    clashes = [Clash(met, v) for met, v in verdicts if v.kind == "contradiction"]
    if lost:
        _undecided(ruling, lost)
        if clashes:  # it touches them, so that it is looked at again with them
            ruling.fields["contradicts"] = sorted(c.met.entry.entry_id for c in clashes)
    elif clashes:
        rule_on_clashes(context, call, proposal, ruling, clashes, now=now)
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
) -> tuple[list[Met], list[Unrun]]:
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
        if telling is None or not telling.live:
            continue
        if overlap(ledger.interval(telling), (proposal.start, proposal.end)):
            found.append(Met(entry, ledger, telling))
    return found, list(near.unrun)


def _call(context: Context, proposal: Proposal) -> Call:
    """The call that a newcomer is part of; one of its own when it is told alone."""
    if proposal.call is None:
        proposal.call = Call(context)
    return proposal.call


def _compared(call: Call, proposal: Proposal, met: Met) -> Verdict | Unrun:
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


def _links(proposal: Proposal, ruling: Ruling, verdicts: list[tuple[Met, Verdict]]) -> None:
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
