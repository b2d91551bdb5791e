"""What 18 releases of the time-zone database said of Beirut, on both axes of time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agm import Vocabulary, attr
from agm.jsonform import loads_strict
from agm_store import open_store, utc
from agm_store.ingest import ReplayClock, ingest
from agm_store.lines import numbered

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "timezones"
BEIRUT = attr("Asia/Beirut", "utc_offset")
APRIL = utc(2023, 4, 1)
PUT_OFF = datetime(2023, 3, 24, 14, 37, 12, tzinfo=UTC)
TAKEN_BACK = datetime(2023, 3, 29, 1, 40, 20, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def zones(request, tmp_path_factory):
    path = None if request.param == "memory" else tmp_path_factory.mktemp("zones") / "zones.db"
    vocabulary = Vocabulary.from_json(loads_strict((EXAMPLES / "vocabulary.json").read_bytes()))
    clock = ReplayClock()
    with open_store(path, principal="anna", replay=True, clock=clock) as store:
        with (EXAMPLES / "statements.jsonl").open("rb") as lines:
            receipt = ingest(store, numbered(lines), vocabulary=vocabulary, clock=clock)
        clock.moment = datetime.now(UTC)
        yield store, receipt


def test_every_statement_is_told_and_every_directive_applies(zones):
    _, receipt = zones
    assert (receipt.told, receipt.superseded) == (1723, 525)
    assert (receipt.held, receipt.contested, receipt.refused) == (0, 0, ())


@pytest.mark.parametrize(
    ("known", "offset", "source"),
    [
        (PUT_OFF - SECOND, 10_800, "tzdata 2020.1"),
        (PUT_OFF, 7_200, "tzdata 2023.2"),
        (TAKEN_BACK - SECOND, 7_200, "tzdata 2023.2"),
        (TAKEN_BACK, 10_800, "tzdata 2023.3"),
    ],
)
def test_the_first_of_april_has_an_answer_for_each_day_of_asking(zones, known, offset, source):
    store, _ = zones
    answer = store.at(valid=APRIL, known=known).ask(BEIRUT)
    assert (answer.value, answer.sides[0].source) == (offset, source)


def test_the_plan_was_corrected_and_the_delay_ended(zones):
    store, _ = zones
    plan = store.at(valid=APRIL, known=PUT_OFF - SECOND).ask(BEIRUT).sides[0]
    delay = store.at(valid=APRIL, known=PUT_OFF).ask(BEIRUT).sides[0]
    assert store.why(plan.belief).reason == "correction"
    assert store.why(delay.belief).reason == "temporal_change"
    assert store.why(delay.belief).replaced_by.endswith(":2023.3")
    assert plan.replaced_by is None, "a past answer does not know what came after"


def test_the_same_file_again_writes_nothing(zones):
    store, _ = zones
    entries = store.stats().entries
    with (EXAMPLES / "statements.jsonl").open("rb") as lines:
        again = ingest(store, numbered(lines), clock=store._context.clock)
    store._context.clock.moment = datetime.now(UTC)
    assert (again.told, again.heard_before) == (0, 1723)
    assert store.stats().entries == entries
