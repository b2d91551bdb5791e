"""Experiments: conversations of known truth, noise that all arms share, records that resume, short arms."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from pickle import dumps, loads
from random import Random
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agm_store import experiments
from agm_store.errors import InvalidArgument, UnreadableFile
from agm_store.experiments import (
    ARMS,
    KINDS,
    POSTMORTEM,
    WEIGHTS,
    BadRecords,
    Share,
    noisy,
    read_records,
    report,
    run,
    scenarios,
    shares,
    table,
)
from agm_store.experiments.arms import arm_of
from agm_store.experiments.running import doubtful_references
from benchmarks import learning_postmortem

FOLDER = Path(experiments.__file__).parent
PATHS = os.pathsep.join(str(FOLDER.parents[2] / part) for part in ("", "store", "propagation"))
kinds = st.sampled_from(sorted(KINDS))
seeds = st.integers(0, 10**6)
levels = st.sampled_from((0.0, 0.1, 0.3, 0.6, 1.0))
DRAWN = {"struck": 0, "right": 0, "wrong": 0}


def scenario(kind, seed):
    (found,) = scenarios(1, seed=seed, kinds=[kind])
    return found


# The truth


def truth_by_brute_force(found, question):
    """The value by what each turn meant, read one by one from the labels before any noise."""
    value = None
    for turn, meant in zip(
        found.turns[: question.after], found.meant[: question.after], strict=True
    ):
        for label in turn.labels:
            if label.slot == question.slot and meant in {"told", "update", "correction", "back"}:
                value = label.value
    return value


@given(kind=kinds, seed=seeds)
def test_the_right_answers_are_those_of_the_last_turn_that_says_what_is_so(kind, seed):
    found = scenario(kind, seed)
    assert len(found.questions) == len(found.right) >= 1
    for question, right in zip(found.questions, found.right, strict=True):
        assert right == truth_by_brute_force(found, question)
    assert [q.after for q in found.questions] == sorted(q.after for q in found.questions)
    assert found.questions[-1].after == len(found.turns) == len(found.meant)


@given(kind=kinds, seed=seeds)
def test_a_turn_says_what_its_label_says_and_time_goes_on(kind, seed):
    found = scenario(kind, seed)
    moments = [turn.at for turn in found.turns]
    assert moments == sorted(set(moments))
    for turn, meant in zip(found.turns, found.meant, strict=True):
        assert bool(turn.labels) == (meant != "chatter")
        for label in turn.labels:
            assert label.value in turn.text
            assert label.attribute in turn.text
            assert label.entity.lower() in turn.text.lower()
            assert (label.mode == "historical") == (meant == "reference")
            assert (label.target is not None) == (meant in {"update", "correction", "back"})
            assert (turn.speaker == "guest") == (meant == "override")


@given(seed=seeds)
def test_a_conversation_of_the_third_kind_refers_to_a_former_value_after_the_last_change(seed):
    found = scenario("changed-value-and-reference", seed)
    slot = found.questions[-1].slot
    mine = [n for n, t in enumerate(found.turns) if any(x.slot == slot for x in t.labels)]
    references = [n for n in mine if found.meant[n] == "reference"]
    assert references
    assert min(references) > max(n for n in mine if found.meant[n] == "update")
    assert all(x.value != found.right[-1] for n in references for x in found.turns[n].labels)


def test_conversations_are_values_that_pickle_and_are_drawn_alike():
    drawn = scenarios(3, seed=7)
    assert drawn == scenarios(3, seed=7) == loads(dumps(drawn))
    assert [s.name for s in drawn][:4] == [
        "buried-fact/7",
        "buried-fact/8",
        "buried-fact/9",
        "changed-value/7",
    ]
    assert (
        scenarios(2, seed=8, kinds=["correction"])[0]
        == scenarios(2, seed=7, kinds=["correction"])[1]
    )
    assert len({s.turns for s in scenarios(50, seed=0, kinds=POSTMORTEM)}) == 150
    with pytest.raises(AttributeError):
        drawn[0].kind = "x"


# Noise


@given(kind=kinds, seed=seeds, level=levels, other=st.integers(0, 5))
def test_noise_changes_labels_alone_and_the_same_way_each_time(kind, seed, level, other):
    found = scenario(kind, seed)
    given = noisy(found, level, seed=other)
    assert given == noisy(found, level, seed=other)
    assert replace(given, turns=found.turns) == found
    for before, after in zip(found.turns, given.turns, strict=True):
        assert replace(after, labels=before.labels) == before
        for old, new in zip(before.labels, after.labels, strict=False):
            DRAWN["struck"] += old != new
            assert (new.slot, new.cue, new.valid_from) == (old.slot, old.cue, old.valid_from)
            assert 0 <= new.confidence <= 1
    if level == 0:
        assert given == found
    if level == 1:
        labels = [(b.labels, a.labels) for b, a in zip(found.turns, given.turns, strict=True)]
        assert all(b != a for b, a in labels if b)


@given(kind=kinds, seed=seeds)
def test_what_is_struck_at_one_level_is_struck_alike_at_a_higher_one(kind, seed):
    found = scenario(kind, seed)
    low, high = noisy(found, 0.2), noisy(found, 0.5)
    for clean, one, two in zip(found.turns, low.turns, high.turns, strict=True):
        assert one.labels in (clean.labels, two.labels)


def test_each_kind_of_error_is_as_frequent_as_the_weights_say():
    counts = dict.fromkeys(WEIGHTS, 0)
    total = struck = aimed = 0
    for found in scenarios(150, seed=50_000, kinds=["changed-value"]):
        given = noisy(found, 0.3)
        for before, after in zip(found.turns, given.turns, strict=True):
            for old in before.labels:
                total += 1
                if before.labels == after.labels:
                    continue
                struck += 1
                aimed += old.target is not None
                counts[error_of(old, after.labels)] += 1
    assert abs(struck / total - 0.3) < 0.05
    plain = sum(WEIGHTS.values())
    for error, weight in WEIGHTS.items():
        base = aimed if error == "target" else struck
        share = weight / plain if error == "target" else weight / (plain - 1)
        assert abs(counts[error] / base - share) < 0.07, (error, counts, struck)


def error_of(old, labels):
    """What happened to a label."""
    if not labels:
        return "missed"
    (new,) = labels
    if new.mode != old.mode:
        return "mode"
    if new.value != old.value:
        return "value"
    return "target" if new.target != old.target else "confidence"


class Listener:
    """An arm that writes down all that it is given."""

    heard: ClassVar[dict] = {}

    def __init__(self):
        self.turns = []

    def observe(self, turn):
        self.turns.append(turn)

    def answer(self, question):
        Listener.heard.setdefault(type(self).__name__, []).append((tuple(self.turns), question))


class Counting(Listener):
    """An arm that answers with a number."""

    def answer(self, question):
        return len(self.turns)


class Other(Listener):
    """The same, under another name."""


@settings(max_examples=20)
@given(kind=kinds, seed=seeds, level=levels)
def test_all_arms_are_given_the_same_words_and_the_same_labels(kind, seed, level):
    Listener.heard.clear()
    found = scenario(kind, seed)
    run([found], [Listener, Other], noise=[level], seeds=[3])
    assert Listener.heard["Listener"] == Listener.heard["Other"]
    given = noisy(found, level, seed=3)
    assert Listener.heard["Other"][-1] == (given.turns, given.questions[-1])


# Arms


@pytest.mark.parametrize("name", ARMS)
def test_without_noise_an_arm_with_memory_is_right_on_a_changed_value(name):
    records = run(scenarios(15, kinds=["changed-value"]), [name])
    assert sum(r["current"] for r in records) >= (0 if name == "no-memory" else 15)


@settings(max_examples=30)
@given(kind=kinds, seed=seeds)
def test_the_library_is_right_without_noise(kind, seed):
    (record,) = run([scenario(kind, seed)], ["library"])
    assert record["right"] == record["asked"]
    assert (record["misled"], record["lost"]) == (0, 0)


@settings(max_examples=30)
@given(kind=kinds, seed=seeds, level=levels)
def test_the_library_loses_no_fact_under_any_noise(kind, seed, level):
    (record,) = run([scenario(kind, seed)], ["library"], noise=[level])
    assert record["lost"] == 0
    DRAWN["right" if record["current"] else "wrong"] += 1


def test_the_draws_were_not_vacuous():
    assert DRAWN["struck"] > 100
    assert min(DRAWN["right"], DRAWN["wrong"]) > 2


@pytest.mark.parametrize("name", ARMS)
def test_an_arm_is_short_and_stands_in_a_module_of_its_own(name):
    _, made = arm_of(name)
    path = Path(sys.modules[made.__module__].__file__)
    assert path.parent == FOLDER / "arms"
    assert code_lines(path) < 40


def code_lines(path):
    """The lines of a module that hold code: neither blank nor of a docstring, an import or a comment."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    without = set()
    for node in ast.walk(tree):
        words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if words or types or isinstance(node, ast.Import | ast.ImportFrom):
            without |= set(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(n not in without and bool(x.strip()) and x.strip()[0] != "#" for n, x in lines)


def test_a_wrong_answer_counts_as_misled_only_where_a_doubtful_reference_did_it():
    seen = 0
    for found in scenarios(60, seed=70_000, kinds=["changed-value-and-reference"]):
        given = noisy(found, 0.4)
        doubtful = doubtful_references(given)
        assert all(found.meant[n] == "reference" for n in doubtful)
        (record,) = run([found], ["recency"], noise=[0.4])
        if record["misled"]:
            seen += 1
            assert record["right"] < record["asked"]
            without = [
                replace(t, labels=()) if n in doubtful else t for n, t in enumerate(given.turns)
            ]
            again = run([replace(given, turns=tuple(without))], ["recency"])
            assert again[0]["right"] > record["right"]
    assert seen > 3


# Runs


SOME = scenarios(2, seed=11, kinds=["changed-value-and-reference", "correction"])
ASKED = {"arms": ["recency", "library"], "noise": [0.0, 0.3], "seeds": [0, 1]}


@pytest.mark.parametrize("seed", [3_924, 2_001_906, 2_004_506, 2_006_234, 2_022_516, 2_032_696])
def test_a_value_that_was_not_admitted_is_not_served_for_a_reference(seed):
    """Held for its directive, or read as a remark; then another value; then a reference, read as an assertion."""
    drawn = scenarios(1, seed=seed, kinds=["changed-value-and-reference"])
    for record in run(drawn, ["library"], noise=[0.3]):
        assert (record["misled"], record["current"]) == (0, True)


def test_any_executor_gives_the_same_records(tmp_path):
    plain = run(SOME, **ASKED)
    assert len(plain) == len({r["key"] for r in plain}) == 4 * 2 * 2 * 2
    for pool in (ThreadPoolExecutor(3), ProcessPoolExecutor(2)):
        with pool:
            assert (
                run(SOME, **ASKED, executor=pool, out=tmp_path / pool.__class__.__name__) == plain
            )
    one, other = (p.read_bytes() for p in sorted(tmp_path.iterdir()))
    assert one == other
    by_key = {r["key"]: r for r in plain}
    assert {r["key"]: r for r in read_records(next(tmp_path.iterdir()))} == by_key


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_hash_seeds_change_nothing(hash_seed):
    code = (
        "import json; from agm_store.experiments import run, scenarios\n"
        "print(json.dumps(run(scenarios(2, seed=3), noise=[0.3])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == run(scenarios(2, seed=3), noise=[0.3])


@settings(max_examples=15, deadline=None)
@given(cut=st.integers(0, 10**6), draw=st.randoms())
def test_a_run_goes_on_after_any_byte_that_it_came_to(tmp_path_factory, cut, draw):
    whole, part = (tmp_path_factory.mktemp("runs") / name for name in ("whole", "part"))
    asked = {"arms": ["recency", "latest-wins"], "noise": [0.0, 0.2]}
    records = run(SOME, out=whole, **asked)
    data = whole.read_bytes()
    part.write_bytes(data[: cut % (len(data) + 1)])
    assert run(SOME, out=part, **asked) == records
    assert sorted(part.read_bytes().splitlines()) == sorted(data.splitlines())


def test_what_is_recorded_is_not_run_again(tmp_path):
    out = tmp_path / "records"
    first = run(SOME, ["recency"], out=out)
    size = out.stat().st_size
    told = []
    assert run(SOME, ["recency"], out=out, progress=lambda *done: told.append(done)) == first
    assert (out.stat().st_size, told) == (size, [])
    both = run(SOME, ["recency", "no-memory"], out=out, progress=lambda *done: told.append(done))
    assert told == [(n, 4) for n in range(1, 5)]
    assert [r for r in both if r["arm"] == "recency"] == first


def test_a_killed_run_leaves_records_that_can_be_used(tmp_path):
    out = tmp_path / "records"
    code = (
        "import sys; from agm_store.experiments import run, scenarios\n"
        f"run(scenarios(500, kinds=['correction']), ['library'], out={str(out)!r},\n"
        "    progress=lambda done, of: done == 3 and print('three', flush=True))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": PATHS},
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"three\n"
        process.kill()
    found = read_records(out)
    assert 3 <= len(found) < 500
    drawn = scenarios(len(found) + 1, kinds=["correction"])
    assert run(drawn, ["library"], out=out) == run(drawn, ["library"])


# Records and tables


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "x"
    (line,) = (json.dumps(r) for r in run(SOME[:1], ["recency"]))
    for text in (
        "hello\n",
        "hello",
        "[]\n",
        '{"key": 1}\n',
        line.replace('"asked": ', '"asked": null, "x": ') + "\n",
        f"{line}\n{line}\n",
        "\xff\n",
        "[" * 100_000 + "\n",
        *(
            json.dumps({**json.loads(line), name: value}) + "\n"
            for name, value in [
                ("noise", float("nan")),
                ("noise", float("inf")),
                ("noise", 10**400),
                ("noise", -0.1),
                ("asked", -5),
                ("right", 10**400),
                ("right", 5),
                ("seed", 10**400),
            ]
        ),
    ):
        path.write_text(text, encoding="latin-1")
        with pytest.raises(BadRecords) as refused:
            run(SOME, ["recency"], out=path)
        assert refused.value.line >= 1
        assert path.read_text(encoding="latin-1") == text
    for missing in (tmp_path / "none", tmp_path):
        with pytest.raises(UnreadableFile):
            read_records(missing)
    with pytest.raises(UnreadableFile):
        run(SOME, ["recency"], out=tmp_path)


@given(right=st.integers(0, 60), wrong=st.integers(0, 60))
def test_an_interval_holds_its_share_and_is_the_tighter_the_more_there_is(right, wrong):
    share, more = Share(right, right + wrong), Share(10 * right, 10 * (right + wrong))
    low, high = share.interval
    assert 0 <= low <= share.value <= high + 1e-12 <= 1 + 1e-9
    if right + wrong:
        assert more.interval[1] - more.interval[0] < high - low


def test_an_interval_of_95_percent_holds_the_truth_about_so_often():
    draw = Random(5)
    held = 0
    for _ in range(1000):
        low, high = Share(sum(draw.random() < 0.9 for _ in range(200)), 200).interval
        held += low <= 0.9 <= high
    assert 930 <= held <= 970


def test_a_table_has_a_row_a_kind_and_level_and_a_column_an_arm():
    records = run(SOME, ["recency", "library"], noise=[0.0, 0.3])
    lines = table(records).splitlines()
    assert [cell.strip() for cell in lines[0].split("|")[3:-1]] == ["n", "recency", "library"]
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["0 %"] * 3 + ["30 %"] * 3
    assert [line.split("|")[2].strip() for line in lines[2:5]] == [*KINDS_OF_SOME, "all"]
    assert len(table(records, by="noise").splitlines()) == 4
    assert shares(records, "arm")["recency",].total == 8
    shown = report(records, by="labelled")
    assert "truth" in shown
    assert "facts lost" in shown


KINDS_OF_SOME = ["changed-value-and-reference", "correction"]


# Bad input


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: scenarios(0),
        lambda: scenarios(True),
        lambda: scenarios(1, seed=-1),
        lambda: scenarios(1, kinds=["nonesuch"]),
        lambda: noisy(SOME[0], 1.5),
        lambda: noisy(SOME[0], float("nan")),
        lambda: noisy(SOME[0], "0.1"),
        lambda: noisy(SOME[0], 0.1, seed=1.5),
        lambda: run(SOME, ["nonesuch"]),
        lambda: run(SOME, []),
        lambda: run(["correction"]),
        lambda: run(SOME, [Counting]),
        lambda: run(SOME, [3]),
        lambda: run(SOME, ["recency"], seeds=["x"]),
        lambda: run(SOME, ["recency"], noise=[-1]),
        lambda: run(SOME, [Listener, type("Listener", (), {})]),
        lambda: table([]),
        lambda: report([]),
        lambda: table(run(SOME[:1], ["recency"]), by="colour"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_runs(wrong):
    with pytest.raises(InvalidArgument, match="expected"):
        wrong()


# The figures


def test_the_benchmark_gives_its_figures():
    sizes = learning_postmortem.Sizes({0.0: 2, 0.3: 2}, processes=1)
    found = list(learning_postmortem.figures(sizes))
    assert [figure.n for figure in found[:4]] == [6, 2, 6, 6]
    bounds = [">= 0", ">= 0", *(">= 0", "< 0") * 2, "= 0", "= 0"]
    assert [figure.target for figure in found] == bounds
    assert found[0].ok
    assert [figure.value for figure in found[-2:]] == [0, 0]
    assert all(arm in found[0].note for arm in ARMS)


@pytest.mark.parametrize(
    "twice",
    [
        {"noise": [0.1, 0.1]},
        {"noise": [0, 0.0, -0.0]},
        {"seeds": [0, 0]},
        {"noise": [0.1234567, 0.1234568]},
        {"scenarios": [*SOME[:2], *SOME[:2]]},
    ],
)
def test_what_is_asked_for_twice_runs_once_and_the_file_can_be_gone_on_with(tmp_path, twice):
    given = {"scenarios": SOME[:2], "arms": ["recency"], **twice}
    first = run(**given, out=tmp_path / "records")
    assert run(**given, out=tmp_path / "records") == first == read_records(tmp_path / "records")
    assert len({record["key"] for record in first}) == len(first)


def test_two_conversations_of_one_name_are_refused():
    other = replace(SOME[0], turns=SOME[0].turns[:1], meant=SOME[0].meant[:1])
    with pytest.raises(InvalidArgument, match="different names"):
        run([SOME[0], other], ["recency"])
