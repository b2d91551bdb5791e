"""Reading a slot anew at read time: a model tells updates from references among all that was said of it.

The answer is a proposal.  It decides nothing: what is believed stays what the journal says, until a
person reclassifies the statements that the proposal names.  An answer is kept in the journal, so that
the same mentions are not asked about twice; one more statement of the slot makes the question new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args

from agm.directives import Mention, NotRun, Reconstruction, Role
from agm_store.entries import moment
from agm_store.errors import shorten
from agm_store.modelcalls import call_in, keep
from agm_store.records import EntryId, Reconstructed, ReconstructedMention
from agm_store.sides import value_of
from agm_store.touches import RECONSTRUCTED
from agm_store.undoing import Undone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Term
    from agm.directives import Mode, ModelCall, Reconstructor
    from agm_store.beliefs import BeliefStore
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Ledger, Telling

ROLES: tuple[str, ...] = get_args(Role)
SOURCE = "agm:reconstruct"
"""Who asks for a reconstruction, where a request needs a source."""
_UNHEARD = ("rejected", "suppressed")


class _Answer(NamedTuple):
    roles: Sequence[str]
    call: ModelCall | None
    entry: int
    cached: bool


def reconstruct(
    store: BeliefStore, context: Context, term: Term[Any], by: Reconstructor, *, fresh: bool
) -> Reconstructed | NotRun:
    """The proposal for a term; see `BeliefStore.reconstruct`."""
    tellings = mentioned(context, term)
    if not tellings:
        return NotRun(kind="nothing_said", detail="nothing was ever said of it")
    kept = None if fresh else _kept(context, tellings)
    answer = kept or _asked(context, term, tellings, by)
    if isinstance(answer, NotRun):
        return answer
    return _proposal(store, context, term, tellings, answer)


def mentioned(context: Context, term: Term[Any]) -> list[Telling]:
    """What was said of a term and still stands as said, in order of its time, then of its telling.

    A statement that was corrected, retracted or reverted is no mention any more, nor is one that was
    suppressed or rejected; a remark is one, and so is what is held.
    """
    slot = context.slot(str(term.key))
    ledger = context.ledger([slot])
    found = [
        t
        for t in ledger.tellings.values()
        if t.slot == slot
        and not (t.withdrawn or t.redacted or t.derived)
        and t.state not in _UNHEARD
        and t.entry_id not in ledger.reverted
    ]
    return sorted(found, key=lambda t: (t.start, t.seq))


def _kept(context: Context, tellings: list[Telling]) -> _Answer | None:
    """The latest answer about just these mentions that nobody took back."""
    seqs = [t.seq for t in tellings]
    undone = Undone(context)
    marked = context.journal.touching(context.owner, [f"{RECONSTRUCTED}{max(seqs)}"])
    for entry in reversed(marked):
        if entry.body["op"] == "reconstruct" and entry.body["of"] == seqs and not undone(entry):
            return _Answer(
                entry.body["roles"], call_in(context, entry.body), entry.seq, cached=True
            )
    return None


def _asked(
    context: Context, term: Term[Any], tellings: list[Telling], by: Reconstructor
) -> _Answer | NotRun:
    """A model's answer, written down; the model is asked outside of every transaction."""
    mentions = tuple(_mention(context, t) for t in tellings)
    try:
        answer: Any = by.reconstruct(str(term), mentions)
    except Exception as error:  # noqa: BLE001  whatever it is, there is no answer
        answer = NotRun(kind="raised", detail=type(error).__name__)
    fault = _fault(answer, len(tellings))
    with context.writing() as now:
        call = answer.call if isinstance(answer, NotRun | Reconstruction) else None
        failed = answer if isinstance(answer, NotRun) else fault
        made = None if call is None else keep(context, call, SOURCE, now, failed)
        if failed is not None:
            return failed
        body: Body = {
            "op": "reconstruct",
            "of": [t.seq for t in tellings],
            "roles": list(answer.roles),
            "on": [],
            "marks": [f"{RECONSTRUCTED}{max(t.seq for t in tellings)}"],
        }
        if made is not None:
            body["call"] = made.seq
        entry: Entry = context.append(context.free_id("n"), now, body)
    return _Answer(tuple(answer.roles), call, entry.seq, cached=False)


def _mention(context: Context, telling: Telling) -> Mention:
    value = None if telling.claim is None else value_of(context.parsed(telling.claim))
    return Mention(
        at=moment(telling.start),
        text=str(telling.body.get("text") or telling.body.get("claim") or ""),
        value=None if value is None else str(value),
    )


def _fault(answer: object, count: int) -> NotRun | None:
    """Why an answer is none that can be used; None for one that is, or that did not run."""
    if isinstance(answer, NotRun):
        return None
    if not isinstance(answer, Reconstruction):
        found = type(answer).__name__
        return NotRun(kind="garbage", detail=f"a Reconstruction was expected, found {found}")
    roles = answer.roles
    if not isinstance(roles, tuple | list) or any(role not in ROLES for role in roles):
        return NotRun(
            kind="garbage", detail=f"roles are {' or '.join(ROLES)}, found {shorten(roles)}"
        )
    if len(roles) != count:
        detail = f"{len(roles)} roles were given for {count} mentions"
        return NotRun(kind="garbage", detail=detail)
    return None


def _proposal(
    store: BeliefStore, context: Context, term: Term[Any], tellings: list[Telling], answer: _Answer
) -> Reconstructed:
    said = [
        ReconstructedMention(
            belief=cast("Any", telling.entry_id),
            entry=EntryId(telling.seq),
            mention=_mention(context, telling),
            role=cast("Role", role),
            mode=cast("Any", telling.mode),
        )
        for telling, role in zip(tellings, answer.roles, strict=True)
    ]
    roles = zip(tellings, answer.roles, strict=True)
    proposed = _proposed(context, [t for t, role in roles if role == "update" or _bounded(t)])
    believed = store.ask(term)
    value = None if proposed is None else value_of(context.parsed(str(proposed.claim)))
    return Reconstructed(
        term=str(term),
        value=value,
        belief=None if proposed is None else cast("Any", proposed.entry_id),
        mentions=tuple(said),
        believed=believed.value,
        contested=believed.contested,
        reclassify=tuple((s.entry, _mode(s.role)) for s in said if _misread(s)),
        entry=EntryId(answer.entry),
        cached=answer.cached,
        call=answer.call,
    )


def _proposed(context: Context, updates: list[Telling]) -> Telling | None:
    """The update that answers now: begun, not ended by an entry, the latest, and dated before undated."""
    now = context.now()
    if not updates:
        return None
    ledger = context.ledger([str(updates[0].slot)])
    begun = [t for t in updates if t.start <= now < _end(ledger, t)]
    if not begun:
        return None
    latest = max(begun, key=lambda t: (t.order_start, t.seq))
    same = ledger.slots.get(str(latest.slot), ())
    blank = any(
        t.redacted and ledger.is_rival(t) and (latest.order_start, latest.seq) < (t.start, t.seq)
        for t in same
        if t.start <= now
    )
    return None if blank or _contracted(context, latest) else latest


def _bounded(telling: Telling) -> bool:
    """Whether a telling holds within known bounds even where it only looks back, as the store reads it."""
    return {"from", "to"} <= telling.body.keys()


def _end(ledger: Ledger, telling: Telling) -> int:
    """The end set by its own words or by what ended it; a later value ends it only where it is an update."""
    ends = [telling.told_end, *(at for at, _ in telling.ended_at)]
    named = [at for at, _, _ in ledger.expiries.get(telling.identity, ()) if telling.start < at]
    return min([*ends, *named])


def _contracted(context: Context, telling: Telling) -> bool:
    """Whether a contraction took a telling out of what holds now."""
    from agm.errors import NotDecided
    from agm_store.context import tokens_of_body
    from agm_store.worlds import World

    world = World(context, context.now(), context.journal.head().count)
    try:
        _, reading = world.reading_of(tuple(tokens_of_body(telling.body)))
    except NotDecided:
        return False
    return telling.entry_id in reading.removed


def _misread(said: ReconstructedMention) -> bool:
    """Whether the journal takes a statement for what the model says it is not."""
    return (said.mode == "assertion") != (said.role == "update")


def _mode(role: Role) -> Mode:
    return "assertion" if role == "update" else "historical"
