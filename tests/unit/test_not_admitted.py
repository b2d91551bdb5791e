"""A value that was told, and not admitted, before what stands began is as old news as one that was retired."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agm import attr, parse, solver
from agm.directives import Extraction, Fact, Resolves, Shown
from agm.verdicts import Undecided
from agm_store import open_store, utc

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from agm import Claim
    from agm_store import BeliefStore, Receipt

TTL, HOST = attr("cache", "ttl", of=int), attr("cache", "host", of=int)
RULE = "ttl(cache) = 7 -> warm"
"""Makes the slot one of a component, whose newcomers are read with all of it."""


class Room:
    """A store whose clock goes on by an hour before each statement."""

    def __init__(self) -> None:
        self.hour = 0
        self.store: BeliefStore = open_store(
            None, principal="anna", clock=lambda: utc(2026, 1, 1, self.hour)
        )

    def tell(self, claim: Claim, *, entrenchment: str = "asserted", **more: object) -> Receipt:
        self.hour += 1
        return self.store.tell(claim, entrenchment=entrenchment, **more)  # type: ignore[arg-type]

    def unsure(
        self,
        claim: Claim,
        old: Receipt,
        entrenchment: str = "asserted",
        since: datetime | None = None,
    ) -> str:
        """A change that a model is not sure of: held."""
        self.hour += 1
        resolves = Resolves(session_index=0, action="supersede", reason="temporal_change")
        fact = Fact(claim=claim, resolves=[resolves], confidence=0.3, valid_from=since)
        found = self.store.tell_all(
            Extraction(shown=Shown(beliefs=[old.belief]), facts=(fact,)),
            entrenchment=entrenchment,
            source="chat",
        )
        (held,) = found.in_review
        return held.new.belief

    def entry(self, belief: str) -> int:
        return self.store.at().standing(belief).entry

    @property
    def value(self) -> object:
        return self.store.ask(TTL).value


@pytest.fixture(params=["a slot", "a component"])
def room(request: pytest.FixtureRequest) -> Room:
    made = Room()
    if request.param == "a component":
        made.tell(parse(RULE))
    return made


def test_a_value_not_admitted_before_what_stands_began_comes_back_only_marked(room: Room) -> None:
    first = room.tell(TTL == 1)
    room.unsure(TTL == 2, first)
    third = room.tell(TTL == 3)
    again = room.tell(TTL == 2, source="log")
    assert again.status == "held"
    said = f"a value that was told, and not admitted, before {third.belief} began"
    assert any(said in notice for notice in again.notices)
    assert room.value == 3
    room.hour += 1
    assert room.tell(TTL == 2, valid_from=utc(2026, 1, 1, room.hour)).status == "active"
    assert room.value == 2


def test_only_what_began_since_is_named(room: Room) -> None:
    first = room.tell(TTL == 1, valid_to=utc(2026, 2, 1))  # it goes on under what interrupts it
    room.unsure(TTL == 2, first)
    third = room.tell(TTL == 3)
    again = room.tell(TTL == 2, source="log")
    assert again.status == "held"
    assert any(f"and not admitted, before {third.belief} began" in n for n in again.notices)


def test_it_comes_back_as_news_where_nothing_was_told_since(room: Room) -> None:
    room.unsure(TTL == 2, room.tell(TTL == 1))
    assert room.tell(TTL == 2).status == "active"
    assert room.value == 2


def test_a_word_on_the_past_after_what_stands_began_keeps_no_news_out(room: Room) -> None:
    room.tell(TTL == 3)
    room.tell(TTL == 2, mode="historical", valid_from=utc(2025, 12, 1))
    assert room.tell(TTL == 2).status == "active"


def test_what_began_before_though_it_was_told_later_keeps_no_news_out(room: Room) -> None:
    room.tell(TTL == 2, mode="historical")
    room.tell(TTL == 3, valid_from=utc(2025, 12, 1))
    assert room.tell(TTL == 2).status == "active"
    assert room.value == 2


def test_what_stood_before_and_was_only_said_again_did_not_begin_since(room: Room) -> None:
    first = room.tell(TTL == 1)
    room.unsure(TTL == 2, first)
    room.tell(TTL == 1)
    assert room.tell(TTL == 2).status == "active"
    assert room.value == 2


def test_a_stronger_source_is_heard_where_a_weaker_was_not_admitted(room: Room) -> None:
    first = room.tell(TTL == 1, entrenchment="observed")
    room.unsure(TTL == 2, first, entrenchment="observed")
    room.tell(TTL == 3, entrenchment="observed")
    assert room.tell(TTL == 2, entrenchment="observed").status == "held"
    assert room.tell(TTL == 2, entrenchment="documented").status == "active"
    assert room.value == 2


def test_a_person_who_refused_it_changes_nothing(room: Room) -> None:
    room.unsure(TTL == 2, room.tell(TTL == 1))
    room.tell(TTL == 3)
    (review,) = room.store.inbox()
    room.store.decide(review, "dismiss")
    assert room.tell(TTL == 2).status == "held"


def test_what_was_said_to_be_past_before_what_stands_began_comes_back_only_marked(
    room: Room,
) -> None:
    room.tell(TTL == 2, mode="historical")
    room.tell(TTL == 3)
    assert room.tell(TTL == 2).status == "held"
    assert room.value == 3


def test_a_remark_after_what_stands_began_keeps_no_news_out(room: Room) -> None:
    """It may have been the news itself, misread."""
    room.tell(TTL == 3)
    room.tell(TTL == 2, mode="historical")
    assert room.tell(TTL == 2).status == "active"
    assert room.value == 2


@pytest.mark.parametrize("mode", ["hypothetical", "reported", "question"])
def test_who_does_not_say_that_it_is_or_was_so_has_not_said_it(room: Room, mode: str) -> None:
    room.tell(TTL == 2, mode=mode)
    room.tell(TTL == 3)
    assert room.tell(TTL == 2).status == "active"


@pytest.mark.parametrize("undo", ["revert", "reclassify"])
def test_what_was_taken_back_or_read_as_a_question_was_not_heard(room: Room, undo: str) -> None:
    held = room.unsure(TTL == 2, room.tell(TTL == 1))
    room.tell(TTL == 3)
    again: Callable[[], object] = {
        "revert": lambda: room.store.revert(room.entry(held)),
        "reclassify": lambda: room.store.reclassify(room.entry(held), "question"),
    }[undo]
    again()
    assert room.tell(TTL == 2).status == "active"
    assert room.value == 2


def test_the_names_of_one_entity_are_heard_as_one(room: Room) -> None:
    room.unsure(TTL == 2, room.tell(TTL == 1))
    room.store.alias("buffer", "cache")
    room.tell(TTL == 3)
    assert room.tell(attr("buffer", "ttl", of=int) == 2).status == "held"


def test_another_value_or_slot_is_no_re_statement(room: Room) -> None:
    room.unsure(TTL == 2, room.tell(TTL == 1))
    room.tell(TTL == 3)
    assert room.tell(HOST == 2).status == "active"
    assert room.tell(TTL == 4).status == "active"


def test_a_belief_that_is_looked_at_again_was_not_heard_before_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = Room()
    room.tell(TTL == 1)
    room.tell(parse("ttl(cache) = 1 | p"))
    with monkeypatch.context() as patched:
        for name in ("admits", "state"):
            patched.setattr(solver.Scratch, name, lambda *_: Undecided("none", "planted"))
        held = room.tell(TTL == 2)
        assert held.status == "held"
    room.tell(TTL == 3)
    room.hour += 23 - room.hour
    room.store.rescan()
    assert room.store.at().standing(held.belief).status == "superseded"
    assert room.value == 3


def test_what_was_announced_comes_back_as_news_once_it_has_begun(room: Room) -> None:
    """Held when it was announced, and another value was told before it was to begin."""
    room.unsure(TTL == 2, room.tell(TTL == 1), since=utc(2026, 1, 1, 20))
    room.tell(TTL == 3)
    room.hour = 20
    assert room.tell(TTL == 2).status == "active"
    assert room.value == 2


def test_a_remark_and_what_stands_of_one_message_are_of_one_time_in_their_order(room: Room) -> None:
    room.hour += 1
    facts = (
        Fact(claim=TTL == 2, mode="historical", confidence=0.9),
        Fact(claim=TTL == 3, confidence=0.9),
    )
    told = room.store.tell_all(
        Extraction(shown=Shown(beliefs=[]), facts=facts), entrenchment="asserted", source="chat"
    ).told
    assert [r.status for r in told] == ["noted", "active"]
    assert room.tell(TTL == 2).status == "held"
    assert room.value == 3


def test_a_clock_that_stands_still_lets_no_memory_in_and_keeps_no_news_out(room: Room) -> None:
    first = room.tell(TTL == 1)
    room.unsure(TTL == 2, first)
    room.store.tell(TTL == 3)
    assert room.store.tell(TTL == 2).status == "held"
    room.store.tell(TTL == 4, mode="historical")
    assert room.store.tell(TTL == 4).status == "active"
    assert room.value == 4


def test_a_start_that_was_said_is_before_what_is_recorded_at_that_time(room: Room) -> None:
    room.tell(TTL == 2, mode="historical")
    room.store.tell(TTL == 3, valid_from=utc(2026, 1, 1, room.hour))
    assert room.tell(TTL == 2).status == "active"


def test_the_receipt_names_what_began_since_and_nothing_else(room: Room) -> None:
    """An exception stands over a value that stood before the remark."""
    room.tell(TTL == 1)
    room.tell(TTL == 2, mode="historical")
    room.hour += 1
    exception = room.store.tell(
        TTL == 3, valid_from=utc(2026, 1, 1, room.hour), valid_to=utc(2026, 1, 1, room.hour + 5)
    )
    (said,) = room.tell(TTL == 2).notices
    assert f"not admitted, before {exception.belief} began;" in said


def test_what_is_looked_at_again_is_judged_by_what_stood_when_it_was_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The remark is older than what stands now, not than what stood when the news was told."""
    room = Room()
    room.tell(TTL == 1)
    room.tell(parse("ttl(cache) = 1 | p"))
    room.tell(TTL == 2, mode="historical")
    with monkeypatch.context() as patched:
        for name in ("admits", "state"):
            patched.setattr(solver.Scratch, name, lambda *_: Undecided("none", "planted"))
        news = room.tell(TTL == 2)
        assert news.status == "held"
    room.tell(TTL == 3)
    room.hour += 23 - room.hour
    room.store.rescan()
    assert room.store.at().standing(news.belief).status == "superseded"
    assert room.value == 3


def test_two_that_are_contested_stand_against_what_comes_back(room: Room) -> None:
    room.tell(TTL == 1)
    room.tell(TTL == 2, mode="historical")
    start = utc(2026, 1, 1, room.hour + 1)
    one, other = (room.store.tell(value == TTL, valid_from=start) for value in (3, 4))
    assert room.store.at(valid=start).ask(TTL).contested
    room.hour += 1
    for told, since in ((1, "retired"), (2, "not admitted")):
        back = room.tell(told == TTL)
        assert back.status == "held"
        (said,) = back.notices
        assert since in said
        assert one.belief in said or other.belief in said
    weaker = room.tell(TTL == 5, entrenchment="observed")
    assert "justification" not in str(weaker.notices)


def test_what_is_in_force_and_only_outranked_was_admitted(room: Room) -> None:
    room.tell(TTL == 2, mode="historical")
    room.tell(TTL == 3, entrenchment="documented")
    assert room.tell(TTL == 2, entrenchment="observed").status == "held"
    room.store.tell(TTL == 2, entrenchment="observed", valid_from=utc(2026, 1, 1, room.hour))
    assert room.tell(TTL == 2, entrenchment="documented").status == "active"


def test_of_two_that_are_contested_each_may_have_begun_since(room: Room) -> None:
    room.tell(TTL == 2, mode="historical")
    one = room.store.tell(TTL == 3)
    room.store.tell(TTL == 4, valid_from=utc(2026, 1, 1, room.hour))
    back = room.store.tell(TTL == 2)
    assert back.status == "held"
    assert f"before {one.belief} began;" in back.notices[0]


def test_what_is_only_to_begin_does_not_stand_against_what_was_retired(room: Room) -> None:
    room.store.retract(room.tell(TTL == 2).belief)
    room.tell(TTL == 3, valid_from=utc(2026, 2, 1), valid_to=utc(2026, 2, 5))
    back = room.tell(TTL == 2)
    assert back.status == "active"
    assert "this value was retired before; it is believed again" in back.notices
    assert room.store.at(valid=utc(2026, 2, 3)).ask(TTL).value == 3
