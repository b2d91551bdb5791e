"""What an error says on the command line: options by their names there, and the next step.

Most errors of the library say what to do in words that fit everywhere; here is what they cannot know: which
command it was, and which other one helps.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = {
    "principal": "--as",
    "statement": "--id",
    "with_": "--with",
    "valid": "--valid-at",
    "known": "--known-at",
    "of": "OF",
    "claim": "CLAIM",
    "review": "ID",
    "because": "--because",
    "budget": "--budget",
    "after": "--after",
    "kind": "--kind",
    "limit": "--limit",
    "source": "--source",
    "episode": "--episode",
    "note": "--note",
    "text": "--text",
    "mode": "--mode",
    "at": "--at",
    "time": "TIME",
    "confidence": "--confidence",
    "entrenchment": "--entrenchment",
    "max_entrenchment": "--max-entrenchment",
    "valid_from": "--valid-from",
    "valid_to": "--valid-to",
    "valid_at": "--valid-at",
    "known_at": "--known-at",
    "anchor": "--count and --head",
    "arms": "--arms",
    "kinds": "--kinds",
    "noise": "--noise",
    "attribute": "ATTRIBUTE",
    "model": "--model",
    "max_wrong": "--max-wrong",
}
"""The names of arguments of the library as the command line has them."""

_KEY = (
    "set the environment variable ANTHROPIC_API_KEY to {0}, as `export ANTHROPIC_API_KEY=...` does"
)
_CLAIMS = "`agm {command} --help` shows how claims are written"
_STEPS = {
    "ClaimSyntaxError": _CLAIMS,
    "ClaimTypeError": _CLAIMS,
    "InvalidJson": 'a claim is {{"subject", "predicate", "value"}} or {{"formula"}}, all keys once',
    "InvalidName": "use another name, or put words into --text",
    "InvalidDeclaration": "`agm vocabulary declare --help` shows declarations that say something",
    "UnknownUnit": "here: `agm vocabulary declare ATTRIBUTE quantity --unit UNIT`",
    "UnknownArtefact": "here: `agm artefact list`",
    "UnknownEntry": "`agm history ID` names the entries of a belief",
    "TargetRetired": "`agm why ID` names that entry",
    "StaleReview": "`agm inbox` shows it as it is now",
    "UnknownOption": "give one of these to `agm decide`",
    "ImportRefused": "`agm verify --export FILE` looks at it, `agm export FILE --everybody` makes a new one",
    "ReplayRefused": "give a new --db FILE, or leave out --clock-from",
    "NothingToChange": "`agm history ID` shows what is on record",
    "NoKey": _KEY.format("a key"),
}  # fmt: skip
"""What helps against an error, where its own words do not say it for the command line."""
_TRIED = "what a change would do is tried out in the file itself, and taken back"
_STEPS_OF = {
    ("NothingToChange", "unshare"): "`agm share` lists what is shared",
    ("NothingToChange", "retract-by-source"): "`agm rests-on SOURCE` lists what it told",
    ("NothingToChange", "contract"): "revert the constraint if it is wrong",
    ("NothingToChange", "artefact"): "",
    ("ReadOnlyStore", "what-if"): _TRIED,
    ("ReadOnlyStore", "retract-by-source"): _TRIED,
    ("InvalidArgument", "decide"): "`agm inbox` lists the ids that wait",
    ("ReadOnlyStore", "export"): "name a file in a folder that is there and can be written",
}
_STEPS_OF_CALLS = {
    **dict.fromkeys(("unauthorised", "forbidden", "no_key"), _KEY.format("a key that may do this")),
    "unknown_model": "give --model the name of a model that the service has",
}
"""What helps where a call to a model did not run, by its kind; where none is named, waiting may."""


def line_of(error: Exception, args: Sequence[str]) -> str:
    """An error as one line for whoever called a command with these arguments."""
    name = type(error).__name__
    command = _command(args)
    words = _named(error, _words(name, error), args)
    step = _STEPS_OF.get((name, command))
    if step is None:
        step = _STEPS_OF_CALLS.get(getattr(error, "kind", "")) if name == "NotLabelled" else None
    if step is None:
        step = _STEPS.get(name, "")
    step = step.format(command=command or "tell")
    if step and step not in words:
        words = f"{words.rstrip('.;')}; {step}"
    return f"{name}: {words}"


def _command(args: Sequence[str]) -> str:
    """The command that was called; empty when there was none."""
    from agm_store.cli.commands import HOMES

    return next((word for word in args if word in HOMES), "")


def _words(name: str, error: Exception) -> str:
    """What an error says, without the advice that is for programs alone."""
    return str(getattr(error, "reason", error)) if name == "NoKey" else str(error)


def _named(error: Exception, words: str, args: Sequence[str]) -> str:
    """The words of an error with its argument named as the command that was called has it."""
    name = getattr(error, "name", None)
    if isinstance(name, str) and name in OPTIONS and words.startswith(f"{name} "):
        return (_argument(name, args) or OPTIONS[name]) + words[len(name) :]
    return words


def _argument(name: str, args: Sequence[str]) -> str:
    """A word of a command that stands without an option, as its help names it; empty where it has none so called."""
    import click

    from agm_store.cli.commands import agm

    command: click.Command | None = agm
    context = click.Context(agm)
    for word in args:
        if isinstance(command, click.Group):
            command = command.get_command(context, word) or command
    found = getattr(command, "params", ())
    named = [p for p in found if isinstance(p, click.Argument) and p.name == name]
    return named[0].human_readable_name if named else ""
