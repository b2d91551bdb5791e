"""The reading pass over tellings in force: ids and the order of listing decide nothing."""

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from agm.entrenchment import EntrenchmentOrder
from agm_store.entries import Body, Entry
from agm_store.ledger import Ledger, fold
from agm_store.pads import SlotPad
from agm_store.reading import Reading, outcomes_of, read, read_tellings

rank = EntrenchmentOrder().rank
SLOTS = ("f(a)", "f(b)", "f(c)")


def tell(slot: str, value: str, start: int, **more: object) -> Body:
    return {
        "op": "tell", "mode": "assertion", "state": "admitted", "class": "asserted", "claim": f"{slot} = {value}",
        "slot": slot, "value": value, "from": start, **more,
    }  # fmt: skip


@st.composite
def tellings(draw: st.DrawFn) -> list[Body]:
    """Bounded tellings on three slots, so that all of them are in force at time 5; some are derived."""
    bodies: list[Body] = []
    for number in range(draw(st.integers(1, 8))):
        body = tell(
            draw(st.sampled_from(SLOTS)), draw(st.sampled_from("12")), draw(st.integers(0, 3)), to=9
        )
        body["class"] = draw(st.sampled_from(["asserted", "documented", "observed"]))
        if draw(st.integers(0, 3)) == 0:
            body["default"] = True
        if number and draw(st.integers(0, 2)) == 0:
            premises = st.integers(1, number + 2).map(
                lambda n: f"b{n}"
            )  # forward ones too: circles and gaps
            body["because"] = sorted(draw(st.sets(premises, min_size=1, max_size=2)))
        bodies.append(body)
    return bodies


def ledger_of(bodies: list[Body]) -> Ledger:
    return fold(
        [Entry(n, "anna", f"b{n}", 0, body) for n, body in enumerate(bodies, start=1)], rank
    )


def shown(reading: Reading) -> tuple[object, ...]:
    believed = [t.entry_id for t in reading.believed]
    return (
        believed,
        [[t.entry_id for t in sides] for sides in reading.contested],
        dict(sorted(reading.standing.items())),
    )


def test_the_order_of_listing_decides_nothing() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=200)
    @given(tellings(), st.integers(0, 99))
    def check(bodies: list[Body], seed: int) -> None:
        ledger = ledger_of(bodies)
        found = read(ledger, 5, SlotPad)
        listed = list(ledger.tellings.values())
        random.Random(seed).shuffle(listed)
        assert shown(read_tellings(ledger, listed, SlotPad)) == shown(found)
        seen.update(found.standing.values())

    check()
    assert (
        min(
            seen[word]
            for word in ("believed", "contested", "outranked", "overridden", "unsupported")
        )
        > 2
    ), seen


@settings(max_examples=200)
@given(tellings())
def test_what_is_believed_fits_together_and_stands_on_what_is_kept_in_each_order(
    bodies: list[Body],
) -> None:
    ledger = ledger_of(bodies)
    reading = read(ledger, 5, SlotPad)
    values = [(t.slot, t.value) for t in reading.believed]
    assert len({slot for slot, _ in values}) == len(values)
    for kept in outcomes_of(ledger, list(ledger.tellings.values()), SlotPad):
        for telling in reading.believed:
            group = [t for t in ledger.tellings.values() if t.identity == telling.identity]
            told = any(not t.derived for t in group)
            assert told or any(kept.issuperset(b) for t in group for b in t.because)


def test_what_follows_either_way_is_believed_though_each_way_is_contested() -> None:
    """A conclusion of both sides of a tie (a floating conclusion, Horty 2002) is kept in every order."""
    ledger = ledger_of(
        [
            tell("f(a)", "1", 0),
            tell("f(a)", "2", 0),
            tell("f(b)", "1", 0, because=["b1"]),
            tell("f(b)", "1", 0, because=["b2"]),
        ]
    )
    words = read(ledger, 5, SlotPad).standing
    assert words == dict.fromkeys(("b1", "b2"), "contested") | dict.fromkeys(
        ("b3", "b4"), "believed"
    )


@settings(max_examples=200)
@given(tellings())
def test_every_telling_in_force_has_a_standing_and_claims_share_it(bodies: list[Body]) -> None:
    ledger = ledger_of(bodies)
    reading = read(ledger, 5, SlotPad)
    assert reading.standing.keys() == ledger.tellings.keys()
    for claim in ledger.claims.values():
        assert len({reading.standing[t.entry_id] for t in claim}) == 1


def test_a_circle_supports_nothing() -> None:
    ledger = ledger_of([tell("f(a)", "1", 0, because=["b2"]), tell("f(b)", "1", 0, because=["b1"])])
    assert read(ledger, 5, SlotPad).standing == {"b1": "unsupported", "b2": "unsupported"}


def test_a_derived_claim_never_overrides_what_it_rests_on() -> None:
    ledger = ledger_of([tell("f(a)", "1", 0, to=9), tell("f(a)", "2", 3, to=9, because=["b1"])])
    assert read(ledger, 5, SlotPad).standing["b1"] == "believed"
