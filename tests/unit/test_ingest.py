"""Ingest: what a line may say, what becomes of it, and what a refused one leaves alone."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agm import Vocabulary, attr
from agm.syntax import parse_term
from agm_store import open_store, utc
from agm_store.errors import InvalidArgument, JournalError, ReadOnlyStore
from agm_store.ingest import ReplayClock, ingest
from agm_store.lines import MAX_LINE, numbered, statement_of

TTL = attr("cache", "ttl")
NOW = utc(2024, 6, 1)


class Clock:
    def __init__(self):
        self.moment = NOW

    def __call__(self):
        return self.moment


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    path = None if request.param == "memory" else tmp_path / "store.db"
    with open_store(path, principal="anna", clock=Clock()) as opened:
        yield opened


def fed(store, *lines, **options):
    texts = [line if isinstance(line, str | bytes) else json.dumps(line) for line in lines]
    return ingest(store, enumerate(texts, start=1), **options)


def journal(store):
    return [
        (e.seq, e.entry_id, e.recorded_at, json.dumps(e.body, sort_keys=True))
        for e in store._journal.entries()
    ]


def says(ident, value, **more):
    return {"id": ident, "claim": f"ttl(cache) = {value}", **more}


# What is told


def test_a_line_is_told_with_its_source_text_and_class(store):
    receipt = fed(
        store, says("a", 300, text="It is 300.", source="note", episode="e1", confidence=0.5)
    )
    assert (receipt.told, receipt.refused) == (1, ())
    (side,) = store.ask(TTL).sides
    assert (side.belief, side.text, side.source, side.episode) == ("a", "It is 300.", "note", "e1")
    assert side.entrenchment == "documented"


def test_a_claim_may_be_a_flat_object(store):
    vocabulary = Vocabulary().declare("ttl", "int")
    claim = {"subject": "cache", "predicate": "ttl", "value": 300}
    fed(store, {"id": "a", "claim": claim}, vocabulary=vocabulary)
    assert store.ask(TTL).value == 300


def test_an_undeclared_triple_is_a_relation(store):
    for at, value in enumerate(("tea", "mint")):
        fed(
            store,
            {"id": f"a{at}", "claim": {"subject": "anna", "predicate": "likes", "value": value}},
        )
    assert sorted(store.ask(parse_term("likes(anna)")).values) == ["mint", "tea"]


def test_the_source_of_the_call_wins_and_the_lines_is_kept_as_citation(store):
    fed(store, says("a", 300, source="page 3"), source="manual")
    assert store.ask(TTL).sides[0].source == "manual"
    assert store._journal.find("anna", "a").body["citation"] == "page 3"


def test_a_class_above_the_cap_is_lowered_and_said_so(store):
    receipt = fed(
        store, says("a", 300, entrenchment="core"), says("b", 300, entrenchment="observed")
    )
    assert receipt.lowered == 1
    assert receipt.notes[0].note == "entrenchment core lowered to the cap documented"
    assert [store.why(i) and store.at().standing(i).entrenchment for i in "ab"] == [
        "documented",
        "observed",
    ]


def test_a_higher_cap_lets_a_class_through_and_none_lifts_the_default(store):
    fed(store, says("a", 300, entrenchment="core"), says("b", 300), max_entrenchment="core")
    assert store.at().standing("a").entrenchment == "core"
    assert store.at().standing("b").entrenchment == "documented"


def test_a_lower_cap_lowers_the_default_too(store):
    receipt = fed(store, says("a", 300), max_entrenchment="observed")
    assert store.at().standing("a").entrenchment == "observed"
    assert receipt.lowered == 0, "the line asked for nothing"


def test_a_cap_that_is_no_class_is_refused_before_anything(store):
    with pytest.raises(InvalidArgument, match="famous"):
        fed(store, says("a", 300), max_entrenchment="famous")
    assert journal(store) == []


def test_a_line_may_rest_on_earlier_lines(store):
    fed(store, says("a", 300), {"id": "b", "claim": "fresh(cache)", "because": ["a"]})
    assert store.why("b").supports == (("a",),)


def test_an_undated_line_loses_to_a_dated_one(store):
    fed(
        store,
        says("a", 300, valid_from="unknown"),
        says("b", 600, valid_from="2024-01-01T00:00:00Z"),
    )
    assert store.ask(TTL).value == 600


def test_the_same_lines_again_write_nothing(store):
    lines = (says("a", 300, valid_from="2024-01-01T00:00:00Z"), says("b", 600))
    fed(store, *lines)
    before = journal(store)
    again = fed(store, *lines)
    assert (again.told, again.heard_before, again.refused) == (0, 2, ())
    assert journal(store) == before


def test_one_id_for_two_statements_is_refused(store):
    receipt = fed(store, says("a", 300), says("a", 600))
    assert [r.kind for r in receipt.refused] == ["IdempotencyConflict"]
    assert store.ask(TTL).value == 300


def test_the_vocabulary_is_declared_once(store):
    vocabulary = Vocabulary().declare("ttl", "quantity", unit="s")
    fed(store, says("a", "5 min"), vocabulary=vocabulary)
    before = journal(store)
    fed(store, says("a", "5 min"), vocabulary=vocabulary)
    assert journal(store) == before
    assert str(store.ask(TTL).value) == "300 s"


# Directives


def directive(target, action="supersede", reason="correction"):
    return {"target": target, "action": action, "reason": reason}


def dated(ident, value, start, end=None, **more):
    times = {"valid_from": start} | ({} if end is None else {"valid_to": end})
    return says(ident, value, **times, **more)


JANUARY, MARCH, MAY = "2024-01-01T00:00:00Z", "2024-03-01T00:00:00Z", "2024-05-01T00:00:00Z"


def test_a_correction_without_times_takes_over_the_targets_interval(store):
    receipt = fed(store, dated("a", 300, JANUARY, MARCH), says("b", 600, resolves=directive("a")))
    assert receipt.superseded == 1
    side = store.at(valid=utc(2024, 2, 1)).ask(TTL).sides[0]
    assert (side.belief, side.valid_from, side.valid_to) == ("b", utc(2024, 1, 1), utc(2024, 3, 1))


def test_a_temporal_change_without_times_starts_when_told(store):
    change = directive("a", reason="temporal_change")
    fed(store, dated("a", 300, JANUARY), says("b", 600, resolves=change))
    assert store.at(valid=utc(2024, 5, 31)).ask(TTL).value == 300
    assert store.ask(TTL).sides[0].valid_from == NOW


def test_one_statement_may_retire_several_for_different_reasons(store):
    resolves = [directive("a", reason="temporal_change"), directive("b")]
    receipt = fed(
        store,
        dated("a", 300, JANUARY, MARCH),
        dated("b", 400, MARCH, MAY),
        dated("c", 600, "2024-02-01T00:00:00Z", MAY, resolves=resolves),
    )
    assert (receipt.superseded, receipt.refused) == (2, ())
    assert store.why("a").reason == "temporal_change"
    assert store.why("b").reason == "correction"
    values = [store.at(valid=utc(2024, m, 15)).ask(TTL).value for m in (1, 2, 3, 4)]
    assert values == [300, 600, 600, 600]


def test_a_correction_that_only_changes_the_interval_applies(store):
    receipt = fed(
        store,
        dated("a", 300, JANUARY, MARCH),
        dated("b", 300, JANUARY, MAY, resolves=directive("a")),
    )
    assert (receipt.superseded, receipt.held) == (1, 0)
    assert store.at(valid=utc(2024, 4, 1)).ask(TTL).value == 300
    assert store.why("a").status == "superseded"


@pytest.mark.parametrize("reason", ["correction", "temporal_change"])
def test_a_retraction_needs_no_claim(store, reason):
    receipt = fed(
        store, dated("a", 300, JANUARY), {"id": "b", "resolves": directive("a", "retract", reason)}
    )
    assert (receipt.told, receipt.retracted, receipt.superseded) == (2, 1, 0)
    assert store.ask(TTL).value is None
    past = store.at(valid=utc(2024, 2, 1)).ask(TTL).value
    assert past == (None if reason == "correction" else 300)


def test_a_retraction_may_say_when_it_ended(store):
    end = directive("a", "retract", "temporal_change")
    fed(store, dated("a", 300, JANUARY), {"id": "b", "resolves": end, "valid_to": MARCH})
    assert store.at(valid=utc(2024, 2, 1)).ask(TTL).value == 300
    assert store.at(valid=utc(2024, 4, 1)).ask(TTL).value is None


def test_a_directive_on_another_slot_reaches_it(store):
    fed(
        store,
        {"id": "a", "claim": 'owner(cache) = "ann"'},
        {"id": "b", "claim": 'owner(cdn) = "ann"', "resolves": directive("a")},
    )
    assert store.ask(attr("cache", "owner")).value is None
    assert store.ask(attr("cdn", "owner")).value == "ann"


def test_a_directive_from_a_weaker_claim_is_held_with_its_statement(store):
    told = store.tell(TTL == 300, entrenchment="asserted")
    receipt = fed(store, says("b", 600, resolves=directive(told.belief)))
    assert (receipt.told, receipt.held, receipt.superseded) == (0, 1, 0)
    assert "weaker" in receipt.notes[0].note
    assert store.ask(TTL).value == 300
    assert [review.id for review in store.inbox()] == ["b"]


@pytest.mark.parametrize(
    ("resolves", "kind"),
    [
        (directive("nobody"), "UnknownBelief"),
        (directive("b"), "InvalidArgument"),
        ([directive("a"), directive("a", "retract")], "InvalidArgument"),
        (directive("a", "drop"), "InvalidArgument"),
        (directive("a", reason="whim"), "InvalidArgument"),
        ({**directive("a"), "sure": True}, "InvalidArgument"),
        ({"target": "a", "action": "supersede"}, "InvalidArgument"),
        ({**directive("a"), "target": 1}, "InvalidArgument"),
        ({**directive("a"), "action": ["supersede"]}, "InvalidArgument"),
        ("a", "InvalidArgument"),
        (["a"], "InvalidArgument"),
    ],
)
def test_a_directive_that_cannot_be_carried_out_refuses_the_line(store, resolves, kind):
    fed(store, says("a", 300))
    before = journal(store)
    receipt = fed(store, says("b", 600, resolves=resolves))
    assert [r.kind for r in receipt.refused] == [kind]
    assert journal(store) == before


def test_several_corrected_intervals_need_a_start(store):
    resolves = [directive("a"), directive("b")]
    lines = (dated("a", 300, JANUARY, MARCH), dated("b", 400, MARCH, MAY))
    receipt = fed(store, *lines, says("c", 600, resolves=resolves))
    assert "valid_from" in receipt.refused[0].reason
    assert store.at(valid=utc(2024, 2, 1)).ask(TTL).value == 300


# Bad input: the line is refused with its reason, nothing of it is written, the rest goes on

BAD = {
    "unknown column": ('{"id": "x", "claim": "p", "colour": 1}', "LineRefused"),
    "duplicate key": ('{"id": "x", "claim": "p", "claim": "q"}', "InvalidJson"),
    "duplicate key in a claim": (
        '{"id": "x", "claim": {"formula": "p", "formula": "q"}}',
        "InvalidJson",
    ),
    "NaN": ('{"id": "x", "claim": "p", "confidence": NaN}', "InvalidJson"),
    "1e999": ('{"id": "x", "claim": "p", "confidence": 1e999}', "InvalidJson"),
    "5 000 digits": ('{"id": "x", "claim": "p", "confidence": %s}' % ("9" * 5000), "InvalidJson"),
    "5 000 digits in a claim": (
        '{"id": "x", "claim": "f(x) = %s"}' % ("9" * 5000),
        "ClaimSyntaxError ClaimTooLarge InvalidValue",
    ),
    "lone surrogate": ('{"id": "x", "claim": "p", "text": "\\ud800"}', "InvalidJson"),
    "NUL in a text": ('{"id": "x", "claim": "p", "text": "a\\u0000b"}', "InvalidArgument"),
    "NUL in an id": ('{"id": "x\\u0000", "claim": "p"}', "InvalidArgument"),
    "NUL in a claim": (
        '{"id": "x", "claim": "f(\\"a\\u0000\\") = 1"}',
        "ClaimSyntaxError InvalidName",
    ),
    "10 MB text": (
        '{"id": "x", "claim": "p", "text": "%s"}' % ("a" * 10_000_000),
        "InvalidArgument",
    ),
    "10 MB claim": ('{"id": "x", "claim": "%s"}' % ("p" * 10_000_000), "ClaimTooLarge"),
    "deep JSON": ('{"id": "x", "claim": ' + "[" * 100_000 + "]" * 100_000 + "}", "InvalidJson"),
    "deep claim": (
        '{"id": "x", "claim": "%s"}' % ("(p -> " * 5_000 + "p" + ")" * 5_000),
        "ClaimTooLarge",
    ),
    "naive time": ('{"id": "x", "claim": "p", "valid_from": "2024-01-01T00:00:00"}', "NaiveTime"),
    "a day": ('{"id": "x", "claim": "p", "valid_from": "2024-01-01"}', "NaiveTime"),
    "a number for a time": (
        '{"id": "x", "claim": "p", "valid_from": 1700000000}',
        "InvalidArgument",
    ),
    "digits for a time": (
        '{"id": "x", "claim": "p", "valid_from": "1700000000"}',
        "InvalidArgument",
    ),
    "year 9999 with offset": (
        '{"id": "x", "claim": "p", "valid_to": "9999-12-31T23:59:59-05:00"}',
        "NaiveTime",
    ),
    "inverted interval": (
        '{"id": "x", "claim": "p", "valid_from": "2024-02-01T00:00:00Z", "valid_to": "2024-01-01T00:00:00Z"}',
        "InvertedInterval",
    ),
    "empty interval": (
        '{"id": "x", "claim": "p", "valid_from": "2024-02-01T00:00:00Z", "valid_to": "2024-02-01T00:00:00Z"}',
        "InvertedInterval",
    ),
    "type clash": ('{"id": "x", "claim": "ttl(cache) = \\"long\\""}', "TypeClash"),
    "unknown unit": ('{"id": "x", "claim": "lag(cache) = 3 flurbs"}', "UnknownUnit"),
    "unknown class": ('{"id": "x", "claim": "p", "entrenchment": "holy"}', "InvalidArgument"),
    "unknown mode": ('{"id": "x", "claim": "p", "mode": "rumour"}', "InvalidArgument"),
    "confidence above 1": ('{"id": "x", "claim": "p", "confidence": 1.5}', "InvalidArgument"),
    "confidence null": ('{"id": "x", "claim": "p", "confidence": null}', "InvalidArgument"),
    "confidence true": ('{"id": "x", "claim": "p", "confidence": true}', "InvalidArgument"),
    "confidence text": ('{"id": "x", "claim": "p", "confidence": "high"}', "InvalidArgument"),
    "no id": ('{"claim": "p"}', "LineRefused"),
    "id null": ('{"id": null, "claim": "p"}', "LineRefused"),
    "id number": ('{"id": 7, "claim": "p"}', "InvalidArgument"),
    "id empty": ('{"id": "", "claim": "p"}', "InvalidArgument"),
    "nothing said": ('{"id": "x"}', "LineRefused"),
    "a claim that is none": ('{"id": "x", "claim": "f(x = "}', "ClaimSyntaxError"),
    "a claim of numbers": ('{"id": "x", "claim": 3}', "InvalidArgument"),
    "unknown part of a claim": ('{"id": "x", "claim": {"formula": "p", "note": 1}}', "InvalidJson"),
    "unknown premise": ('{"id": "x", "claim": "p", "because": ["nobody"]}', "UnknownBelief"),
    "premise text": ('{"id": "x", "claim": "p", "because": "a1"}', "InvalidArgument"),
    "premise number": ('{"id": "x", "claim": "p", "because": [1]}', "InvalidArgument"),
    "a list": ("[1]", "LineRefused"),
    "no JSON": ("id: x", "InvalidJson"),
    "half a line": ('{"id": "x"', "InvalidJson"),
    "no UTF-8": (b'{"id": "x", "claim": "p", "text": "\xff"}', "InvalidJson"),
    "its own recorded time": (
        '{"id": "x", "claim": "p", "at": "2024-01-01T00:00:00Z"}',
        "ReplayRefused",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_refused_and_the_rest_goes_on(store, name):
    bad, kinds = BAD[name]
    fed(store, says("a", 300), vocabulary=Vocabulary().declare("ttl", "int"))
    before = journal(store)
    receipt = fed(store, bad)
    assert len(receipt.refused) == 1, receipt
    refusal = receipt.refused[0]
    assert refusal.kind in kinds.split(), refusal.reason[:300]
    assert "\n" not in refusal.reason
    assert len(refusal.reason) < 600
    assert journal(store) == before
    receipt = fed(store, says("b", 300), bad, says("c", 300))
    assert (receipt.told, [r.line for r in receipt.refused]) == (2, [2])


def test_an_unknown_column_is_named_with_the_known_ones(store):
    (refusal,) = fed(store, '{"id": "x", "claim": "p", "colour": 1}').refused
    assert "'colour'" in refusal.reason
    assert "valid_from" in refusal.reason


def test_an_overlong_line_is_cut_and_the_next_one_read(tmp_path, store):
    path = tmp_path / "long.jsonl"
    with path.open("wb") as out:
        out.write(b'{"id": "x", "text": "' + b"a" * (MAX_LINE + 10) + b'"}\n\n')
        out.write(json.dumps(says("a", 300)).encode() + b"\n")
    with path.open("rb") as stream:
        receipt = ingest(store, numbered(stream))
    assert (receipt.told, [r.line for r in receipt.refused]) == (1, [1])


def test_a_byte_order_mark_blank_lines_and_carriage_returns_are_no_content(tmp_path, store):
    path = tmp_path / "windows.jsonl"
    line = json.dumps(says("a", 300)).encode()
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\r\n   \n")
    with path.open("rb") as stream:
        receipt = ingest(store, numbered(stream))
    assert (receipt.told, receipt.refused) == (1, ())


@given(st.text(max_size=80) | st.binary(max_size=80))
def test_no_line_whatever_does_more_than_be_refused(line):
    with open_store(None, principal="anna", clock=Clock()) as store:
        receipt = fed(store, line)
        assert len(receipt.refused) + receipt.told == 1


sound = st.fixed_dictionaries(
    {"id": st.sampled_from(["x", "y"]), "claim": st.sampled_from(["p", "f(x) = 1", "q & r"])},
    optional={
        "text": st.just("t"),
        "valid_from": st.sampled_from(["2024-01-01T00:00:00Z", "unknown", None]),
        "valid_to": st.sampled_from(["2025-01-01T00:00:00+02:00", None]),
        "confidence": st.sampled_from([0, 1, 0.5]),
        "because": st.sampled_from([[], ["a"], None]),
        "resolves": st.sampled_from([[], directive("a"), directive("a", "retract")]),
        "mode": st.sampled_from(["assertion", "question", "historical"]),
        "entrenchment": st.sampled_from(["core", "observed", "untrusted"]),
    },
)
faults = st.sampled_from(
    [
        {"id": ""}, {"claim": "f(x"}, {"claim": {}}, {"text": 1}, {"valid_from": "soon"}, {"valid_to": "2023-01-01"},
        {"confidence": True}, {"because": [1]},
        {"because": "a"}, {"resolves": [1]}, {"mode": "loud"}, {"entrenchment": 2}, {"extra": 1},
    ]
)  # fmt: skip


def test_a_line_is_told_whole_or_refused_whole():
    tried = {"told": 0, "refused": 0}

    @given(sound, st.none() | faults)
    def told_or_refused(parts, fault):
        parts = parts | (fault or {})
        with open_store(None, principal="anna", clock=Clock()) as store:
            fed(store, says("a", 300))
            before = len(journal(store))
            receipt = fed(store, parts)
            after = store._journal.entries(after=before)
            # one that corrects what it rests on is flagged as well
            grown = sum(entry.body["op"] != "flag" for entry in after)
            assert (grown, len(receipt.refused)) == ((0, 1) if fault else (1, 0)), receipt
            tried["refused" if receipt.refused else "told"] += 1

    told_or_refused()
    assert min(tried.values()) >= 5, tried  # the draws of a run vary with the code under test


# Replay


def replayed(path, *lines, **options):
    clock = ReplayClock()
    with open_store(path, principal="anna", replay=True, clock=clock) as store:
        return fed(store, *lines, clock=clock, **options), journal(store)


AT = [f"2024-0{month}-01T00:00:00Z" for month in range(1, 7)]


def test_a_replay_records_at_the_times_of_the_lines(tmp_path):
    vocabulary = Vocabulary().declare("ttl", "int")
    lines = (says("a", 300, at=AT[0]), says("b", 600, at=AT[2]))
    receipt, entries = replayed(tmp_path / "r.db", *lines, vocabulary=vocabulary)
    assert receipt.told == 2
    times = [datetime.fromtimestamp(at / 1e6, UTC) for _, _, at, _ in entries]
    assert times == [utc(2024, 1, 1), utc(2024, 1, 1), utc(2024, 3, 1)]
    with open_store(tmp_path / "r.db", principal="anna", create=False) as store:
        assert store.stats().replay
        assert store.as_of(utc(2024, 2, 1)).ask(TTL).value == 300
        assert store.ask(TTL).value == 600


def test_a_replay_of_the_same_file_writes_nothing(tmp_path):
    lines = (says("a", 300, at=AT[0]), says("b", 600, at=AT[2]))
    _, first = replayed(tmp_path / "r.db", *lines)
    receipt, second = replayed(tmp_path / "r.db", *lines, says("c", 900, at=AT[3]))
    assert (receipt.heard_before, receipt.told) == (2, 1)
    assert second[:2] == first


@pytest.mark.parametrize(
    ("at", "why"),
    [({}, "missing"), ({"at": AT[0]}, "earlier"), ({"at": "2999-01-01T00:00:00Z"}, "future")],
)
def test_a_replayed_line_needs_a_time_that_fits(tmp_path, at, why):
    receipt, entries = replayed(tmp_path / "r.db", says("a", 300, at=AT[1]), says("b", 600, **at))
    assert [r.kind for r in receipt.refused] == ["ReplayRefused"]
    assert why in receipt.refused[0].reason
    assert len(entries) == 1


def test_a_clock_of_its_own_is_refused(store):
    with pytest.raises(InvalidArgument, match="clock"):
        fed(store, says("a", 300), clock=ReplayClock())


# Chunks


def test_an_error_of_the_file_is_no_refused_line(monkeypatch, store):
    def broken(*_args, **_options):
        raise ReadOnlyStore("store.db", "disk full")

    monkeypatch.setattr("agm_store.ingest.record", broken)
    with pytest.raises(JournalError, match="disk full"):
        fed(store, says("a", 300))
    assert journal(store) == []


def test_an_interruption_keeps_the_chunks_before_it(monkeypatch, store):
    def interrupted(count):
        seen.append(count)
        if len(seen) == 5:
            raise KeyboardInterrupt

    seen: list[int] = []
    lines = [says(str(n), n) for n in range(9)]
    with pytest.raises(KeyboardInterrupt):
        fed(store, *lines, chunk=2, progress=interrupted)
    assert [entry[1] for entry in journal(store)] == ["0", "1", "2", "3"]
    assert fed(store, *lines).heard_before == 4


def test_chunks_make_no_difference_to_the_journal():
    found = []
    for chunk in (1, 3, 100):
        with open_store(None, principal="anna", clock=Clock()) as store:
            lines = [says(str(n), n) for n in range(7)]
            fed(store, *lines, '{"id": "x"}', chunk=chunk)
            found.append(journal(store))
    assert found[0] == found[1] == found[2]


def test_a_statement_keeps_its_columns_apart():
    found = statement_of('{"id": "x", "claim": "p", "because": ["a"], "valid_from": "unknown"}')
    assert (found.id, found.because, found.at, found.resolves) == ("x", ("a",), None, ())


def test_what_ends_outranked_is_counted_and_noted(store):
    store.tell(TTL == 300, statement="page", valid_from=utc(2024, 1, 1))
    receipt = fed(store, says("a", 600), {"id": "b", "claim": "size(cache) = 1"})
    assert (receipt.told, receipt.contested, receipt.outranked) == (2, 0, 1)
    (note,) = receipt.notes
    assert note == (1, "a", "outranked", "outranked by page while that is in force")
    assert "outranked 1" in str(receipt)
    assert fed(store, says("a", 600)).outranked == 0


def test_what_ends_overridden_in_a_plain_slot_is_noted_too(store):
    store.tell(TTL == 300, statement="page", valid_from=utc(2024, 1, 5), entrenchment="documented")
    late = {
        **says("a", 600),
        "valid_from": "2024-01-01T00:00:00Z",
        "valid_to": "2024-02-01T00:00:00Z",
    }
    (note,) = fed(store, late).notes
    assert note == (1, "a", "overridden", "overridden by page while that is in force")
