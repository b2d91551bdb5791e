"""What the activation hook decides on, and what it decides: a proposal and the ruling on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm_store.entries import BEFORE_ALL, FOREVER
from agm_store.errors import recorded

if TYPE_CHECKING:
    from agm import Verdict
    from agm_store.asking import Unrun
    from agm_store.ledger import Telling
    from agm_store.naming import Names
    from agm_store.tiers import Call


class Proposal:
    """A telling before it is decided what becomes of it."""

    __slots__ = (
        "bare",
        "body",
        "by_owner",
        "call",
        "decided",
        "end",
        "explicit",
        "held",
        "names",
        "place",
        "rank",
        "reason",
        "start",
        "targets",
        "tokens",
    )

    def __init__(
        self, body: dict[str, Any], *, rank: int, start: int, end: int, explicit: bool
    ) -> None:
        self.body = body
        self.rank = rank
        self.start = start
        self.end = end
        self.explicit = explicit
        self.tokens: list[str] = body.get("on") or ([body["slot"]] if "slot" in body else [])
        self.targets: frozenset[str] = frozenset()
        """The tellings that it retires by directive."""
        self.reason: str | None = None
        self.by_owner = False
        """Whether the owner's own verb named the target."""
        self.place: Telling | None = None
        """The telling whose start and place in the order it takes over."""
        self.decided = False
        """Whether a person has decided: the checks run, and hold nothing."""
        self.bare = False
        """Whether its entry can carry neither directives nor links."""
        self.held = False
        """Whether it will be held, whatever the checks say."""
        self.call: Call | None = None
        """The call of a verb that it is part of."""
        self.names: Names | None = None
        """The names that its entities have when it is decided on."""

    @property
    def identity(self) -> str:
        """The claim as the ledger names it."""
        text: str = self.body["claim"]
        return text if self.names is None else self.names.claim(text)

    @property
    def order_start(self) -> int:
        """The start as it counts among claims of one rank."""
        if self.place is not None:
            return self.place.order_start
        return BEFORE_ALL if self.body.get("undated") else self.start

    @property
    def defaulted(self) -> bool:
        """Whether its start was defaulted, so that the journal's order decides its ties."""
        if self.place is not None:
            return self.place.defaulted
        return bool(self.body.get("default"))

    @property
    def heard(self) -> int:
        """The seq under which it was told, when it is looked at again; FOREVER for what is told now."""
        return FOREVER if self.place is None else self.place.seq

    def earlier(self, other: Telling) -> bool:
        """Whether it stands before another telling in the journal's order, by the place that it takes over."""
        return self.place is not None and self.place.order_seq < other.order_seq


class Ruling:
    """What was decided of a proposal, and which checks said so."""

    __slots__ = (
        "checked",
        "contested_with",
        "fields",
        "kernels",
        "not_checked",
        "notices",
        "resolves",
        "retired",
        "state",
        "unrun",
        "why",
    )

    def __init__(self) -> None:
        self.state = "admitted"
        self.why: list[str] = []
        self.checked: list[tuple[str, Verdict, str]] = []
        self.not_checked: list[str] = []
        self.notices: list[str] = []
        self.retired: list[Telling] = []
        self.contested_with: list[Telling] = []
        self.kernels: dict[str, tuple[str, ...]] = {}
        self.unrun: list[Unrun] = []
        """The checks that gave no answer, to be run again."""
        self.resolves: list[dict[str, Any]] = []
        """Directives that a machine found, in force when the newcomer is admitted."""
        self.fields: dict[str, Any] = {}
        """What else the entry says of what the checks found."""

    def merge(self, found: Ruling) -> None:
        """Take over what was found of the directives before."""
        self.unrun += found.unrun
        self.not_checked += found.not_checked
        spent = self.fields.get("spent", 0) + found.fields.get("spent", 0)
        self.fields |= found.fields
        if spent:
            self.fields["spent"] = spent

    def hold(self, why: str) -> None:
        """Hold the newcomer; a state decided before stays."""
        if self.state == "admitted":
            self.state = "held"
        self.why.append(recorded(why))
