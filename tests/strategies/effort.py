"""Work counted instead of timed: how many lines of the store run for a question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


def lines(action: Callable[[], object]) -> int:
    """How many lines of the packages run in an action, those of loops each time."""
    count = 0

    def inside(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return inside

    def enter(frame: FrameType, event: str, arg: Any) -> Any:
        return inside if "agm" in str(frame.f_globals.get("__name__")) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        action()
    finally:
        sys.settrace(before)
    return count
