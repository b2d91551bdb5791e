"""Flags that lag behind: where only time has passed, a revert puts back what stood before, late flags included.

A change notices what time did to the conclusions near it.  Undoing an entry is no such change: what stands
again as it stood before that entry, and bears the same flags, is let be; a sweep looks at it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_propagation.consequences import Clear, Raise, Withdraw
from agm_store.artefacts import latest
from agm_store.flags import Place, standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_propagation.consequences import Step
    from agm_store.context import Context
    from agm_store.reading import Reading


def but_as_before(
    context: Context, steps: Sequence[Step], before: Reading, then: int
) -> list[Step]:
    """The steps of a revert but those about what stands, and is flagged, as it did at the entry ``then``.

    ``before`` is the reading at the present time of what was recorded up to then.
    """
    return [step for step in steps if not _as_before(context, step, before, then)]


def _as_before(context: Context, step: Step, before: Reading, then: int) -> bool:
    if isinstance(step, Withdraw) or not step.artefact:
        place = Place(step.belief if isinstance(step, Withdraw) else step.on)
        lacked = before.standing.get(place.name) == "unsupported"
    else:
        place = Place(step.on, artefact=True)
        version = latest(context, step.on)
        if version is None or version.seq > then:
            return False  # what its latest version rests on is another thing
        lacked = _lacked(context, step, before)
    if lacked != isinstance(step, Raise | Withdraw):
        return False
    now = {f.id for f in standing(context, [place])}
    return now == {f.id for f in standing(context, [place], upto=then)}


def _lacked(context: Context, step: Raise | Clear, before: Reading) -> bool:
    """Whether something that an artefact's flag names as lost was not believed."""
    lost = set(step.because) if isinstance(step, Raise) else set()
    if isinstance(step, Clear):
        flags = standing(context, [Place(step.on, artefact=True)])
        lost = {b for f in flags if f.kind == step.kind for b in f.because}
    claims = {t.identity for t in before.kept}
    return not claims.issuperset(context.identity(context.telling_entry(b)) for b in lost)
