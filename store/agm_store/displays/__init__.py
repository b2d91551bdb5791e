"""What notebooks see of a store: its records, terms over time, maps of both time axes, and what supports what.

`records` finds the display of a record, `sides` has the tables of tellings, `spans` the bars of `Timeline`
and `History`, `axes` what was believed of a term when (`two_axes`), `support` the graph of what stands by
what (`support_map`). All are made by the three primitives of `agm.displays`.
"""

from __future__ import annotations

from agm_store.displays.axes import TwoAxes, two_axes
from agm_store.displays.support import SupportMap, support_map

__all__ = ["SupportMap", "TwoAxes", "support_map", "two_axes"]
