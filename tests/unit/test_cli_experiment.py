"""The command line of experiments: a run, its file, its table, a model in place of the script, and bad input."""

import json

import pytest

import agm.llm
from agm.directives import NotRun
from agm.llm import ScriptedExtractor
from agm_store.errors import InvalidArgument
from agm_store.experiments import (
    KINDS,
    POSTMORTEM,
    NotLabelled,
    labelled,
    read_records,
    run,
    scenarios,
    vocabulary,
)
from tests.strategies.loopback import Loopback, fails
from tests.strategies.shell import Shell

FEW = ("experiment", "run", "--seeds", "2", "--noise", "0,0.3")


@pytest.fixture
def agm_(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    return Shell(tmp_path, capsys, monkeypatch)


def done(shell, *args):
    code, out, err = shell.raw(*args)
    assert (code, err) == (0, "")
    return out


def test_a_run_shows_a_table_and_needs_no_store(agm_):
    out = done(agm_, *FEW, "--arms", "recency,library")
    lines = [line.split("|") for line in out.splitlines() if line.startswith("| 30 %")]
    assert [line[2].strip() for line in lines] == [*POSTMORTEM, "all"]
    assert "facts lost" in out
    assert not list(agm_.directory.iterdir())


def test_a_file_is_gone_on_with_and_reported(agm_):
    path = agm_.directory / "records.jsonl"
    done(agm_, *FEW, "--arms", "recency", "--out", path)
    first = path.read_bytes()
    done(agm_, *FEW, "--arms", "recency,library", "--out", path, "--jobs", "2")
    assert path.read_bytes().startswith(first)
    assert len(read_records(path)) == 2 * 2 * 2 * 3
    shown = done(agm_, "experiment", "report", path, "--by", "arm")
    assert "| library" in shown
    rows = json.loads(done(agm_, "experiment", "report", path, "--by", "noise", "--json"))
    last = rows["last_question"]
    assert sorted((row["noise"], row["arm"]) for row in last) == [
        (level, arm) for level in (0.0, 0.3) for arm in ("library", "recency")
    ]
    assert all(row["n"] == 6 and row["interval"][0] <= row["right"] / 6 for row in last)
    assert [set(row) for row in rows["arms"]] == [
        {"arm", "asked", "right", "misled", "told", "lost"}
    ] * 2
    text = done(agm_, "experiment", "report", path)
    for row in rows["arms"]:
        share = f"{100 * row['right'] / row['asked']:.1f} %"
        cells = [row["arm"], share, str(row["misled"]), str(row["told"]), str(row["lost"])]
        assert any([c.strip() for c in x.split("|")[1:-1]] == cells for x in text.splitlines())
    by_kind = json.loads(done(agm_, "experiment", "report", path, "--json"))["last_question"]
    assert {row["kind"] for row in by_kind} == set(POSTMORTEM)


def test_records_are_json_and_those_of_the_library(agm_):
    found = json.loads(
        done(agm_, *FEW, "--first", "40", "--kinds", "all", "--arms", "recency", "--json")
    )
    assert found == run(scenarios(2, seed=40, kinds=KINDS), ["recency"], noise=[0.0, 0.3])


@pytest.mark.parametrize(
    ("args", "code", "name"),
    [
        (("--arms", "nonesuch"), 1, "InvalidArgument"),
        (("--kinds", "nonesuch"), 1, "InvalidArgument"),
        (("--noise", "2"), 1, "InvalidArgument"),
        (("--noise", "nan"), 1, "InvalidArgument"),
        (("--noise", "lots"), 1, "InvalidArgument"),
        (("--seeds", "0"), 2, "--seeds"),
        (("--jobs", "many"), 2, "--jobs"),
        (("--model", "some-model"), 1, "NoKey"),
        (("--out", "."), 2, "directory"),
        (("--out", "none/there"), 1, "UnreadableFile"),
    ],
)
def test_a_run_that_makes_no_sense_is_refused_in_one_line(agm_, args, code, name):
    found, out, err = agm_.raw("experiment", "run", "--seeds", "1", *args)
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert name in err


def test_an_arm_of_ones_own_is_said_to_be_for_python(agm_):
    code, _, err = agm_.raw("experiment", "run", "--seeds", "1", "--arms", "mine.FirstWins")
    assert code == 1
    assert "--arms 'mine.FirstWins': expected one of no-memory, " in err
    assert "an arm of your own runs in Python only" in err
    assert "what makes an arm" not in err


MODEL = ("experiment", "run", "--seeds", "1", "--kinds", "correction", "--model")


@pytest.mark.parametrize(
    ("key", "says"), [(None, "there is no key"), (" ", "no key"), ("a\nb", "no header can carry")]
)
def test_without_a_key_it_says_what_helps_in_a_shell_and_asks_nobody(agm_, monkeypatch, key, says):
    if key is not None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    code, out, err = agm_.raw(*MODEL, "some-model")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("agm: NoKey: ")
    assert says in err
    assert "export ANTHROPIC_API_KEY=" in err
    for word in ("api_key", "client=", "SDK", "function"):
        assert word not in err


@pytest.mark.parametrize(
    ("behaviour", "kind", "helps"),
    [
        (fails(401, "authentication_error"), "unauthorised", "export ANTHROPIC_API_KEY="),
        (fails(403, "permission_error"), "forbidden", "export ANTHROPIC_API_KEY="),
        (fails(404, "not_found_error"), "unknown_model", "--model"),
        (fails(529, "overloaded_error"), "overloaded", "run again"),
    ],
)
def test_a_call_that_does_not_run_says_what_helps_and_shows_no_key(
    agm_, monkeypatch, behaviour, kind, helps
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-canary-key")
    with Loopback([behaviour]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        code, out, err = agm_.raw(*MODEL, "some-model")
        assert len(server.requests) == 1
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert kind in err
    assert helps in err
    assert "canary" not in err


@pytest.mark.parametrize("model", ["", " ", "a\nb"])
def test_a_name_of_no_model_is_named_as_the_option(agm_, monkeypatch, model):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-canary-key")
    code, out, err = agm_.raw(*MODEL, model)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("agm: InvalidSetting: --model is ")


def test_a_report_of_something_else_is_refused_in_one_line(agm_):
    bad = agm_.write("bad.jsonl", "hello")
    empty = agm_.write("empty.jsonl")
    for args in ((bad,), (empty,), (agm_.directory / "none",), (bad.parent,)):
        code, out, err = agm_.raw("experiment", "report", *args)
        assert (code, out, err.count("\n")) == (1, "", 1)
    good = agm_.directory / "good"
    run(scenarios(1, kinds=["correction"]), ["recency"], out=good)
    assert agm_.raw("experiment", "report", good, "--by", "colour")[0] == 1


# A model in place of the script


def reads(scenario):
    """Raw answers that say what the labels without noise say, as a model would write them."""
    answers = {}
    for turn in scenario.turns:
        facts = []
        for label in turn.labels:
            claim = {"subject": label.entity, "predicate": label.attribute, "value": label.value}
            facts.append({"text": turn.text, "claim": claim, "mode": label.mode, "confidence": 0.9})
        answers[turn.text] = {"facts": facts}
    return answers


def test_labels_of_an_extractor_take_the_place_of_the_scripted_ones():
    (found,) = scenarios(1, seed=3, kinds=["changed-value-and-reference"])
    extractor = ScriptedExtractor(reads(found), model="twin", vocabulary=vocabulary())
    given = labelled(found, extractor)
    assert given.labelled == "twin"
    for before, after in zip(found.turns, given.turns, strict=True):
        assert (before.at, before.text, before.speaker) == (after.at, after.text, after.speaker)
        said = [(x.slot, x.value, x.mode, x.cue) for x in after.labels]
        assert said == [(x.slot, x.value, x.mode, x.cue) for x in before.labels]
    records = run([given])
    assert {r["labelled"] for r in records} == {"twin"}
    assert next(r["current"] for r in records if r["arm"] == "library")


def test_a_directive_of_an_extractor_names_what_the_list_shows():
    (found,) = scenarios(1, seed=3, kinds=["correction"])
    lists = []

    def script(text, *, shown, mistakes):
        lists.append(shown)
        answer = reads(found)[text]
        place = next(n for n, t in enumerate(found.turns) if t.text == text)
        if found.meant[place] == "correction":
            target = found.turns[place].labels[0].target
            claims = [json.loads(line)["claim"] for line in shown.text.splitlines()]
            at = claims.index(f'{target.attribute}({target.entity}) = "{target.value}"')
            aimed = {"session_index": at, "action": "supersede", "reason": "correction"}
            answer["facts"][0]["resolves"] = [aimed]
        return answer

    given = labelled(found, ScriptedExtractor(script, vocabulary=vocabulary()), name="points")
    at = found.meant.index("correction")
    (label,) = given.turns[at].labels
    assert (label.target, label.reason) == (found.turns[at].labels[0].target, "correction")
    assert len(lists) == len(found.turns)


def test_a_call_that_did_not_run_leaves_no_record(agm_, monkeypatch):
    (found,) = scenarios(1, seed=0, kinds=["correction"])
    path = agm_.directory / "records"
    scripts = [[NotRun(kind="timeout")], reads(found)]
    monkeypatch.setattr(
        agm.llm,
        "AnthropicExtractor",
        lambda *, model, vocabulary: ScriptedExtractor(
            scripts.pop(0) if scripts else [], model=model, vocabulary=vocabulary
        ),
    )
    asked = (
        "experiment",
        "run",
        "--kinds",
        "correction",
        "--seeds",
        "1",
        "--model",
        "m",
        "--out",
        path,
    )
    code, out, err = agm_.raw(*asked)
    assert (code, out) == (1, "")
    assert "NotLabelled" in err
    assert "timeout" in err
    assert read_records(path) == []
    shown = done(agm_, *asked)
    assert len(read_records(path)) == 6
    assert done(agm_, *asked) == shown  # the third time nothing is asked: its script is empty
    assert not scripts


def test_an_extractor_without_a_name_or_a_method_is_refused():
    (found,) = scenarios(1, kinds=["correction"])
    for extractor, name in (
        (object(), "x"),
        (ScriptedExtractor([]), "a b"),
        (ScriptedExtractor([]), "truth"),
    ):
        with pytest.raises(InvalidArgument, match="expected"):
            labelled(found, extractor, name=name)
    with pytest.raises(NotLabelled) as failed:
        labelled(found, ScriptedExtractor([NotRun(kind="overloaded")]))
    assert (failed.value.turn, failed.value.kind) == (0, "overloaded")
