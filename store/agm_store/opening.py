"""Opening a store: a file or memory, a principal, a clock, an order of entrenchment."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from agm_store.beliefs import BeliefStore, checked_principal
from agm_store.borders import PATH
from agm_store.errors import InvalidArgument, ReplayRefused
from agm_store.policy import policy_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agm import EntrenchmentOrder
    from agm.directives import Embedder, Entailment, Judge
    from agm_store.journal import Journal
    from agm_store.policy import Policy


_SYNCHRONOUS = ("FULL", "NORMAL")


def open_store(
    path: str | Path | None,
    *,
    principal: str,
    clock: Callable[[], datetime] | None = None,
    order: EntrenchmentOrder | None = None,
    replay: bool = False,
    create: bool = True,
    read_only: bool = False,
    synchronous: str = "FULL",
    policy: Policy | Literal["flag", "retract"] = "flag",
    entailment: Entailment | None = None,
    judge: Judge | None = None,
    embedder: Embedder | None = None,
) -> BeliefStore:
    """Open the store in a file, or one in memory when ``path`` is None, as one principal.

    ``clock`` gives the recorded times (default: UTC now); ``order`` is fixed when the store is made;
    ``replay`` makes a store whose recorded times come from ``clock`` and lie in the past.  A missing
    file is made unless ``create`` is False.  ``policy`` says what a machine may retire by itself, and what
    becomes of a conclusion whose support is gone (the word alone will do: ``flag`` it, or ``retract`` it
    as well).  ``entailment`` compares texts that no solver reads; ``judge`` decides what the policy
    leaves between a machine and a person; ``embedder`` finds texts that are like a newcomer's.

    Raises:
        NotAStore, NoSuchStore, NewerSchema, ReadOnlyStore: the file cannot serve.
        ReplayRefused: replay was asked of a store that was not made for it.
        InvalidArgument: no principal, or another order than the store was made with.
    """
    _checked(path, clock, order)
    _checked_manner(synchronous, replay=replay, create=create, read_only=read_only)
    bounds = policy_of(policy)
    _checked_helpers(entailment, judge, embedder)
    checked_principal(principal)
    journal = _journal(
        path, order, replay=replay, create=create, read_only=read_only, synchronous=synchronous
    )
    return BeliefStore(
        journal, principal=principal, clock=clock or _now, order=_kept(journal, order, replay=replay),
        policy=bounds, entailment=entailment, judge=judge, embedder=embedder,
    )  # fmt: skip


def utc(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    """A moment in UTC.

    >>> utc(2024, 6, 1).isoformat()
    '2024-06-01T00:00:00+00:00'
    """
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


def _checked(path: object, clock: object, order: object) -> None:
    if path is not None and not isinstance(path, str | os.PathLike):
        raise InvalidArgument("path", path, f"{PATH}, or None for a store in memory")
    if clock is not None and not callable(clock):
        raise InvalidArgument("clock", clock, "a function that gives the time, or None")
    if order is not None:
        from agm.entrenchment import EntrenchmentOrder

        if not isinstance(order, EntrenchmentOrder):
            raise InvalidArgument("order", order, "an EntrenchmentOrder, or None")


def _checked_manner(synchronous: object, **flags: object) -> None:
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise InvalidArgument(name, flag, "True or False")
    if synchronous not in _SYNCHRONOUS:
        raise InvalidArgument("synchronous", synchronous, " or ".join(_SYNCHRONOUS))


def _checked_helpers(entailment: object, judge: object, embedder: object) -> None:
    for name, helper, verb in (
        ("entailment", entailment, "compare"),
        ("judge", judge, "judge"),
        ("embedder", embedder, "embed"),
    ):
        if helper is not None and not callable(getattr(helper, verb, None)):
            raise InvalidArgument(name, helper, f"an object with a method {verb!r}, or None")


def _kept(journal: Journal, order: EntrenchmentOrder | None, *, replay: bool) -> EntrenchmentOrder:
    """The order of a journal, which is closed where another one, or a replay, was asked of it in vain."""
    kept = order_of(journal)
    if order is not None and order != kept:
        journal.close()
        raise InvalidArgument("order", order, f"the order the store was made with: {kept!r}")
    if replay and not journal.replay:
        journal.close()
        raise ReplayRefused("this store was made for live entries; make a new one to replay into")
    return kept


def _now() -> datetime:
    return datetime.now(UTC)


def _journal(
    path: str | Path | None,
    order: EntrenchmentOrder | None,
    *,
    replay: bool,
    create: bool,
    read_only: bool,
    synchronous: str,
) -> Journal:
    if path is None:
        from agm_store.memory import MemoryJournal

        return MemoryJournal(replay=replay, order=None if order is None else order.to_json())
    from agm_store.sqlite import SqliteJournal

    return SqliteJournal(
        str(path),
        create=create,
        read_only=read_only,
        replay=replay,
        order=None if order is None else order.to_json(),
        synchronous=synchronous,
    )


def order_of(journal: Journal) -> EntrenchmentOrder:
    """The order of entrenchment that a journal was made with."""
    from agm.entrenchment import EntrenchmentOrder

    return (
        EntrenchmentOrder() if journal.order is None else EntrenchmentOrder.from_json(journal.order)
    )
