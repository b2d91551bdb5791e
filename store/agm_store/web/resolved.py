"""What was believed over which stretch of valid and recorded time: the worlds of a hand as intervals.

An entry moves only what it touches, and what rests on that.  So the entries are gone through one by
one, and after each the components that it bears on are read over all valid time; a stretch that is
gone is closed there, a new one opened.  A slot whose timeline is kept is not read anew: `kept` knows
which of its rows an entry opened and closed.  What changes the meaning of everything (a rule, a
constraint, a declaration, a contraction, an alias) has everything else read anew.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from agm.errors import NotDecided
from agm_store.components import TooFarBack, component
from agm_store.context import tokens_of
from agm_store.entries import FOREVER
from agm_store.outcomes import consolidated
from agm_store.ranges import boundaries, within_ranges
from agm_store.rules import CONTRACTED
from agm_store.shares import readables
from agm_store.touches import ALIASES, RESTS
from agm_store.web.kept import BELIEVED, CONTESTED, KeptSlot
from agm_store.worlds import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agm_store.context import Context
    from agm_store.entries import Entry
    from agm_store.ledger import Ledger
    from agm_store.web.kept import Moved, Strip

    Pause = Callable[[], None]

_SHOWN = (BELIEVED, CONTESTED)
_OF_ALL = ("alias", "constrain", "contract", "declare")
"""Verbs whose entries bear on more than the tokens that they touch."""

_NO_CAP = 10**9
_TOO_LARGE = "the component is too large"

Strips = dict[str, "set[Strip]"]
"""The strips of each belief; none for one that is not believed at any time."""


class Stretch(NamedTuple):
    """A belief had one standing over [valid_from, valid_to), by what was recorded from an entry to before another.

    The standing is ``believed``, ``contested`` or ``undecided``.
    """

    owner: str
    belief: str
    standing: str
    valid_from: int
    valid_to: int
    entry_from: int
    entry_to: int


def own_stretches(context: Context, pause: Pause = lambda: None) -> list[Stretch]:
    """The stretches of a hand's own beliefs: of each claim the telling that leads it, as worlds list them."""
    sweep, kept = _Sweep(context.owner), _Kept(context)
    for entry in context.raw.entries(owner=context.owner):
        world = World(context, 0, entry.seq)
        around = _everything(world) if _bears_on_all(context, entry) else _moved(world, entry)
        found: Strips = {}
        for each in around:
            pause()
            if kept.has(world, each):
                kept.take(world, each.tokens[0], sweep)
            else:
                kept.leave(world, each)
                found |= _leading_strips(world, each)
        sweep.take(entry.seq, found)
    return sweep.done()


def shared_stretches(context: Context, pause: Pause = lambda: None) -> list[Stretch]:
    """The stretches of what others share with a hand's owner, as far as it is open to them now."""
    found: set[Stretch] = set()
    for hand, chain in readables(context):
        sweep = _Sweep(hand.owner)
        around: set[str] = set()
        for belief in chain:
            around.update(tokens_of(hand.telling_entry(belief)))
        for entry in hand.raw.entries(owner=hand.owner):
            if around.isdisjoint(tokens_of(entry)) and not _bears_on_all(hand, entry):
                continue
            pause()
            strips, read = _chain_strips(World(hand, 0, entry.seq), chain)
            around |= read
            sweep.take(entry.seq, strips)
        found.update(sweep.done())
    return sorted(found)


class Around(NamedTuple):
    """The tokens of a component, and whether it can be read at all."""

    tokens: list[str]
    decided: bool = True


class _Sweep:
    """Strips that are open, each with the entry since which it is, and those that were closed."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._open: dict[str, dict[Strip, int]] = {}
        self._closed: list[Stretch] = []

    def take(self, seq: int, strips: Strips) -> None:
        """Note how the beliefs that an entry bears on stand from it on."""
        for belief, now in strips.items():
            were = self._open.setdefault(belief, {})
            for gone in sorted(were.keys() - now):
                self._close(belief, gone, were.pop(gone), seq)
            for new in now - were.keys():
                were[new] = seq

    def move(self, seq: int, belief: str, moved: Moved) -> None:
        """Note which strips of a belief went and came with an entry."""
        strips = self._open.setdefault(belief, {})
        for gone in sorted(moved.gone):
            self._close(belief, gone, strips.pop(gone), seq)
        strips.update(dict.fromkeys(moved.new, seq))

    def done(self) -> list[Stretch]:
        """All stretches, sorted; those that stand still are open."""
        for belief, strips in self._open.items():
            for strip, since in strips.items():
                self._close(belief, strip, since, FOREVER)
        self._open.clear()
        return sorted(self._closed)

    def _close(self, belief: str, strip: Strip, since: int, seq: int) -> None:
        start, end, standing = strip
        self._closed.append(Stretch(self._owner, belief, standing, start, end, since, seq))


class _Kept:
    """The slots whose timelines are kept, as far as a sweep has followed them."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._slots: dict[str, KeptSlot] = {}
        self._followed: set[str] = set()  # all that was known of them is in the sweep

    def has(self, world: World, around: Around) -> bool:
        """Whether some tokens are a slot of one name whose timeline is kept."""
        context, tokens = world.context, around.tokens
        return len(tokens) == 1 and context.alike(tokens) == {*tokens} and context.plain(tokens[0])

    def take(self, world: World, token: str, sweep: _Sweep) -> None:
        """Let a sweep know what moved on a slot up to an entry."""
        journal, owner, seq = self._context.raw, self._context.owner, world.point[1]
        slot = self._slots.get(token)
        if slot is None:
            slot = self._slots[token] = KeptSlot(journal.segments(owner, token))
        moved = slot.take(seq)
        if token in self._followed:
            for telling, each in sorted(moved.items()):
                entry = journal.entry(telling)
                assert entry is not None
                sweep.move(seq, entry.entry_id, each)
            return
        self._followed.add(token)
        told = [e for e in journal.touching(owner, [token], upto=seq) if e.body["op"] == "tell"]
        sweep.take(seq, {e.entry_id: slot.strips(e.seq) for e in told})

    def leave(self, world: World, around: Around) -> None:
        """What is read otherwise from an entry on is not followed until its timeline says it again."""
        self._followed -= world.context.alike(around.tokens)


def _bears_on_all(context: Context, entry: Entry) -> bool:
    """Whether an entry may change how tokens are read that it does not touch."""
    body = entry.body
    while body["op"] == "revert":
        target = context.raw.entry(body["target"])
        if target is None:
            return True
        body = target.body
    touched = (*tokens_of(entry), *body.get("on", ()))
    if body["op"] in _OF_ALL or any(t.endswith(("/*", "/declared")) for t in touched):
        return True
    if not context.raw.touched(context.owner, CONTRACTED):
        return False
    named = context.raw.touched(context.owner, ALIASES)
    then = context.as_known(entry.seq) if named else context
    return bool(within_ranges(then, touched, before=entry.seq))


def _moved(world: World, entry: Entry) -> Iterator[Around]:
    """The components that an entry bears on: of its tokens, and of what is derived from these, in turn."""
    context = world.context
    met: set[str] = set()
    frontier = sorted(tokens_of(entry))
    while frontier:
        token = frontier.pop()
        if token in met:
            continue
        around = _component(world, token)
        yield around
        met |= {token, *context.alike(around.tokens)}
        marks = [RESTS + each for each in around.tokens]
        for conclusion in context.journal.touching(context.owner, marks, upto=world.point[1]):
            frontier.extend(t for t in tokens_of(conclusion) if t not in met)


def _everything(world: World) -> Iterator[Around]:
    """The components of all that was told so far."""
    context = world.context
    met: set[str] = set()
    for entry in context.journal.entries(owner=context.owner, upto=world.point[1]):
        if entry.body["op"] != "tell":
            continue
        for token in tokens_of(entry):
            if token not in met:
                around = _component(world, token)
                yield around
                met |= {token, *context.alike(around.tokens)}


def _component(world: World, *tokens: str) -> Around:
    """The component of some tokens as a world reads it; one that is too large to be read is known, but not decided."""
    context, known = world.context, world.point[1]
    if len(tokens) == 1 and context.plain(tokens[0]):
        return Around(list(tokens))
    journal, owner = context.journal, context.owner
    try:
        return Around(component(journal, owner, tokens, upto=known, whole=False))
    except TooFarBack:
        return Around(list(tokens), decided=False)
    except NotDecided:
        whole = component(journal, owner, tokens, upto=known, whole=False, cap=_NO_CAP)
        return Around(whole, decided=False)


def _leading_strips(world: World, around: Around) -> Strips:
    """The strips of the beliefs on some tokens: of each claim the telling that leads it."""
    context = world.context
    if len(around.tokens) == 1 and context.plain(around.tokens[0]):
        return _plain_strips(world, around.tokens[0])
    ledger = context.ledger(around.tokens, upto=world.point[1])

    def words(valid: int) -> dict[str, str]:
        if not around.decided:
            raise NotDecided(_TOO_LARGE)
        reading = consolidated(context, ledger, valid)
        found = {t.entry_id: "believed" for t in reading.believed}
        return found | {t.entry_id: "contested" for group in reading.contested for t in group}

    return _over_time(context, ledger, words)


def _chain_strips(world: World, chain: Iterable[str]) -> tuple[Strips, set[str]]:
    """The strips of shared beliefs by the standing of each, and the tokens on which that depends."""
    context, known = world.context, world.point[1]
    found: Strips = {}
    read: dict[tuple[str, ...], Strips] = {}  # a chain is mostly of one slot, which is read once
    for belief in chain:
        entry = context.telling_entry(belief)
        if entry.seq > known:
            continue
        around = _component(world, *tokens_of(entry))
        tokens = tuple(around.tokens)
        if tokens not in read:
            read[tokens] = _standing_strips(world, around)
        found[belief] = read[tokens].get(belief, set())
    return found, context.alike(token for tokens in read for token in tokens)


def _standing_strips(world: World, around: Around) -> Strips:
    """The strips of all tellings on some tokens by the standing of each."""
    context = world.context
    ledger = context.ledger(around.tokens, upto=world.point[1])

    def words(valid: int) -> dict[str, str]:
        if not around.decided:
            raise NotDecided(_TOO_LARGE)
        standing = consolidated(context, ledger, valid).standing
        return {belief: word for belief, word in standing.items() if word in _SHOWN}

    return _over_time(context, ledger, words)


def _plain_strips(world: World, token: str) -> Strips:
    """The strips of a slot whose timeline is kept."""
    context, known = world.context, world.point[1]
    found: dict[int, list[Strip]] = {}
    for segment in context.journal.timeline(context.owner, token, known):
        word = _SHOWN[len(segment.believed) > 1]
        for seq in segment.believed:
            found.setdefault(seq, []).append((segment.valid_from, segment.valid_to, word))
    told = context.journal.touching(context.owner, [token], upto=known)
    return {e.entry_id: _joined(found.get(e.seq, [])) for e in told if e.body["op"] == "tell"}


def _over_time(context: Context, ledger: Ledger, words: Callable[[int], dict[str, str]]) -> Strips:
    """The strips of all tellings of a ledger, where ``words`` gives their standing at a valid time."""
    live = [t for t in ledger.tellings.values() if t.admitted and not t.withdrawn]
    bounds = {b for t in live for b in ledger.interval(t)} - {FOREVER}
    with suppress(NotDecided):  # then each of the readings says so as well
        bounds |= boundaries(context, ledger)
    found: dict[str, list[Strip]] = {t: [] for t in (*ledger.tellings, *ledger.reverted)}
    for start, end in pairwise([*sorted(bounds), FOREVER]):
        try:
            standing = words(start)
        except NotDecided:
            standing = {t.entry_id: "undecided" for t in live if ledger.in_force(t, start)}
        for belief, word in standing.items():
            found[belief].append((start, end, word))
    return {belief: _joined(strips) for belief, strips in found.items()}


def _joined(strips: Iterable[Strip]) -> set[Strip]:
    """Strips in order of time, those of one standing that touch as one."""
    found: list[Strip] = []
    for start, end, word in strips:
        if found and found[-1][1:] == (start, word):
            found[-1] = (found[-1][0], end, word)
        else:
            found.append((start, end, word))
    return set(found)
