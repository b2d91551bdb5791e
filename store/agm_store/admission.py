"""The one activation hook: every path by which a telling may come into force passes `admit`.

In order: sources that are no evidence, modes that assert nothing, the verdicts against what is in
force, the gates of entrenchment, re-statement of a retired value; for what comes through a model its
confidence and budgets; then what its words say, where something compares texts.  A check that did not
run holds the newcomer and retires nobody.  What is decided here is written into the entry and never again
worked out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.errors import NotDecided
from agm_store.gates import gates
from agm_store.proposals import Ruling

if TYPE_CHECKING:
    from agm_store.context import Context
    from agm_store.proposals import Proposal

OWN_OUTPUT = "agm:"
"""Sources that begin so are the store's own output."""


def admit(context: Context, proposal: Proposal, now: int) -> Ruling:
    """Decide what becomes of a proposal, from what was recorded before it.

    Raises:
        ContradictsConstraints: the claim cannot hold under the owner's constraints.
    """
    ruling = Ruling()
    proposal.names = context.names
    _rule(context, proposal, ruling, now)
    if proposal.decided and ruling.state in ("held", "suppressed"):
        ruling.notices = [*(f"decided in spite of: {why}" for why in ruling.why), *ruling.notices]
        ruling.state, ruling.why = "admitted", []
    return ruling


def _rule(context: Context, proposal: Proposal, ruling: Ruling, now: int) -> None:
    body = proposal.body
    source = body.get("source")
    if source is not None and source.startswith(OWN_OUTPUT):
        ruling.state = "rejected"
        ruling.why.append("the source is the store's own output, which is no evidence")
        return
    if body["mode"] != "assertion" and not (
        body["mode"] == "historical" and "from" in body and "to" in body
    ):
        ruling.state = "noted"
        ruling.not_checked.append(
            f"mode {body['mode']}: it asserts nothing, so nothing was checked"
        )
        return
    if body["class"] == "untrusted":
        ruling.hold("untrusted source")
    if body.get("claim") is None:
        gates(context, proposal, ruling, [])
    else:
        try:
            _check(context, proposal, ruling, now)
        except NotDecided as error:
            _not_decided(ruling, error)
    if "verdict" in body and proposal.targets and not proposal.decided:
        from agm_store.weighing import weigh_again

        weigh_again(context, proposal, ruling, now)
    if proposal.call is not None and proposal.call.machine and ruling.state == "admitted":
        from agm_store.tiers import bounded

        bounded(context, proposal.call, proposal, ruling, now)
    if "text" in body and (context.entailment is not None or "claim" not in body):
        from agm_store.textchecks import check_texts

        check_texts(context, proposal, ruling, now)


def _not_decided(ruling: Ruling, error: NotDecided) -> None:
    from agm_store.asking import Unrun

    ruling.retired.clear()
    ruling.contested_with.clear()
    ruling.not_checked.append(f"the check did not run: {error.reason}")
    ruling.hold("undecided: " + error.reason)
    ruling.unrun.append(Unrun("solver", "undecided", None, error.reason))


def _check(context: Context, proposal: Proposal, ruling: Ruling, now: int) -> None:
    from agm_store.componentchecks import check_component
    from agm_store.slotchecks import check_slot

    body = proposal.body
    if (
        len(proposal.tokens) == 1
        and body.get("slot")
        and "because" not in body
        and context.plain(body["slot"])
        and _target_slots(context, proposal) <= {context.slot(body["slot"])}
    ):
        check_slot(context, proposal, ruling, now)
    else:
        check_component(context, proposal, ruling, now)


def _target_slots(context: Context, proposal: Proposal) -> set[str | None]:
    """The slots of what its directives name: where they are others, both sides are read together."""
    named = {d["target"] for d in proposal.body.get("resolves", ())}
    return {context.named(context.telling_entry(target)).body.get("slot") for target in named}
