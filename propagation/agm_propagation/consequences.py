"""What follows from a change: which flags to raise, which to clear, which conclusions to withdraw.

`consequences` is a pure function from what a change did to the things downstream of it to the steps that
are to be recorded.  Whether a belief is believed is worked out elsewhere and given here (`Affected`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agm_propagation.flags import How, Kind

Policy = Literal["flag", "retract"]
"""What becomes of a conclusion whose support is gone: it is flagged, or flagged and withdrawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Affected:
    """One conclusion downstream of a change, as it stands after it."""

    belief: str
    live: bool
    """Whether the telling is admitted and not withdrawn."""
    standing: str
    """Its standing now: believed, contested, outranked, overridden, unsupported or not_in_force."""
    missing: tuple[str, ...] = ()
    """The premises that are not believed, sorted."""
    fresh: bool = True
    """Whether it was the change that took the support away, and not time or something unrecorded."""
    descriptor: bool = False
    """Whether it is what an artefact says of itself."""
    stood: bool = False
    """Whether one of its justifications held once: then it was true, and is no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raise:
    """A flag to be raised."""

    kind: Kind
    on: str
    because: tuple[str, ...] = ()
    fresh: bool = True
    artefact: bool = False
    """Whether ``on`` names an artefact, not a belief."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear:
    """The flags of one kind on a belief or an artefact, to be cleared."""

    kind: Kind
    on: str
    how: How
    artefact: bool = False
    """Whether ``on`` names an artefact, not a belief."""
    flags: tuple[str, ...] = ()
    """Only those with these ids; all of the kind when there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """A conclusion to be withdrawn because nothing supports it.

    One that ``stood`` ends now and stays true of the past; any other was never true.
    """

    belief: str
    because: tuple[str, ...] = ()
    stood: bool = False


Step = Raise | Clear | Withdraw


def consequences(
    affected: Iterable[Affected],
    flagged: Mapping[str, frozenset[str]],
    *,
    siblings: Mapping[str, Sequence[str]] | None = None,
    artefacts: Mapping[str, Sequence[str]] | None = None,
    regained: Mapping[str, Sequence[str]] | None = None,
    policy: Policy = "flag",
) -> list[Step]:
    """The steps that a change asks for, in order of the ids they concern.

    ``flagged`` gives the kinds of flags that stand on each of the affected; ``siblings`` for each other
    conclusion of a corrected belief's origin the corrected beliefs that no flag on it names; ``artefacts``
    for each artefact that rests on something lost what was lost and no flag on it names; ``regained`` for
    each artefact the ids of its flags of which everything lost is believed again.  The same input gives
    the same steps, and asking again with what has become of it gives none.
    """
    steps: list[Step] = []
    for one in sorted(affected, key=lambda a: a.belief):
        steps += _of_conclusion(one, flagged.get(one.belief, frozenset()), policy)
    # one for each change: the reasons add up, and each is undone with its own change
    for belief, corrected in sorted((siblings or {}).items()):
        steps.append(Raise(kind="sibling_retired", on=belief, because=tuple(sorted(corrected))))
    for artefact, lost in sorted((artefacts or {}).items()):
        because = tuple(sorted(lost))
        steps.append(Raise(kind="needs_resynthesis", on=artefact, because=because, artefact=True))
    for artefact, flags in sorted((regained or {}).items()):
        back = tuple(sorted(flags))
        steps.append(
            Clear(kind="needs_resynthesis", on=artefact, how="supported", artefact=True, flags=back)
        )
    return steps


def _of_conclusion(one: Affected, flagged: frozenset[str], policy: Policy) -> list[Step]:
    if not one.live:
        return [Clear(kind=kind, on=one.belief, how="retired") for kind in _sorted(flagged)]
    kind: Kind = "needs_resynthesis" if one.descriptor else "support_lost"
    if one.standing == "not_in_force":
        return []
    if one.standing != "unsupported":
        return [Clear(kind=kind, on=one.belief, how="supported")] if kind in flagged else []
    steps: list[Step] = []
    if kind not in flagged:
        steps.append(Raise(kind=kind, on=one.belief, because=one.missing, fresh=one.fresh))
    if policy == "retract" and not one.descriptor:
        steps.append(Withdraw(belief=one.belief, because=one.missing, stood=one.stood))
        kinds = _sorted({*flagged, kind})
        steps += [Clear(kind=k, on=one.belief, how="retired") for k in kinds]
    return steps


def _sorted(kinds: Iterable[str]) -> list[Kind]:
    from agm_propagation.flags import KINDS

    return [kind for kind in KINDS if kind in kinds]  # type: ignore[misc]  # they are the kinds
