"""Three moments, three worlds: 100k in staging, 250k in staging, 250k in production."""

from agm import attr
from agm_store import utc

TARGET = attr("checkout", "deployment_target")
BUDGET = attr("checkout", "token_budget")


def _told(store, clock):
    clock.moment = utc(2024, 1, 8)
    target = store.tell(TARGET == "staging", source="kick-off notes")
    budget = store.tell(BUDGET == 100_000, source="kick-off notes")
    clock.moment = utc(2024, 2, 12)
    store.update(budget.belief, BUDGET == 250_000, source="budget review")
    clock.moment = utc(2024, 3, 11)
    store.update(
        target.belief, TARGET == "production", at=utc(2024, 3, 9, 18), source="Monday stand-up"
    )
    clock.moment = utc(2024, 4, 1)


def test_each_moment_has_its_own_row(store, clock):
    _told(store, clock)
    rows = [
        (store.as_of(day).ask(BUDGET).value, store.as_of(day).ask(TARGET).value)
        for day in (utc(2024, 2, 1), utc(2024, 3, 1), utc(2024, 3, 20))
    ]
    assert rows == [(100_000, "staging"), (250_000, "staging"), (250_000, "production")]


def test_what_was_learnt_late_is_known_late(store, clock):
    _told(store, clock)
    sunday = utc(2024, 3, 10)
    assert store.as_of(sunday).ask(TARGET).value == "staging"
    assert store.at(valid=sunday).ask(TARGET).value == "production"


def test_an_update_of_the_budget_leaves_the_target_alone(store, clock):
    _told(store, clock)
    (before,) = store.as_of(utc(2024, 2, 1)).ask(TARGET).sides
    (after,) = store.as_of(utc(2024, 3, 1)).ask(TARGET).sides
    assert before.belief == after.belief
