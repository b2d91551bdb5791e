"""The checks of a newcomer over its component: the reading before it, the reading with it, and the solver's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm.errors import NotDecided
from agm_store.errors import ContradictsConstraints
from agm_store.gates import (
    expired,
    gates,
    immutable,
    restated,
    restated_unadmitted,
    suppress,
    unmarked,
)
from agm_store.marks import NEVER, said_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Claim
    from agm_store.context import Context
    from agm_store.ledger import Ledger, Telling
    from agm_store.marks import Since
    from agm_store.proposals import Proposal, Ruling
    from agm_store.reading import Reading


PAIRS = 8
"""Neighbours that a newcomer is compared with one by one, for the receipt."""


ANCESTRY = 100
"""Premises, and theirs in turn, that are read when a conclusion is judged."""


class _Trial(NamedTuple):
    """The component before a newcomer and with it: ledgers and readings at the point where it is judged."""

    before: Ledger
    old: Reading
    after: Ledger
    new: Reading
    newcomer: Telling
    point: int
    now: int
    whole: bool
    """Whether what the newcomer rests on was read as well."""


def check_component(context: Context, proposal: Proposal, ruling: Ruling, now: int) -> None:
    """Rule on a newcomer by how its component reads without it and with it."""
    from agm_store.outcomes import consolidated

    around = _around(context, proposal, ruling)
    entries = context.journal.touching(context.owner, around)
    before = context.fold(entries)
    if _withdrawn_there(proposal.body, before.claims.get(proposal.identity, ())):
        suppress(ruling, proposal.body)
        return
    expired(context, proposal, ruling)
    _cores(context, proposal, ruling, before)
    point = _point(proposal, now)
    old = consolidated(context, before, point, around=[_claim(context, proposal)])
    _constraints_allow(context, before, proposal, old)
    after, newcomer = context.fold_with(entries, proposal, now)
    new = consolidated(context, after, point)
    whole = set(proposal.body.get("links", ())) <= set(around)
    _compare(
        context, proposal, ruling, _Trial(before, old, after, new, newcomer, point, now, whole)
    )


def _around(context: Context, proposal: Proposal, ruling: Ruling) -> list[str]:
    """The component of a newcomer, with what it rests on as far as that is near.

    A conclusion that rests on more, or that nothing speaks against, is judged by the claims about its own
    things; whether it is supported, each reading works out anew.
    """
    from agm_store.components import TooFarBack, component

    tokens = [*proposal.tokens, *_targeted(context, proposal)]
    links = proposal.body.get("links", ())
    if links and not proposal.targets:
        own = component(context.journal, context.owner, tokens, ancestry=0)
        if _says_nothing_else(context, proposal, own):
            return own
    try:
        return component(
            context.journal, context.owner, tokens, ancestry=ANCESTRY, resting_on=links
        )
    except TooFarBack as error:
        ruling.not_checked.append(f"whether it outweighs anything: {error.reason}")
    return component(context.journal, context.owner, tokens, ancestry=0)


def _says_nothing_else(context: Context, proposal: Proposal, tokens: list[str]) -> bool:
    """Whether all that was told on some tokens is the newcomer's own claim."""
    return all(
        entry.body["op"] == "tell" and context.identity(entry) == proposal.identity
        for entry in context.journal.touching(context.owner, tokens)
    )


def _targeted(context: Context, proposal: Proposal) -> set[str]:
    """The tokens of what its directives retire, which may be another slot."""
    from agm_store.context import tokens_of

    named = {d["target"] for d in proposal.body.get("resolves", ())}
    return {t for target in named for t in tokens_of(context.telling_entry(target))}


def _withdrawn_there(body: dict[str, Any], same: Sequence[Telling]) -> bool:
    """Whether the very statement was withdrawn, among the tellings of its claim."""
    if body.get("source") is None or body.get("resolves"):
        return False
    return any(t.withdrawn and said_in(t.body) == said_in(body) for t in same)


def _cores(context: Context, proposal: Proposal, ruling: Ruling, ledger: Ledger) -> None:
    """Hold what contradicts core beliefs at any time that both would be in force, not only when it is judged."""
    from agm_store.certificates import minimal
    from agm_store.outcomes import consolidated

    if proposal.body["class"] == "core":
        return
    starts = set()
    for telling in ledger.tellings.values():
        if telling.body["class"] == "core" and telling.live:
            low, high = ledger.interval(telling)
            low = max(low, proposal.start)
            if low < min(high, proposal.end):
                starts.add(low)
    for start in sorted(starts):
        kept = consolidated(context, ledger, start, around=[_claim(context, proposal)]).kept
        cores = [
            t
            for t in kept
            if t.body["class"] == "core" and not t.derived and t.entry_id not in proposal.targets
        ]
        rivals = minimal(context, ledger, cores, [_claim(context, proposal)])
        if rivals:
            ruling.hold("rival of core: " + ", ".join(rivals))
            return


def _point(proposal: Proposal, now: int) -> int:
    """The valid time at which the change is judged: now, or the nearest moment of the claim's own interval."""
    if proposal.start > now:
        return proposal.start
    return now if now < proposal.end else proposal.end - 1


def _claim(context: Context, proposal: Proposal) -> Claim:
    return context.parsed(proposal.identity)


def _constraints_allow(context: Context, ledger: Ledger, proposal: Proposal, old: Reading) -> None:
    from agm import solver
    from agm.verdicts import Inconsistent, Undecided

    if not ledger.constraints and "slot" in proposal.body:
        return
    claim = _claim(context, proposal)
    constraints = [context.parsed(text) for _, text in ledger.constraints]
    kept = [context.parsed(t.claim) for t in old.kept if t.claim is not None]
    around = [claim, *constraints, *kept]
    vocabulary = context.lexicon.learn(sorted({s for c in around for s in c.symbols}))
    answer = solver.check([claim, *constraints], vocabulary=vocabulary)
    if isinstance(answer, Undecided):
        raise NotDecided(answer.reason)
    if isinstance(answer, Inconsistent):
        clash = [str(part) for part in answer.core if part is not claim]
        raise ContradictsConstraints(str(claim), clash)


def _compare(context: Context, proposal: Proposal, ruling: Ruling, trial: _Trial) -> None:
    from agm.verdicts import Verdict
    from agm_store.certificates import kernel_against, minimal
    from agm_store.grounding import id_of

    ledger_before, old, ledger_after, new, newcomer, point, _, whole = trial
    against = minimal(context, ledger_before, old.kept, [_claim(context, proposal)])
    for belief in against:  # together they contradict the newcomer; one alone may not
        ruling.checked.append((belief, Verdict("contradiction", "kernel"), "kernel"))
    if not against:
        _pairs(context, proposal, ruling, ledger_before, old)
    rivals = [ledger_before.tellings[b] for b in against if b not in proposal.targets]
    gates(context, proposal, ruling, [])
    if "slot" in proposal.body:
        immutable(context, proposal, ruling)
    if ruling.state == "admitted" and unmarked(context, proposal):
        _heard_before(context, proposal, ruling, trial, rivals)
    if ruling.state != "admitted" and not proposal.decided:
        return
    kept = {t.identity for t in new.kept}
    sides = {t.identity for group in new.contested for t in group}
    for telling in old.kept:
        if telling.identity in kept or id_of(telling) in proposal.targets:
            continue
        if telling.identity in sides:
            ruling.contested_with.append(telling)
            continue
        ruling.retired.append(telling)
        if ledger_after.in_force(ledger_after.tellings[id_of(telling)], point):
            ruling.kernels[telling.entry_id] = kernel_against(
                context, ledger_after, new.kept, telling
            )
    word = new.standing.get(newcomer.entry_id)
    if word in ("outranked", "overridden") or (word == "unsupported" and whole):
        names = against or [t.entry_id for t in _contested_against(context, proposal, trial)]
        because = ", ".join(names) or "its justification does not stand"
        ruling.notices.append(f"{word} when told: {because}")


def _heard_before(
    context: Context, proposal: Proposal, ruling: Ruling, trial: _Trial, rivals: Sequence[Telling]
) -> None:
    """Hold a claim that was retired, or told and not admitted before what stands began, and comes back unmarked."""
    ledger, now = trial.before, trial.now
    standing = trial.old.standing if trial.point == now else {}
    standing = {**standing, **_unread(context, trial, proposal)}
    retired = _retired_before(ledger, proposal, standing, now)
    told = NEVER if retired else _told_in_vain(ledger, proposal)
    if not retired and told == NEVER:
        return
    rivals = [*rivals, *_contested_against(context, proposal, trial)]
    if retired:
        restated(ruling, rivals)
    elif later := _begun_since(ledger, rivals, told, proposal.start):
        restated_unadmitted(ruling, later)


def _contested_against(context: Context, proposal: Proposal, trial: _Trial) -> list[Telling]:
    """What contradicts the newcomer among what is in force and contested, by each with what is believed."""
    from agm_store.certificates import minimal

    claim, old = _claim(context, proposal), trial.old
    sides = [t for group in old.contested for t in group if t.entry_id not in proposal.targets]
    return [
        side
        for side in sides
        if side.entry_id in minimal(context, trial.before, [*old.kept, side], [claim])
    ]


def _pairs(
    context: Context, proposal: Proposal, ruling: Ruling, ledger: Ledger, old: Reading
) -> None:
    """Note how the newcomer stands to each neighbour; beyond a few they were only asked together."""
    from agm.verdicts import compare_claims

    claim = _claim(context, proposal)
    constraints = [context.parsed(text) for _, text in ledger.constraints]
    near = [t for t in old.believed if t.claim is not None and _shares(context, t, proposal)]
    for telling in near[:PAIRS]:
        other = context.parsed(str(telling.claim))
        vocabulary = context.lexicon.learn(sorted(claim.symbols | other.symbols))
        verdict = compare_claims(claim, other, constraints=constraints, vocabulary=vocabulary)
        ruling.checked.append((telling.entry_id, verdict, verdict.route))
    if len(near) > PAIRS:
        ruling.not_checked.append(
            f"{len(near) - PAIRS} more neighbours were asked all together, not one by one: "
            "they fit the newcomer"
        )


def _unread(context: Context, trial: _Trial, proposal: Proposal) -> dict[str, str]:
    """The conclusions of the newcomer's claim whose premises were not read: believed where no flag says otherwise."""
    from agm_store.flags import Place, standing

    if trial.whole:
        return {}
    ledger = trial.before
    told = ledger.claims.get(proposal.identity, ())
    same = [t for t in told if t.derived and ledger.in_force(t, trial.now)]
    lost = {f.on for f in standing(context, [Place(t.entry_id) for t in same])} if same else set()
    return {t.entry_id: "believed" for t in same if t.entry_id not in lost}


def _retired_before(ledger: Ledger, proposal: Proposal, standing: dict[str, str], now: int) -> bool:
    """Whether the claim was withdrawn or undone, has ended or is overridden, and is not believed now."""
    admitted = [t for t in ledger.claims.get(proposal.identity, ()) if t.admitted]
    if any(standing.get(t.entry_id) in ("believed", "contested") for t in admitted):
        return False
    undone = ledger.reverted.values()
    if any(t.identity == proposal.identity and t.admitted for t in undone):
        return True
    return any(
        t.withdrawn
        or ledger.interval(t)[1] <= now
        or (ledger.in_force(t, now) and standing.get(t.entry_id) != "outranked")
        for t in admitted
    )


def _shares(context: Context, telling: Telling, proposal: Proposal) -> bool:
    from agm_store.context import tokens_of_body

    return not context.alike(tokens_of_body(telling.body)).isdisjoint(proposal.tokens)


def _told_in_vain(ledger: Ledger, proposal: Proposal) -> Since:
    """Since when the claim is on record by a class no weaker, not admitted; `NEVER` while it is in force."""
    from agm_store.slotview import unadmitted

    told = ledger.claims.get(proposal.identity, ())
    if any(ledger.in_force(t, proposal.start) for t in told):
        return NEVER
    return unadmitted(told, proposal.rank, proposal.heard)


def _begun_since(
    ledger: Ledger, rivals: Sequence[Telling], told: Since, when: int
) -> list[Telling]:
    """The rivals that began since a claim was told, among those that stood when the newcomer was told.

    What began later is no reason where that is looked at again.
    """
    from agm_store.slotview import stands_since

    return [r for r in rivals if told < stands_since(ledger, r.identity, when) < NEVER]
