"""The one activation hook: every path by which a telling may come into force passes `admit`.

In order: sources that are no evidence, modes that assert nothing, the verdicts against what is in
force, the gates of entrenchment, re-statement of a retired value.  A check that did not run holds
the newcomer and retires nobody.  What is decided here is written into the entry and never again
worked out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm.errors import NotDecided
from agm_store.entries import BEFORE_ALL, FOREVER, moment
from agm_store.errors import ContradictsConstraints
from agm_store.ledger import voided
from agm_store.marks import said_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Verdict
    from agm_store.context import Context
    from agm_store.journal import SlotView
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Reading

OWN_OUTPUT = "agm:"
"""Sources that begin so are the store's own output."""


class Proposal:
    """A telling before it is decided what becomes of it."""

    __slots__ = (
        "body",
        "by_owner",
        "decided",
        "end",
        "explicit",
        "rank",
        "reason",
        "start",
        "targets",
        "tokens",
    )

    def __init__(
        self, body: dict[str, Any], *, rank: int, start: int, end: int, explicit: bool
    ) -> None:
        self.body = body
        self.rank = rank
        self.start = start
        self.end = end
        self.explicit = explicit
        self.tokens: list[str] = body.get("on") or ([body["slot"]] if "slot" in body else [])
        self.targets: frozenset[str] = frozenset()
        """The tellings that it retires by directive."""
        self.reason: str | None = None
        self.by_owner = False
        """Whether the owner's own verb named the target."""
        self.decided = False
        """Whether a person has decided: the checks run, and hold nothing."""

    @property
    def identity(self) -> str:
        """The claim as the ledger names it."""
        return str(self.body["claim"])

    @property
    def order_start(self) -> int:
        """The start as it counts among claims of one rank."""
        return BEFORE_ALL if self.body.get("undated") else self.start


class Ruling:
    """What was decided of a proposal, and which checks said so."""

    __slots__ = (
        "checked",
        "contested_with",
        "kernels",
        "not_checked",
        "notices",
        "retired",
        "state",
        "why",
    )

    def __init__(self) -> None:
        self.state = "admitted"
        self.why: list[str] = []
        self.checked: list[tuple[str, Verdict, str]] = []
        self.not_checked: list[str] = []
        self.notices: list[str] = []
        self.retired: list[Telling] = []
        self.contested_with: list[Telling] = []
        self.kernels: dict[str, tuple[str, ...]] = {}

    def hold(self, why: str) -> None:
        """Hold the newcomer; a state decided before stays."""
        if self.state == "admitted":
            self.state = "held"
        self.why.append(why)


def admit(context: Context, proposal: Proposal, now: int) -> Ruling:
    """Decide what becomes of a proposal, from what was recorded before it.

    Raises:
        ContradictsConstraints: the claim cannot hold under the owner's constraints.
    """
    ruling = Ruling()
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
        ruling.not_checked.append("no structured claim: a text alone is not checked for conflicts")
        _gates(context, proposal, ruling, [])
        return
    try:
        _check(context, proposal, ruling, now)
    except NotDecided as error:
        ruling.retired.clear()
        ruling.contested_with.clear()
        ruling.not_checked.append(f"the check did not run: {error.reason}")
        ruling.hold("undecided: " + error.reason)


def _check(context: Context, proposal: Proposal, ruling: Ruling, now: int) -> None:
    body = proposal.body
    if (
        len(proposal.tokens) == 1
        and body.get("slot")
        and "because" not in body
        and context.plain(body["slot"])
    ):
        _check_slot(context, proposal, ruling, now)
    else:
        _check_component(context, proposal, ruling, now)


def _check_slot(context: Context, proposal: Proposal, ruling: Ruling, now: int) -> None:
    from agm.verdicts import Verdict

    body = proposal.body
    view = context.journal.slot_view(context.owner, body["slot"])
    if _suppressed(body, view):
        _suppress(ruling, body)
        return
    end = _expired(context, proposal, ruling)
    if proposal.end == FOREVER and not body.get("undated"):
        end = min(end, view.next_start(proposal.rank, proposal.start))
    met = view.overlapping(proposal.start, max(end, proposal.start + 1))
    rivals: list[Telling] = []
    for other in met:
        if other.value == body["value"]:
            ruling.checked.append((other.entry_id, Verdict("paraphrase", "slot"), "slot"))
        else:
            ruling.checked.append((other.entry_id, Verdict("contradiction", "slot"), "slot"))
            if other.entry_id not in proposal.targets:
                rivals.append(other)
    _gates(context, proposal, ruling, rivals)
    _immutable(context, proposal, ruling)
    if (
        ruling.state == "admitted"
        and _unmarked(context, proposal)
        and view.ended_before(body["value"], now)
    ):
        current = view.overlapping(now, now + 1)
        if not any(t.value == body["value"] and _order(t) == _order(current[0]) for t in current):
            _restated(ruling, rivals)
    if ruling.state == "admitted":
        _slot_losses(proposal, ruling, rivals)


def _expired(context: Context, proposal: Proposal, ruling: Ruling) -> int:
    """Where an open statement ends because its claim was expired at a later time than its start; the receipt says so."""
    if proposal.end < FOREVER:
        return proposal.end
    entries = context.journal.touching(context.owner, [mark_of_expiry(proposal.identity)])
    void = voided(entries)
    later = [
        (e.body["at"], e.seq)
        for e in entries
        if e.body["op"] == "expire" and e.seq not in void and e.body["at"] > proposal.start
    ]
    if not later:
        return FOREVER
    at: int
    at, seq = min(later)
    ruling.notices.append(
        f"it ends at {moment(at).isoformat()}, where entry {seq} expired the claim"
    )
    return at


def mark_of_expiry(identity: str) -> str:
    """The mark by which the expiries of a claim are found."""
    return f"@expired {identity}"


def _suppressed(body: dict[str, Any], view: SlotView) -> bool:
    source = body.get("source")
    if source is None or body.get("resolves"):
        return False
    return view.withdrawn(body["value"], (source, body.get("citation"), body.get("episode")))


def _withdrawn_there(body: dict[str, Any], same: Sequence[Telling]) -> bool:
    """Whether the very statement was withdrawn, among the tellings of its claim."""
    if body.get("source") is None or body.get("resolves"):
        return False
    return any(t.withdrawn and said_in(t.body) == said_in(body) for t in same)


def _suppress(ruling: Ruling, body: dict[str, Any]) -> None:
    ruling.state = "suppressed"
    ruling.why.append(f"this statement of {body['source']!r} was withdrawn before")


def _gates(context: Context, proposal: Proposal, ruling: Ruling, rivals: list[Telling]) -> None:
    """The gates of entrenchment: core is for a person to decide, a weaker directive is held."""
    if proposal.body["class"] != "core":
        cores = sorted(t.entry_id for t in rivals if t.body["class"] == "core" and not t.derived)
        if cores:
            ruling.hold("rival of core: " + ", ".join(cores))
    if proposal.targets and not proposal.by_owner:
        stronger = sorted(
            i for i in proposal.targets if _rank_of_target(context, i) > proposal.rank
        )
        if stronger:
            ruling.hold("a directive from a weaker claim: " + ", ".join(stronger))


def _rank_of_target(context: Context, belief: str) -> int:
    return context.order.rank(context.telling_entry(belief).body["class"])


def _immutable(context: Context, proposal: Proposal, ruling: Ruling) -> None:
    from agm_store.touches import split_token

    predicate = split_token(proposal.body["slot"])[0]
    declared = context.lexicon.vocabulary.get(predicate)
    if declared is None:
        if proposal.body.get("relation"):
            ruling.not_checked.append(
                f"cardinality of {predicate} is undeclared: told as a relation, it conflicts with nothing"
            )
        return
    if declared.kind != "immutable" or proposal.reason == "correction":
        return
    ledger = context.ledger([proposal.body["slot"]])
    others = [
        t.entry_id
        for t in ledger.slots.get(proposal.body["slot"], [])
        if t.admitted
        and not t.withdrawn
        and t.value != proposal.body["value"]
        and not ledger.never_held(t)
    ]
    if others:
        ruling.hold(
            f"rival of an immutable: {predicate} keeps its first value ({', '.join(others)}) unless corrected"
        )


def _unmarked(context: Context, proposal: Proposal) -> bool:
    """Whether nothing says that a value comes back: no own start, mode or directive, and no slot for events."""
    from agm_store.touches import split_token

    if proposal.explicit or proposal.targets:
        return False
    slot = proposal.body.get("slot")
    declared = None if slot is None else context.lexicon.vocabulary.get(split_token(slot)[0])
    return declared is None or declared.kind != "event"


def _restated(ruling: Ruling, rivals: Sequence[Telling]) -> None:
    """A claim that was retired before and comes back unmarked is held when it conflicts, else noticed."""
    if rivals:
        ids = ", ".join(t.entry_id for t in rivals)
        ruling.hold(
            f"re-statement of a retired value while {ids} stands; say since when, or use a directive"
        )
    else:
        ruling.notices.append("this value was retired before; it is believed again")


def _order(telling: Telling) -> tuple[int, int]:
    return telling.rank, telling.order_start


def _slot_losses(proposal: Proposal, ruling: Ruling, rivals: list[Telling]) -> None:
    own = proposal.rank, proposal.order_start
    for other in rivals:
        if other.rank > proposal.rank:
            ruling.notices.append(f"outranked by {other.entry_id} while that is in force")
        elif _order(other) > own:
            ruling.notices.append(f"overridden by {other.entry_id} while that is in force")
        elif _order(other) == own and not _both_defaulted(proposal, other):
            ruling.contested_with.append(other)
        else:
            ruling.retired.append(other)
            ruling.kernels[other.entry_id] = ()


def _both_defaulted(proposal: Proposal, other: Telling) -> bool:
    return other.defaulted and bool(proposal.body.get("default"))


def _check_component(context: Context, proposal: Proposal, ruling: Ruling, now: int) -> None:
    from agm_store.components import component
    from agm_store.worlds import consolidated

    around = component(
        context.journal, context.owner, [*proposal.tokens, *proposal.body.get("links", ())]
    )
    entries = context.journal.touching(context.owner, around)
    before = context.fold(entries)
    if _withdrawn_there(proposal.body, before.claims.get(proposal.identity, ())):
        _suppress(ruling, proposal.body)
        return
    _expired(context, proposal, ruling)
    _cores(context, proposal, ruling, before)
    point = _point(proposal, now)
    old = consolidated(context, before, point, around=[_claim(proposal)])
    _constraints_allow(context, before, proposal, old)
    after, newcomer = context.fold_with(entries, proposal, now)
    new = consolidated(context, after, point)
    _compare_readings(
        context, proposal, ruling, (before, old), (after, new), newcomer, point, now
    )


def _cores(context: Context, proposal: Proposal, ruling: Ruling, ledger: Ledger) -> None:
    """Hold what contradicts core beliefs at any time that both would be in force, not only where the change is judged."""
    from agm_store.certificates import minimal
    from agm_store.worlds import consolidated

    if proposal.body["class"] == "core":
        return
    starts = set()
    for telling in ledger.tellings.values():
        if telling.body["class"] == "core" and telling.admitted and not telling.withdrawn:
            low, high = ledger.interval(telling)
            low = max(low, proposal.start)
            if low < min(high, proposal.end):
                starts.add(low)
    for start in sorted(starts):
        kept = consolidated(context, ledger, start, around=[_claim(proposal)]).kept
        cores = [
            t
            for t in kept
            if t.body["class"] == "core" and not t.derived and t.entry_id not in proposal.targets
        ]
        rivals = minimal(context, ledger, cores, [_claim(proposal)])
        if rivals:
            ruling.hold("rival of core: " + ", ".join(rivals))
            return


def _point(proposal: Proposal, now: int) -> int:
    """The valid time at which the change is judged: now, or the nearest moment of the claim's own interval."""
    if proposal.start > now:
        return proposal.start
    return now if now < proposal.end else proposal.end - 1


def _claim(proposal: Proposal) -> Any:
    from agm.syntax import parse

    return parse(proposal.body["claim"])


def _constraints_allow(context: Context, ledger: Ledger, proposal: Proposal, old: Reading) -> None:
    from agm import solver
    from agm.syntax import parse
    from agm.verdicts import Inconsistent, Undecided

    if not ledger.constraints:
        return
    claim = _claim(proposal)
    constraints = [parse(text) for _, text in ledger.constraints]
    around = [claim, *constraints, *(parse(t.claim) for t in old.kept if t.claim is not None)]
    vocabulary = context.lexicon.learn(sorted({s for c in around for s in c.symbols}))
    answer = solver.check([claim], constraints=constraints, vocabulary=vocabulary)
    if isinstance(answer, Undecided):
        raise NotDecided(answer.reason)
    if isinstance(answer, Inconsistent):
        raise ContradictsConstraints(
            str(claim),
            [str(c) for c in constraints if c.symbols & claim.symbols]
            or [str(c) for c in constraints],
        )


def _compare_readings(
    context: Context,
    proposal: Proposal,
    ruling: Ruling,
    before: tuple[Ledger, Reading],
    after: tuple[Ledger, Reading],
    newcomer: Telling,
    point: int,
    now: int,
) -> None:
    from agm.verdicts import Verdict
    from agm_store.certificates import kernel_against, minimal
    from agm_store.grounding import id_of

    ledger_before, old = before
    ledger_after, new = after
    against = minimal(context, ledger_before, old.kept, [_claim(proposal)])
    for belief in against:
        ruling.checked.append((belief, Verdict("contradiction", "z3"), "z3"))
    if not against:
        ruling.checked.extend(
            (t.entry_id, Verdict("unrelated", "z3"), "z3")
            for t in old.believed
            if _shares(t, proposal)
        )
    rivals = [ledger_before.tellings[b] for b in against if b not in proposal.targets]
    _gates(context, proposal, ruling, [])
    if "slot" in proposal.body:
        _immutable(context, proposal, ruling)
    if ruling.state == "admitted" and _unmarked(context, proposal):
        standing = old.standing if point == now else {}
        if _retired_before(ledger_before, proposal, standing, now):
            _restated(ruling, rivals)
    if ruling.state != "admitted":
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
    if new.standing.get(newcomer.entry_id) in ("outranked", "overridden", "unsupported"):
        ruling.notices.append(
            f"{new.standing[newcomer.entry_id]} when told: {', '.join(against) or 'its justification does not stand'}"
        )


def _retired_before(
    ledger: Ledger, proposal: Proposal, standing: dict[str, str], now: int
) -> bool:
    """Whether the claim was withdrawn, has ended or is out, and is not believed now."""
    admitted = [t for t in ledger.claims.get(proposal.identity, ()) if t.admitted]
    if any(standing.get(t.entry_id) in ("believed", "contested") for t in admitted):
        return False
    return any(
        t.withdrawn or ledger.interval(t)[1] <= now or ledger.in_force(t, now) for t in admitted
    )


def _shares(telling: Telling, proposal: Proposal) -> bool:
    from agm_store.context import tokens_of_body

    return bool(set(tokens_of_body(telling.body)) & set(proposal.tokens))
