"""Requests to models, as the journal keeps them: which model and prompt, how it ended, what it took.

A request is written down by the verb that recorded its answer, before the tellings it led to; each
of those names it.  A request without a usable answer leaves its entry alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm_store.entries import moment
from agm_store.errors import InvalidArgument
from agm_store.listings import RecordedCall
from agm_store.records import EntryId
from agm_store.statements import checked_text
from agm_store.touches import CALLED, CALLS

if TYPE_CHECKING:
    from agm.directives import ModelCall, NotRun
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.ledger import Telling

_MOST = 2**53
_DIGITS = 100
_COUNTS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "micros")


def keep(
    context: Context, call: ModelCall, source: str, now: int, failed: NotRun | None = None
) -> Entry:
    """Write down a request, inside `writing`.

    Raises:
        InvalidArgument: the account is none that a journal may hold.
    """
    if (why := fault(call)) is not None:
        raise InvalidArgument("call", call, f"the account of a request; {why}")
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


def fault(call: ModelCall) -> str | None:
    """Why an account cannot be written down; an adapter of one's own may put anything there."""
    from decimal import Decimal

    for name in ("model", "prompt", "outcome"):
        if not storable(getattr(call, name)):
            return f"its {name} is no text that can be stored"
    for name in _COUNTS:
        count = getattr(call, name)
        if type(count) is not int or not 0 <= count < _MOST:
            return f"its {name} is no count"
    cost: Any = call.cost
    if cost is None:
        return None
    if not isinstance(cost, Decimal) or not cost.is_finite() or cost.is_signed():
        return "its cost is no Decimal of 0 or more"
    # It is written out in full, however far the exponent is.
    if abs(cost.adjusted()) > _DIGITS or len(cost.as_tuple().digits) > _DIGITS:
        return f"its cost has more than {_DIGITS} digits"
    return None


def storable(text: object) -> bool:
    """Whether something is a text that a journal takes."""
    try:
        checked_text("text", text)
    except InvalidArgument:
        return False
    return True


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
