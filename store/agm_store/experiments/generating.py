"""Conversations of each kind, drawn from seeds: `scenarios`, one function a kind.

The first three kinds are the post-mortem's. Everything about a slot but the one asked for is filler, and
lives as that does: it is told, changed and mentioned.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from agm_store.errors import InvalidArgument
from agm_store.experiments.conversations import Scenario
from agm_store.experiments.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

POSTMORTEM = ("buried-fact", "changed-value", "changed-value-and-reference")


def scenarios(n: int, *, seed: int = 0, kinds: Iterable[str] | None = None) -> Sequence[Scenario]:
    """``n`` conversations of each kind; conversation number i of a kind is drawn from the seed ``seed + i``.

    >>> [s.name for s in scenarios(2, seed=5, kinds=["correction"])]
    ['correction/5', 'correction/6']

    Raises:
        InvalidArgument: no count, no seed, or a kind that there is not.
    """
    for name, value, least in (("n", n, 1), ("seed", seed, 0)):
        if type(value) is not int or value < least:
            raise InvalidArgument(name, value, f"a whole number, {least} or more")
    asked = tuple(KINDS) if kinds is None else (kinds,) if isinstance(kinds, str) else tuple(kinds)
    for kind in asked:
        if kind not in KINDS:
            raise InvalidArgument("kinds", kind, f"one of {', '.join(KINDS)}")
    return tuple(_written(kind, seed + i) for kind in asked for i in range(n))


def _written(kind: str, seed: int) -> Scenario:
    writer = Writer(Random(f"{kind} {seed}"))  # noqa: S311  seeded draws are wanted
    KINDS[kind](writer)
    writer.ask()
    return Scenario(
        kind=kind,
        seed=seed,
        turns=tuple(writer.turns),
        meant=tuple(writer.meant),
        questions=tuple(writer.questions),
        right=tuple(writer.right),
    )


def _buried(w: Writer) -> None:
    """Told once, then a long talk about other things."""
    w.filler(0, 3)
    w.told()
    w.filler(12, 24)


def _changed(w: Writer) -> None:
    """Told, changed once or twice, and sometimes mentioned after that."""
    w.told()
    for _ in range(w.draw.randint(1, 2)):
        w.filler(2, 5)
        w.ask()
        w.update()
    for _ in range(w.draw.randint(0, 3)):
        w.filler(0, 3)
        w.mention()
    w.filler(1, 5)


def _referenced(w: Writer) -> None:
    """Told and changed; then it comes up again and again, its former values as often as the current one."""
    w.told()
    for _ in range(w.draw.randint(1, 2)):
        w.filler(2, 4)
        w.update()
    w.ask()
    w.filler(1, 3)
    w.reference()
    for _ in range(w.draw.randint(0, 4)):
        w.filler(0, 3)
        w.draw.choice((w.reference, w.mention))()
    w.filler(0, 3)


def _paraphrased(w: Writer) -> None:
    """Told and changed once, and mentioned in other words before and after that."""
    w.told()
    for step in (w.update, None):
        for _ in range(w.draw.randint(1, 3)):
            w.filler(0, 3)
            w.mention()
        if step is not None:
            w.ask()
            step()


def _corrected(w: Writer) -> None:
    """Told, and taken back as never true."""
    w.told()
    w.filler(2, 5)
    w.correction()
    for _ in range(w.draw.randint(0, 2)):
        w.filler(1, 3)
        w.mention()


def _overridden(w: Writer) -> None:
    """Told by the owner; guests name other values in passing, and sometimes the owner changes it after that."""
    w.told()
    for _ in range(w.draw.randint(1, 2)):
        w.filler(1, 4)
        w.override()
    w.ask()
    if w.draw.random() < 0.5:
        w.update()
        w.filler(1, 3)
        w.override()


def _late(w: Writer) -> None:
    """Told and changed; then comes word of a stretch in between."""
    w.told()
    w.filler(3, 6)
    w.update()
    w.filler(1, 4)
    w.late()
    w.filler(0, 3)


def _back(w: Writer) -> None:
    """Told, changed, and changed back."""
    w.told()
    w.filler(1, 4)
    w.update()
    w.filler(1, 4)
    w.ask()
    w.back()
    for _ in range(w.draw.randint(0, 2)):
        w.filler(0, 3)
        w.mention()


KINDS: dict[str, Callable[[Writer], None]] = {
    "buried-fact": _buried,
    "changed-value": _changed,
    "changed-value-and-reference": _referenced,
    "paraphrase": _paraphrased,
    "correction": _corrected,
    "casual-override": _overridden,
    "late-arrival": _late,
    "change-back": _back,
}
"""The kinds of conversations; the first three are the post-mortem's."""
