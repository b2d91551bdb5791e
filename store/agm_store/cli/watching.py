"""Progress of long work, for whoever watches: one line on a terminal's stderr, gone when the work is done."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from agm_store.tables import inert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

PATIENCE, PACE = 0.5, 0.1
"""Seconds before anything is shown, and between two showings: short work shows nothing."""


class Watch:
    """Shows how much of some work is done; called with how many, of how many, and what is at hand."""

    def __init__(
        self, label: str, stream: TextIO, *, clock: Callable[[], float] = monotonic
    ) -> None:
        self._label, self._stream, self._clock = label, stream, clock
        self._next = clock() + PATIENCE
        self._shown = False

    def __call__(self, done: int, total: int, name: str = "") -> None:
        """Show it, when it is time; where nobody knows how many there are, what is at hand."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + PACE
        how = f"{done} of {total} ({100 * done // total} %)" if total else inert(name)
        self._stream.write(f"\r\x1b[K{self._label}: {how}")
        self._stream.flush()
        self._shown = True

    def end(self) -> None:
        """Leave the line as it was."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


@contextmanager
def watched(label: str) -> Iterator[Watch | None]:
    """What is told of progress while some work is done; None where nobody watches."""
    import os

    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    watch = Watch(label, sys.stderr)
    try:
        yield watch
    finally:
        watch.end()
