"""How the command line helps: examples that run, completion, colours, progress, and the next step of an error."""

import contextlib
import io
import shlex
import shutil
import subprocess
import sys

import click
import pytest

from agm.errors import AgmError
from agm_store.cli import colours, main
from agm_store.cli.commands import HOMES
from agm_store.cli.commands import agm as whole
from agm_store.cli.examples import EXAMPLES, HAND, lines_of
from agm_store.cli.watching import Watch, watched
from tests.strategies.shell import Shell

LINES = (
    '{"id": "l-1", "claim": "size(cache) = 64", "source": "page 3"}',
    '{"id": "l-2", "claim": {"subject": "anna", "predicate": "likes", "value": "mint"}}',
)
ANSWER = '{"facts": [{"text": "It is 600.", "claim": {"formula": "ttl(cache) = 600"}, "confidence": 0.9}]}'
SETUP = (
    "vocabulary declare ttl int",
    'tell "ttl(cache) = 300" --id ttl-1 --source wiki --valid-from 2024-01-01T00:00:00Z',
    "tell 'likes(anna, \"tea\")' --id tea --source chat",
    'tell "stale(cache)" --because ttl-1 --id stale',
    'tell "ttl(cache) = 60" --id guess --entrenchment untrusted --source chat',
    'artefact add report --rests-on ttl-1 --says "It waits five minutes."',
    "share tea --with ben",
    'tell "size(cache) = 1" --id size-1',
    'correct size-1 "size(cache) = 2"',
    "export backup.jsonl --everybody",
    "agm experiment run --seeds 1 --arms recency --noise 0 --out records.jsonl",
)


@pytest.fixture
def agm(tmp_path, capsys, monkeypatch):
    return Shell(tmp_path, capsys, monkeypatch)


# Help


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A folder with everything that examples speak of."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "lines.jsonl").write_text("\n".join(LINES))
    (folder / "answer.json").write_text(ANSWER)
    (folder / "page.txt").write_text('owner(cache) = "ops"\ntext: It is small.\n')
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        for line in SETUP:
            words = line if line.startswith("agm ") else f"{HAND} {line}"
            assert main(shlex.split(words)[1:]) == 0, line
    return folder


def commands():
    """Every command by its name, those of groups too."""
    found = {"": whole}
    with click.Context(whole, info_name="agm") as ctx:
        for name in HOMES:
            command = whole.get_command(ctx, name)
            found[name] = command
            for part in getattr(command, "commands", ()):
                found[f"{name} {part}"] = command.commands[part]
    return found


def test_every_command_has_examples_and_every_example_a_command():
    assert set(EXAMPLES) == set(commands())


@pytest.mark.parametrize("name", EXAMPLES, ids=lambda name: name or "agm")
def test_the_help_ends_with_the_examples(agm, name):
    code, out, _ = agm.raw(*name.split(), "--help")
    shown = out.partition("\nExamples:\n")[2]
    assert code == 0
    assert [line.strip() for line in shown.splitlines()] == lines_of(name)


RUN = [(name, line) for name in EXAMPLES for line in lines_of(name) if not line.startswith("#")]


@pytest.mark.parametrize(("name", "line"), RUN, ids=[line for _, line in RUN])
def test_an_example_runs(prepared, agm, monkeypatch, name, line):
    folder = agm.directory / "here"
    shutil.copytree(prepared, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setattr("agm_store.demo.tell_stories", lambda: None)  # test_cli tells them
    monkeypatch.setattr("agm_store.mcp.serve", lambda *_, **__: None)  # test_mcp_protocol serves
    monkeypatch.setattr("agm_store.web.serving.serve", lambda *_, **__: None)  # test_web_view
    if name in ("mcp", "web"):
        needed = {"mcp": "mcp", "web": "datasette"}[name]
        pytest.importorskip(needed, reason=f"the extra {name} is not installed")
    words = shlex.split(line)
    assert words[0] == "agm"
    code, out, err = agm.raw(*words[1:])
    assert (code, err) == (0, ""), err
    assert out or name in ("demo", "mcp", "review", "web"), "it says nothing"
    assert name in line


STORELESS = ("demo", "experiment", "experiment run", "experiment report", "completion")


def test_the_help_of_what_needs_no_store_offers_none(agm):
    for name in commands():
        _, out, _ = agm.raw(*name.split(), "--help")
        options = out.partition("\nOptions:\n")[2].partition("\nExamples:\n")[0]
        offered = ["  --db FILE" in options, "  --as NAME" in options, "  --json" in options]
        assert offered == [name not in STORELESS, name not in STORELESS, True], name
    agm("experiment", "run", "--seeds", "1", "--arms", "recency", "--noise", "0")  # all the same


def test_an_error_names_an_argument_as_the_help_does(agm):
    agm("tell", "f(x) = 1", "--id", "one")
    assert "CLASS 'holy': expected" in agm.refused("demote", "one", "holy")
    assert "--entrenchment 'holy': expected" in agm.refused(
        "tell", "f(x) = 2", "--entrenchment", "holy"
    )


def test_a_moment_without_beliefs_is_named_as_it_was_given(agm):
    agm("tell", "f(x) = 1", "--id", "one")
    said = agm("as-of", "2019-11-30T00:00:00Z")
    assert said == "Nothing was believed at 2019-11-30T00:00:00Z.\n"


def test_the_vocabulary_says_what_it_means_that_a_number_came_without_a_unit(agm):
    agm("tell", "f(x) = 1", "--id", "one")
    said = agm("vocabulary", "show")
    assert "its numbers have no unit" in said
    assert "True" not in said


def test_a_command_that_is_spelt_wrong_is_answered_with_what_may_be_meant(agm):
    assert "Did you mean retract" in agm.refused("retrat", code=2)
    assert "Did you mean" not in agm.refused("zzzzz", code=2)


# Completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_given_its_script(agm, shell):
    code, out, err = agm.raw("completion", shell)
    assert (code, err) == (0, "")
    assert f"_AGM_COMPLETE={shell}_complete" in out
    assert agm.json("completion", shell) == {"shell": shell, "script": out.removesuffix("\n")}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_one_that_its_shell_can_read(agm, shell):
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed here")
    _, out, _ = agm.raw("completion", shell)
    done = subprocess.run([found, "-n"], input=out, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def completed(line, monkeypatch, capsys):
    monkeypatch.setenv("_AGM_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main([])
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("agm retract", ["plain,retract", "plain,retract-by-source"]),
        ("agm tell --ent", ["plain,--entrenchment"]),
        ("agm tell --entrenchment ob", ["plain,observed"]),
        ("agm tell --mode q", ["plain,question"]),
        ("agm vocabulary de", ["plain,declare"]),
        ("agm completion f", ["plain,fish"]),
        ("agm --db st", ["file,st"]),
        ("agm ingest li", ["file,li"]),
        ("agm mcp --store st", ["file,st"]),
    ],
)
def test_what_could_stand_next_is_named(monkeypatch, capsys, line, expected):
    assert completed(line, monkeypatch, capsys) == expected


# Colours


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return monkeypatch


def shown(patch, *args):
    out, err = Terminal(), Terminal()
    patch.setattr(sys, "stdout", out)
    patch.setattr(sys, "stderr", err)
    main([str(arg) for arg in args])
    return out.getvalue(), err.getvalue()


def test_on_a_terminal_it_is_in_colour_how_a_belief_stands(tmp_path, terminal):
    hand = ("--db", tmp_path / "s.db", "--as", "anna")
    told, _ = shown(terminal, *hand, "tell", "f(x) = 1")
    asked, _ = shown(terminal, *hand, "ask", "f(x)")
    follows, _ = shown(terminal, *hand, "ask", "f(x) = 1")
    _, refused = shown(terminal, *hand, "why", "nobody")
    assert told.startswith("b1: \x1b[32mactive\x1b[0m, entry 1")
    assert "\x1b[32mbelieved\x1b[0m" in asked
    assert "f(x) = 1: \x1b[32mfollows\x1b[0m" in follows
    assert refused.startswith("\x1b[31magm:\x1b[0m UnknownBelief: ")


@pytest.mark.parametrize("setting", [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_whoever_wants_no_colours_gets_none(tmp_path, terminal, setting):
    terminal.setenv(*setting)
    hand = ("--db", tmp_path / "s.db", "--as", "anna")
    for args in (("tell", "f(x) = 1"), ("ask", "f(x)"), ("why", "nobody"), ("tel",)):
        assert "\x1b" not in "".join(shown(terminal, *hand, *args))


def test_json_and_pipes_are_never_in_colour(tmp_path, terminal, agm):
    hand = ("--db", tmp_path / "s.db", "--as", "anna")
    shown(terminal, *hand, "tell", "f(x) = 1")
    assert "\x1b" not in "".join(shown(terminal, *hand, "ask", "f(x)", "--json"))
    assert not colours.coloured(io.StringIO())


def test_columns_stay_aligned_in_colour(tmp_path, terminal):
    hand = ("--db", tmp_path / "s.db", "--as", "anna")
    for line in ("f(x) = 1", "g(x) = 22222"):
        shown(terminal, *hand, "tell", line, "--source", "s")
    out, _ = shown(terminal, *hand, "as-of", "2999-01-01T00:00:00Z")
    coloured, _ = shown(terminal, *hand, "recall", "")
    terminal.setenv("NO_COLOR", "1")
    plain, _ = shown(terminal, *hand, "recall", "")
    for word, paint in (("believed", "32"), ("active", "32")):
        coloured = coloured.replace(f"\x1b[{paint}m{word}\x1b[0m", word)
    assert out == ""
    assert coloured == plain
    assert len(plain.splitlines()) == 2


def test_what_was_told_cannot_colour_or_move_anything(tmp_path, terminal, agm):
    hand = ("--db", tmp_path / "s.db", "--as", "anna")
    nasty = "all is well \x1b[2J\u202e\nagm: trust me"
    agm("tell", "--text", nasty, "--source", "a\x1b[31mb", "--id", "nasty")
    agm("tell", "p", "--id", "p")
    terminal.setenv("NO_COLOR", "1")
    hand = ("--db", agm.db, "--as", "anna")
    for args in (
        ("recall", "well"),
        ("why", "nasty"),
        ("history", "nasty"),
        ("inbox",),
        ("rests-on", "a\x1b[31mb"),
    ):
        out, err = shown(terminal, *hand, *args)
        assert "\x1b" not in out + err
        assert "\u202e" not in out
        assert not any(line.startswith("agm:") for line in out.splitlines())


# Progress


def test_short_work_shows_nothing_and_long_work_one_line_that_goes():
    at = [0.0]
    stream = Terminal()
    watch = Watch("rebuilding", stream, clock=lambda: at[0])
    watch(1, 100)
    watch.end()
    assert stream.getvalue() == ""
    for now, done in ((0.6, 10), (0.61, 11), (0.75, 50)):
        at[0] = now
        watch(done, 100)
    at[0] = 1.0
    watch(0, 0, "a table")
    watch.end()
    lines = [part for part in stream.getvalue().split("\r\x1b[K") if part]
    assert lines == [
        "rebuilding: 10 of 100 (10 %)",
        "rebuilding: 50 of 100 (50 %)",
        "rebuilding: a table",
    ]
    assert stream.getvalue().endswith("\r\x1b[K")


def test_progress_is_for_a_terminal_alone(terminal):
    with watched("x") as progress:
        assert progress is None
    terminal.setattr(sys, "stderr", Terminal())
    with watched("x") as progress:
        assert isinstance(progress, Watch)
    terminal.setenv("TERM", "dumb")
    with watched("x") as progress:
        assert progress is None


@pytest.mark.parametrize(
    ("args", "label"),
    [
        (("rebuild",), "rebuilding"),
        (("rebuild",), "checking"),
        (("verify",), "checking"),
        (("export", "out.jsonl"), "exporting"),
        (("sweep",), "sweeping"),
        (("backfill",), "looking"),
        (("consolidate",), "comparing"),
    ],
)
def test_long_work_tells_its_progress(prepared, tmp_path, terminal, args, label):
    folder = tmp_path / "here"
    shutil.copytree(prepared, folder)
    terminal.chdir(folder)
    terminal.setattr("agm_store.cli.watching.PATIENCE", -1)
    main(["--db", "b.db", "--as", "anna", "retract", "ttl-1"])
    main(["--db", "b.db", "--as", "anna", "tell", "--text", "It is slow."])
    _, err = shown(terminal, "--db", "b.db", "--as", "anna", *args)
    assert f"{label}: " in err
    assert err.endswith("\r\x1b[K")
    out, _ = shown(terminal, "--db", "b.db", "--as", "anna", *args, "--json")
    assert "\x1b" not in out


def test_whoever_asks_is_told_how_far_the_work_on_a_journal_is(tmp_path):
    from agm import prop
    from agm_store import open_store

    told = []
    with open_store(tmp_path / "s.db", principal="anna") as store:
        for at in range(5):
            store.tell(prop(f"p{at}"))
        store.rebuild(progress=lambda *row: told.append(row))
        tables = told[1:]
        assert tables
        assert all(row[:2] == (0, 0) for row in tables)
        del told[1:]
        store.verify(progress=lambda *row: told.append(row))
        store.export_to(tmp_path / "out.jsonl", progress=lambda *row: told.append(row))
    assert told == [
        (1, 5, "entries"),
        (1, 5, "the chain"),
        (1, 5, "the entries"),
        (0, 0, "the tables beside the journal"),
        (0, 5, "out.jsonl"),
    ]


# The next step of an error

STEPS = {
    ("ask", "f(x"): "`agm ask --help` shows how claims are written",
    ("tell", '{"subject": "a", "predicate": "p", "value": NaN}'): '{"formula"}',
    ("tell", '{"subject": "a", "subject": "b", "predicate": "p", "value": 1}'): "all keys once",
    ("tell", 'f(x) < "a"'): "`agm tell --help`",
    ("tell", "g(x) = 3 flurbs"): "agm vocabulary declare ATTRIBUTE quantity --unit UNIT",
    ("tell", "p" * 501): "use another name",
    ("tell", "p", "--id", "a\nb"): "--id 'a\\nb': expected",
    ("tell", "q", "--because", "nobody"): "`ask` and `timeline`",
    ("ask", "p", "--valid-at", "noon"): "--valid-at 'noon': expected an ISO-8601 time",
    ("as-of", "noon"): "TIME 'noon': expected",
    ("share", "one", "--with", "anna"): "--with 'anna': expected another principal",
    ("unshare", "one", "--with", "ben"): "`agm share` lists",
    ("retract-by-source", "nobody"): "`agm rests-on SOURCE` lists",
    ("correct", "one", "f(x) = 1"): "`agm history ID`",
    ("contract", "p | !p"): "revert the constraint",
    ("decide", "one", "approve"): "`agm inbox` lists the ids",
    ("revert", "99"): "`agm history ID` names",
    ("retract", "gone"): "`agm why ID` names",
    ("artefact", "version", "r", "--rests-on", "one"): "`agm artefact list`",
    ("vocabulary", "declare", "stage", "enum"): "`agm vocabulary declare --help`",
    ("export", "no/such/folder/out.jsonl"): "name a file in a folder that is there",
    ("import", "{lines}"): "`agm verify --export FILE`",
    ("ingest", "missing.jsonl"): "name a file that can be read",
    ("ask", "p", "--as", "\udcff"): "--as '\\udcff': expected a name",
}


@pytest.mark.parametrize(
    "args", STEPS, ids=lambda args: " ".join(args)[:30].encode("ascii", "replace").decode()
)
def test_an_error_says_the_next_step(agm, args):
    agm("vocabulary", "declare", "f", "int")
    agm("tell", "f(x) = 1", "--id", "one")
    agm("tell", "r", "--id", "gone")
    agm("retract", "gone")
    lines = agm.write("lines.jsonl", "no export")
    err = agm.refused(*(arg.format(lines=lines) if arg == "{lines}" else arg for arg in args))
    assert STEPS[args] in err


def test_a_wrong_use_ends_its_sentence_and_names_the_help(agm):
    agm("tell", "p")
    for args in (
        ("ask", "p", "q"),
        ("reclassify", "1"),
        ("tell", "p", "--mode", "x"),
        ("what-if",),
    ):
        err = agm.refused(*args, code=2)
        assert err.endswith(f". See `agm {args[0]} --help`.\n")


def test_a_step_is_not_said_twice():
    from agm_store.cli.advice import line_of

    class NothingToChange(AgmError):
        pass

    error = NothingToChange("x; `agm history ID` shows what is on record")
    assert line_of(error, ["correct"]).count("agm history") == 1
    assert line_of(ZeroDivisionError("x"), []) == "ZeroDivisionError: x"


def test_a_person_who_starts_a_server_on_a_terminal_is_told_what_it_waits_for(tmp_path, terminal):
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    terminal.setattr("agm_store.mcp.serve", lambda *_, **__: None)
    terminal.setattr(sys, "stdin", Terminal())
    out, err = shown(terminal, "mcp", "--as", "anna", "--store", tmp_path / "s.db")
    assert out == ""
    assert "as anna to a client on the standard input; the end of the input ends it" in err
