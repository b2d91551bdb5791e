"""Requests to models, as the journal keeps them: which model and prompt, how it ended, what it took.

A request is written down by the verb that recorded its answer, before the tellings it led to; each
of those names it.  A request without a usable answer leaves its entry alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm_store.entries import moment
from agm_store.records import EntryId, RecordedCall
from agm_store.statements import checked_text
from agm_store.touches import CALLED, CALLS

if TYPE_CHECKING:
    from agm.directives import ModelCall, NotRun
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Telling

_COUNTS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "micros")


def keep(
    context: Context, call: ModelCall, source: str, now: int, failed: NotRun | None = None
) -> Entry:
    """Write down a request, inside `writing`."""
    body: Body = {
        "op": "call",
        "by": source,
        "model": checked_text("model", call.model),
        "prompt": checked_text("prompt", call.prompt),
        "outcome": checked_text("outcome", call.outcome),
        "on": [],
        "marks": [CALLS],
    }
    body.update({name: getattr(call, name) for name in _COUNTS if getattr(call, name)})
    if call.cost is not None:
        body["cost"] = format(call.cost, "f")
    if failed is not None:
        body["failed"] = checked_text("kind", failed.kind)
    return context.append(context.free_id("n"), now, body)


def calls(context: Context) -> list[RecordedCall]:
    """The requests of a principal, oldest first; see `BeliefStore.calls`."""
    entries = context.journal.touching(context.owner, [CALLS])
    return [_recorded(context, entry) for entry in entries if entry.body["op"] == "call"]


def call_of(context: Context, telling: Telling) -> ModelCall | None:
    """The request that led to a telling, None where a person or a program told it."""
    return call_in(context, telling.body)


def call_in(context: Context, body: Body) -> ModelCall | None:
    """The request that a body names, if it names one."""
    entry = context.journal.entry(body["call"]) if "call" in body else None
    return None if entry is None else _call(entry.body)


def _recorded(context: Context, entry: Entry) -> RecordedCall:
    led_to = context.journal.touching(context.owner, [f"{CALLED}{entry.seq}"])
    return RecordedCall(
        call=_call(entry.body),
        source=entry.body["by"],
        entry=EntryId(entry.seq),
        at=moment(entry.recorded_at),
        failed=entry.body.get("failed"),
        told=cast("Any", tuple(e.entry_id for e in led_to)),
    )


def _call(body: Body) -> ModelCall:
    from decimal import Decimal

    from agm.directives import ModelCall

    return ModelCall(
        model=body["model"],
        prompt=body["prompt"],
        outcome=body["outcome"],
        cost=Decimal(body["cost"]) if "cost" in body else None,
        **{name: body.get(name, 0) for name in _COUNTS},
    )
