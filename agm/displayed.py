"""What has a display: in a notebook a value shows as HTML, which `agm.displays` makes when it is asked for."""

from __future__ import annotations


class Displayed:
    """A value that notebooks show by `agm.displays.html`, as text where that has no display of it."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        from agm.displays.values import html

        return html(self)
