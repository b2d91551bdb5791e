"""Asking a re-deriver: in a thread of its own with a deadline, and what of its answer can be used.

Whatever a function or a model does is an answer or a fault: it may raise, hang, return nonsense, name
premises that are missing, not believed, or rest on the conclusion itself.
"""

from __future__ import annotations

import re
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

from agm.errors import AgmError, NotDecided
from agm_propagation.sweep import Fault, Premise, Task, judged
from agm_store.components import component
from agm_store.conclusions import BELIEVED
from agm_store.context import tokens_of
from agm_store.downstream import downstream
from agm_store.errors import shorten
from agm_store.outcomes import consolidated
from agm_store.worlds import World

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from agm_propagation.flags import Kind
    from agm_propagation.sweep import Rederived, Rederiver
    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger, Telling
    from agm_store.listings import Flagged
    from agm_store.overviews import Overview
    from agm_store.reading import Reading

    T = TypeVar("T")

DEADLINE = 30.0
"""Seconds that a re-deriver, or a look for a source, may take for one answer."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")


class Grounds(NamedTuple):
    """A new justification that can be used: premises that are believed, and the claim if it is another one."""

    premises: tuple[str, ...]
    claim: str | None = None
    note: str = ""


def answered(call: Callable[[], T], deadline: float) -> T | Fault:
    """What a call answers within a deadline in seconds; a fault when it raises or takes longer.

    One that hangs is left behind in its thread, which ends with the process.
    """
    found: list[T | Fault] = []

    def run() -> None:
        try:
            found.append(call())
        except BaseException as error:  # noqa: BLE001  whatever it is, the sweep goes on
            found.append(Fault(f"raised {type(error).__name__}: {_words_of(error)}"))

    thread = Thread(target=run, name="agm-rederiver", daemon=True)
    thread.start()
    thread.join(deadline)
    return found[0] if found else Fault(f"did not answer within {deadline:g} seconds")


def plain(error: str) -> str:
    """An error as it may be stored; places in memory are left out, so that the same one reads the same."""
    text = _ADDRESS.sub("0x…", error)
    return "".join(c if c != "\0" and not "\ud800" <= c <= "\udfff" else "�" for c in text)[:2000]


def _words_of(error: BaseException) -> str:
    try:
        return shorten(str(error), 200)
    except Exception:  # noqa: BLE001  its own words may raise as well
        return "without words"


def rederived(
    context: Context,
    entry: Entry,
    flags: Sequence[Flagged],
    now: int,
    *,
    rederive: Rederiver[World],
    deadline: float,
    overview: Overview,
) -> Grounds | Fault | None:
    """The grounds on which a re-deriver derives a conclusion anew; None when it has none."""
    known = context.journal.head().count
    hand = context.as_known(known)  # one of its own, for it may go on in its thread
    world = World(hand, now, known)
    try:
        task = _task(world, entry, flags, overview)
    except NotDecided as error:
        return Fault(f"not decided: {error.reason}")
    answer = answered(lambda: judged(rederive(task)), deadline)
    if answer is None or isinstance(answer, Fault):
        return answer
    try:
        return _checked(context, world, entry, answer)
    except AgmError as error:  # a premise or a claim that is none, or a check that did not run
        return Fault(str(error))


def _task(world: World, entry: Entry, flags: Sequence[Flagged], overview: Overview) -> Task[World]:
    ledger, reading = overview.of(entry)
    told = [world.context.telling_entry(p) for p in entry.body.get("because", ())]
    kinds: list[Kind] = sorted({f.kind for f in flags})
    return Task(
        belief=entry.entry_id,
        claim=entry.body.get("claim"),
        text=entry.body.get("text"),
        kinds=tuple(kinds),
        lost=tuple(sorted({b for f in flags for b in f.because})),
        premises=tuple(
            Premise(
                id=e.entry_id,
                says=e.body.get("claim") or e.body.get("text", "redacted"),
                believed=_is_kept(world.context, ledger, reading, e),
            )
            for e in told
        ),
        world=world,
    )


def _tokens(entry: Entry) -> list[str]:
    return tokens_of(entry) or [f"#{entry.entry_id}"]


def _is_kept(context: Context, ledger: Ledger, reading: Reading, entry: Entry) -> bool:
    """Whether what a telling states is believed, by whichever telling of it."""
    tellings: Sequence[Telling] = ledger.claims.get(context.identity(entry), ())
    return any(reading.standing.get(t.entry_id) == "believed" for t in tellings)


def _checked(
    context: Context, world: World, entry: Entry, answer: Rederived
) -> Grounds | Fault | None:
    """The grounds that an answer gives, if they stand by themselves.

    Raises:
        AgmError: a premise is no belief, or the claim is none.
    """
    premises = [context.telling_entry(p) for p in answer.premises]
    says = _claim_of(context, answer, entry.body["class"])
    stated = context.identity(entry)
    own = {stated, stated if says is None else context.claim(says)}
    for premise in premises:
        if context.identity(premise) in own:
            return Fault(f"premise {premise.entry_id} is what it is to support")
    tokens = sorted({t for p in premises for t in _tokens(p)})
    around = component(context.journal, context.owner, tokens, whole=False)
    ledger = context.ledger(around)
    reading = consolidated(context, ledger, world.point[0], without=frozenset(own))
    for premise in premises:
        if not _is_kept(context, ledger, reading, premise):
            return Fault(_why_not(context, world, entry, premise))
    claim = None if says is None or context.claim(says) == stated else says
    return Grounds(tuple(p.entry_id for p in premises), claim, answer.note)


def _claim_of(context: Context, answer: Rederived, entrenchment: str) -> str | None:
    """The claim of an answer in canonical text; None when it names none."""
    from agm.claims import Claim
    from agm_store.statements import utterance

    if answer.claim is None:
        return None
    claim = answer.claim if isinstance(answer.claim, Claim) else context.parsed(answer.claim)
    return str(utterance(context, claim, entrenchment=entrenchment).body["claim"])


def _why_not(context: Context, world: World, entry: Entry, premise: Entry) -> str:
    """Why a premise cannot be one."""
    name = premise.entry_id
    standing = world.standing(name)
    below = {e.entry_id for e in downstream(context, _tokens(entry)).conclusions}
    if standing.standing in ("believed", "unsupported") and name in below:
        return f"premise {name} rests on {entry.entry_id} itself, which would support itself"
    if standing.standing in BELIEVED or standing.status == "active":
        return f"premise {name} is {standing.standing}, not believed"
    return f"premise {name} is {standing.status}, not believed"
