"""Steps as entries: flags raised and cleared, and conclusions withdrawn, each with the entry that caused it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_propagation.consequences import Clear, Raise, Withdraw
from agm_store.context import tokens_of
from agm_store.flags import Place, dismissed, standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_propagation.consequences import Step
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.listings import Flagged


def without_dismissed(context: Context, stale: Sequence[Step], steps: Sequence[Step]) -> list[Step]:
    """The steps but those of the stale ones that raise again what was dismissed."""
    raised = [s for s in stale if isinstance(s, Raise)]
    let_be = dismissed(context, [Place(s.on, s.artefact) for s in raised])
    dropped = [s for s in raised if (Place(s.on, s.artefact), s.kind) in let_be]
    return [s for s in steps if s not in dropped]


def record_steps(
    context: Context, steps: Sequence[Step], now: int, *, cause: int | None
) -> list[Flagged]:
    """Write the steps as entries, because of another or of none; gives the flags among them that stand in the end."""
    raised: list[Place] = []
    seqs: set[int] = set()
    for step in steps:
        if isinstance(step, Raise):
            place = Place(step.on, artefact=step.artefact)
            body = {**place.body("flag"), "kind": step.kind}
            if step.because:
                body["lost"] = list(step.because)
            if cause is not None:
                body["cause"] = cause  # undone with it, though a stale one was only noticed by it
                if not step.fresh:
                    body["noticed"] = True
            raised.append(place)
            seqs.add(context.append(context.free_id("f"), now, body).seq)
        elif isinstance(step, Clear):
            clear(context, step, now, cause=cause)
        elif isinstance(step, Withdraw):
            _withdraw(context, step, now, cause)
    return [f for f in standing(context, raised) if f.entry in seqs] if raised else []


def clear(
    context: Context, step: Clear, now: int, *, cause: int | None, by: str | None = None
) -> Entry | None:
    """Clear the flags of one kind on a belief or artefact; None when none stands."""
    place = Place(step.on, artefact=step.artefact)
    flags = [f for f in standing(context, [place]) if f.kind == step.kind]
    seqs = [f.entry for f in flags if not step.flags or f.id in step.flags]
    if not seqs:
        return None
    body: Body = {**place.body("clear"), "flags": [int(s) for s in seqs], "how": step.how}
    if cause is not None:
        body["cause"] = cause
    if by is not None:
        body["by"] = by
    return context.append(context.free_id("c"), now, body)


def _withdraw(context: Context, step: Withdraw, now: int, cause: int | None) -> None:
    entry = context.telling_entry(step.belief)
    body: Body = {
        "op": "expire" if step.stood else "retract",
        "target": step.belief,
        "on": tokens_of(entry),
        "note": "unsupported: " + ", ".join(step.because),
    }
    if step.stood:
        body |= {"at": now, "alone": True, "tellings": [step.belief]}
    if cause is not None:
        body["cause"] = cause
    context.append(context.free_id("x" if step.stood else "r"), now, body)
