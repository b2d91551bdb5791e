"""``experiment``: ways to remember conversations, compared; ``run`` makes records, ``report`` shows them."""

# ruff: noqa: ANN401  (click hands over options by name)
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agm_store.cli.output import print_json, say
from agm_store.cli.shared import Group, files, storeless_command, storeless_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm_store.cli.shared import Hand
    from agm_store.experiments.conversations import Scenario


@click.group("experiment", cls=Group)
@storeless_options
def experiment_command() -> None:
    """Compare ways to remember conversations."""


_OPTIONS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("--arms", "NAMES", "Ways to remember, commas between; all by default.", {}),
    ("--kinds", "NAMES", "Kinds of conversations, commas between, or all; the post-mortem's three by default.", {}),
    ("--seeds", "N", "Conversations of each kind, each from a seed of its own.",
     {"type": click.IntRange(1, 1_000_000), "default": 200}),
    ("--first", "SEED", "The first of the seeds.", {"type": click.IntRange(0), "default": 0}),
    ("--noise", "LEVELS", "Shares of labels with an error, commas between; 0,0.1,0.2,0.3, or 0 with a model.", {}),
    ("--out", "FILE", "Append records to FILE, and go on where it ends.", {"type": click.Path(dir_okay=False)}),
    ("--jobs", "N", "Processes.", {"type": click.IntRange(1, 256), "default": 1}),
    ("--model", "NAME", "Take labels from this model; needs a key.", {}),
)  # fmt: skip


def _options(function: Any) -> Any:
    """The options of a run."""
    for name, metavar, words, more in reversed(_OPTIONS):
        shown = "default" in more
        function = click.option(name, metavar=metavar, help=words, show_default=shown, **more)(
            function
        )
    return function


@storeless_command
@_options
def run_command(hand: Hand, seeds: int, first: int, jobs: int, **given: Any) -> None:
    """Let arms hear conversations and answer; shows the table of right answers.

    With --model each conversation is read by the model once, and all arms are given what it found.
    """
    from agm_store.experiments import ARMS, KINDS, POSTMORTEM, report, run, scenarios

    kinds, model = given["kinds"], given["model"]
    asked = POSTMORTEM if kinds is None else tuple(KINDS) if kinds == "all" else _listed(kinds)
    drawn = scenarios(seeds, seed=first, kinds=asked)
    arms = list(ARMS) if given["arms"] is None else _arms(given["arms"])
    noise = given["noise"] or ("0,0.1,0.2,0.3" if model is None else "0")
    levels = _levels(noise)
    if model is not None:
        records = _with_model(model, drawn, arms, levels, given["out"])
    elif jobs == 1:
        records = run(drawn, arms, noise=levels, out=given["out"])
    else:
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(jobs) as executor:
            records = run(drawn, arms, noise=levels, out=given["out"], executor=executor)
    if hand.as_json:
        print_json(records)
    else:
        say(report(records))


@storeless_command
@click.argument("file", shell_complete=files)
@click.option("--by", default="kind", show_default=True, metavar="FIELD", help="What the rows stand for.")  # fmt: skip
def report_command(hand: Hand, file: str, by: str) -> None:
    """Show the records of FILE as tables; rows by kind, noise, labelled, seed and so on."""
    from agm_store.experiments import read_records, report, shares
    from agm_store.experiments.reporting import deeds

    records = read_records(file)
    if not hand.as_json:
        say(report(records, by=by))
        return
    names = tuple(dict.fromkeys(("noise", by, "arm")))
    rows = [
        {**dict(zip(names, group, strict=True)), "right": s.right, "n": s.total, "interval": s.interval}
        for group, s in shares(records, *names).items()
    ]  # fmt: skip
    print_json({"last_question": rows, "arms": deeds(records)})


def _with_model(
    model: str, drawn: Sequence[Scenario], arms: list[str], levels: list[float], out: str | None
) -> list[dict[str, Any]]:
    """The records of conversations that a model reads, one by one; what the file has is not read again."""
    from dataclasses import replace

    from agm.llm import AnthropicExtractor
    from agm_store.experiments import labelled, run, vocabulary
    from agm_store.experiments.recording import Records
    from agm_store.experiments.running import key_of

    extractor = AnthropicExtractor(model=model, vocabulary=vocabulary())
    found = []
    for scenario in drawn:
        read = replace(scenario, labelled=model)
        with Records(out) as kept:
            keys = [key_of(read, arm, level, 0) for arm in arms for level in levels]
            known = all(key in kept for key in keys)
        given = read if known else labelled(scenario, extractor)
        found += run([given], arms, noise=levels, out=out)
    return found


def _arms(text: str) -> list[str]:
    from agm_store.errors import InvalidArgument
    from agm_store.experiments import ARMS

    names = _listed(text)
    for name in names:
        if name not in ARMS:
            expected = f"one of {', '.join(ARMS)}; an arm of your own runs in Python only"
            raise InvalidArgument("arms", name, f"{expected}, by `agm_store.experiments.run`")
    return names


def _levels(text: str) -> list[float]:
    try:
        return [float(part) for part in _listed(text)]
    except ValueError:
        from agm_store.errors import InvalidArgument

        raise InvalidArgument("noise", text, "numbers from 0 to 1 with commas between") from None


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


experiment_command.add_command(run_command)
experiment_command.add_command(report_command)
