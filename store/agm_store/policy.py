"""What a machine may retire without a person, and what becomes of conclusions whose support is gone.

A `Policy` is a frozen value given to `open_store`.  It bounds only what machines decide: an owner's own
verb on a target that it names is that person's decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from agm_store.errors import InvalidArgument

if TYPE_CHECKING:
    from agm_propagation.consequences import Policy as Unsupported

UNSUPPORTED = ("flag", "retract")
MAX_DAYS = 36_500
"""The longest time that a policy may let reviews wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The bounds within which a machine retires beliefs.

    >>> Policy(auto=0.9).judge
    0.4
    """

    auto: float = 0.7
    """From this confidence on, a directive or a verdict is applied without asking."""
    judge: float = 0.4
    """From this confidence on the judge is asked; below it, a person."""
    retirements: int = 10
    """Tellings that one call may retire by directives and verdicts; one more and all are held."""
    source_retirements: int = 100
    """Tellings that one source may retire so within ``source_window`` of recorded time; more are held."""
    source_window: timedelta = timedelta(days=1)
    whole_list: int = 2
    """From this length on, a batch that retracts every belief of its list is held."""
    precision: float | None = None
    """The share of right retirements, as decisions and reverts measured it, below which no verdict class is applied."""
    review_days: int | None = None
    """Days after which a review that nobody decided is dismissed by a rescan, with an entry; None for never."""
    unsupported: Unsupported = "flag"
    """What becomes of a conclusion whose support is gone: it is flagged, or withdrawn as well."""

    def __post_init__(self) -> None:
        for name in ("auto", "judge", *(() if self.precision is None else ("precision",))):
            if not _is_share(getattr(self, name)):
                raise InvalidArgument(name, getattr(self, name), "a number from 0 to 1")
        if self.judge > self.auto:
            raise InvalidArgument("judge", self.judge, f"at most auto, which is {self.auto}")
        for name in ("retirements", "source_retirements", "whole_list"):
            value = getattr(self, name)
            if type(value) is not int or value < 0:
                raise InvalidArgument(name, value, "a count, 0 or more")
        days = self.review_days
        if days is not None and not (type(days) is int and 0 < days <= MAX_DAYS):
            raise InvalidArgument("review_days", days, f"days, from 1 to {MAX_DAYS}, or None")
        if not _is_window(self.source_window):
            raise InvalidArgument("source_window", self.source_window, "a timedelta above zero")
        if self.unsupported not in UNSUPPORTED:
            raise InvalidArgument("unsupported", self.unsupported, " or ".join(UNSUPPORTED))


def policy_of(given: object) -> Policy:
    """A policy as it was given; the word for what becomes of unsupported conclusions stands for one.

    Raises:
        InvalidArgument: it is neither.
    """
    if isinstance(given, Policy):
        return given
    if given == "flag":
        return Policy()
    if given == "retract":
        return Policy(unsupported="retract")
    raise InvalidArgument("policy", given, "a Policy, or " + " or ".join(UNSUPPORTED))


def _is_share(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 <= value <= 1


def _is_window(value: object) -> bool:
    return isinstance(value, timedelta) and value > timedelta(0)
