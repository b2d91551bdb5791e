"""Stores under a clock that tests set: days are counted from the first of January 2024, in UTC."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from agm import attr, prop
from agm_store import open_store, utc

if TYPE_CHECKING:
    from datetime import datetime

    from agm_store import BeliefStore

START = utc(2024, 1, 1)
TTL = attr("cache", "ttl")


def day(number: float) -> datetime:
    """The moment so many days after the start."""
    return START + timedelta(days=number)


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, number: float = 0) -> None:
        self.moment = day(number)

    def __call__(self) -> datetime:
        return self.moment

    def on(self, number: float) -> None:
        """Set the clock to a day."""
        self.moment = day(number)


class Desk:
    """A store in memory and its clock, with short words for what tests ask again and again."""

    def __init__(self, path: Any = None, principal: str = "anna") -> None:
        self.clock = Clock()
        self.store: BeliefStore = open_store(path, principal=principal, clock=self.clock)

    def tell(self, claim: Any = None, *, on: float | None = None, **words: Any) -> str:
        """Tell something (on a day) and give the id of the belief."""
        return str(self.receipt(claim, on=on, **words).belief)

    def receipt(self, claim: Any = None, *, on: float | None = None, **words: Any) -> Any:
        """Tell something (on a day); ``since`` and ``till`` are days of validity."""
        if on is not None:
            self.clock.on(on)
        if "since" in words:
            words["valid_from"] = day(words.pop("since"))
        if "till" in words:
            words["valid_to"] = day(words.pop("till"))
        return self.store.tell(claim, **words)

    def value(self, valid: float | None = None, term: Any = TTL, *, known: Any = None) -> Any:
        """The value of a term on a day."""
        return self.answer(valid, term, known=known).value

    def answer(self, valid: float | None = None, term: Any = TTL, *, known: Any = None) -> Any:
        """The answer of a term on a day."""
        return self.world(valid, known=known).ask(term)

    def values(self, days: Any, term: Any = TTL) -> list[Any]:
        """The values of a term on several days."""
        return [self.value(d, term) for d in days]

    def world(self, valid: float | None = None, *, known: Any = None) -> Any:
        """The world on a day."""
        if isinstance(known, float):
            known = day(known)
        return self.store.at(valid=None if valid is None else day(valid), known=known)

    def side(self, belief: str, valid: float | None = None) -> Any:
        """A belief as it stands on a day."""
        return self.world(valid).standing(belief)

    def status(self, belief: str, valid: float | None = None) -> str:
        """The status of a belief on a day."""
        return str(self.side(belief, valid).status)

    def standing(self, belief: str, valid: float | None = None) -> str:
        """The standing of a belief on a day."""
        return str(self.side(belief, valid).standing)


def story() -> Any:
    """A store that went through most verbs, by a clock of its own."""
    desk = Desk()
    store, clock = desk.store, desk.clock
    host = attr("cache", "host")
    a = store.tell(TTL == 300, valid_from=day(0), source="log").belief
    store.tell(host == "x", entrenchment="observed")
    store.tell((TTL <= 100) | (host == "y"), entrenchment="documented")
    clock.on(1)
    b = store.update(a, TTL == 600, at=day(3))
    store.update(a, TTL == 900, at=day(2))
    store.tell((host == "y") >> prop("warm"), because=[a])
    store.tell(TTL == 5, entrenchment="untrusted")
    c = store.correct(b.belief, TTL == 601)
    store.revert(store.retract(c.belief).entry)
    store.reclassify(store.tell(TTL == 7, mode="question").entry, "hypothetical")
    store.contract(prop("warm"))
    store.constrain(TTL < 10_000)
    store.decide(store.inbox()[0], "approve")
    store.expire(a, at=day(0.75))
    store.tell(TTL == 300, valid_from=day(0.5))
    store.tell(text="a remark", source="chat")
    return store
