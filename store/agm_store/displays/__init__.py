"""What notebooks see of a store: its records, terms over time, maps of both time axes, and what supports what.

`records` finds the display of a record, `sides` has the tables of tellings, `spans` the bars of `Timeline`
and `History`, `axes` what was believed of a term when (`two_axes`), `support` the graph of what stands by
what (`support_map`), `experiments` the tables of an experiment. All are made by the three primitives of
`agm.displays`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm_store.displays.axes import TwoAxes, two_axes
    from agm_store.displays.support import SupportMap, support_map

__all__ = ["SupportMap", "TwoAxes", "support_map", "two_axes"]

_ROOMS = {"SupportMap": "support", "TwoAxes": "axes", "support_map": "support", "two_axes": "axes"}


def __getattr__(name: str) -> object:
    """Load the room of a public name."""
    room = _ROOMS.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{room}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
