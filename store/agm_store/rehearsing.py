"""Asking helpers before a write, never in it: nobody waits for a model that another one's write is asking.

What a write will want to know depends on what is current, and that only the write itself may say for sure.
So it is rehearsed: tried out in a transaction that is taken back, while questions that were not asked yet are
noted and change nothing.  They are asked with nothing locked, and the write is tried again; it stays when it
met no new question.  One that comes up in every round, because others go on writing meanwhile, counts in
the last as a check that did not run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from agm.errors import AgmError
from agm_store.asking import CLOSED, GUESSING, OPEN, Asker
from agm_store.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm_store.context import Context
    from agm_store.tiers import Call

T = TypeVar("T")

ROUNDS = 8
"""How often a write is tried before what is still to be asked counts as not run."""


class _Again(Exception):
    """A rehearsal that met questions."""


def helped(context: Context) -> bool:
    """Whether there is anybody whom a write may ask."""
    return context.entailment is not None or context.judge is not None


def asks(context: Context) -> bool:
    """Whether a write of this thread may ask somebody, and nothing is locked yet."""
    return helped(context) and not context.raw.writing


def rehearsed(context: Context, write: Callable[[Asker], T], asker: Asker | None = None) -> T:
    """What a write comes to that asks by the given `Asker`; it is called several times, and only the last one stays.

    Inside a transaction of the caller's everything is locked anyway, so it asks at once.
    """
    asker = Asker(context) if asker is None else asker
    if not asks(context):
        return write(asker)
    for left in reversed(range(ROUNDS)):
        asker.mode = GUESSING if left else CLOSED
        try:
            return _tried(context, write, asker)
        except _Again:
            pass
        except AgmError as error:
            if isinstance(error, JournalError) or not (left and asker.open):
                raise
        finally:
            asker.mode = OPEN
        asker.ask()
    raise AssertionError("the last round stays")


def rehearsed_in(context: Context, call: Call, write: Callable[[], T]) -> T:
    """The same for a write that asks by the asker of a call, in whose budget only what stays is counted."""
    before = frozenset(call.retired)

    def once(_: Asker) -> T:
        call.retired &= before
        return write()

    return rehearsed(context, once, call.asker)


def _tried(context: Context, write: Callable[[Asker], T], asker: Asker) -> T:
    """What a write comes to that met no new question.

    Raises:
        _Again: it met one, and was taken back.
    """
    with context.transaction():
        found = write(asker)
        if asker.mode is GUESSING and asker.open:
            raise _Again
        asker.forget()
        return found
