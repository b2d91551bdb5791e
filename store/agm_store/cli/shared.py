"""What every command shares: whose store it is, how it answers, and how texts become claims and times."""

# ruff: noqa: ANN401  (click hands over values of any kind)
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agm_store.cli import examples

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import BinaryIO

    from click.shell_completion import CompletionItem

    from agm import Claim, Term
    from agm.values import Unknown
    from agm_store.beliefs import BeliefStore

F = TypeVar("F", bound="Callable[..., Any]")


class Hand:
    """The file, the principal and the form of the answer, wherever on the line they stood."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings

    @property
    def as_json(self) -> bool:
        """Whether the answer is JSON."""
        return bool(self._settings.get("as_json"))

    @property
    def db(self) -> str:
        """The path of the store."""
        return self._needed("db", "--db FILE", "name the store's file")

    @property
    def principal(self) -> str:
        """Whose beliefs are meant."""
        return self._needed("principal", "--as NAME", "say whose beliefs are meant")

    def reading(self) -> BeliefStore:
        """The store to read from; it must exist."""
        return self._open(create=False, read_only=True)

    def changing(self) -> BeliefStore:
        """The store to write to; it must exist, for what is changed must be in it."""
        return self._open(create=False)

    def telling(self) -> BeliefStore:
        """The store to write to; made when it is missing."""
        return self._open(create=True)

    def _open(self, *, create: bool, read_only: bool = False) -> BeliefStore:
        from agm_store.opening import open_store

        principal = self.principal
        return open_store(self.db, principal=principal, create=create, read_only=read_only)

    def _needed(self, name: str, option: str, advice: str) -> str:
        value = self._settings.get(name)
        if value is None:
            raise click.UsageError(
                f"Missing option {option}: {advice}.", click.get_current_context()
            )
        return str(value)


def shared_options(command: F) -> F:
    """Add ``--db``, ``--as`` and ``--json``; what stands later on the line wins."""
    return _shared(command, store=True)


def storeless_options(command: F) -> F:
    """Add the same, of which the help shows only ``--json``: the others mean nothing where there is no store."""
    return _shared(command, store=False)


def _shared(command: F, *, store: bool) -> F:
    for option in (
        click.option(
            "--json", "as_json", is_flag=True, default=None, help="Answer in JSON.", **_kept()
        ),
        click.option(
            "--as", "principal", metavar="NAME", help="Whose beliefs.", hidden=not store, **_kept()
        ),
        click.option(
            "--db", metavar="FILE", help="The store's file.", shell_complete=files,
            hidden=not store, **_kept(),
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def _kept() -> dict[str, Any]:
    def keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
        if value is not None:
            ctx.meta[f"agm.{param.name}"] = value

    return {"callback": keep, "expose_value": False}


def command(function: Callable[..., Any]) -> click.Command:
    """A click command with the shared options, called with a `Hand` first."""
    return _command(function, shared_options)


def storeless_command(function: Callable[..., Any]) -> click.Command:
    """A click command that needs no store."""
    return _command(function, storeless_options)


def _command(
    function: Callable[..., Any], options: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> click.Command:
    def called(**given: Any) -> Any:
        meta = click.get_current_context().meta
        found = {k.removeprefix("agm."): v for k, v in meta.items() if k.startswith("agm.")}
        return function(Hand(found), **given)

    called.__doc__ = function.__doc__
    called.__click_params__ = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]
    name = function.__name__.removesuffix("_command").replace("_", "-")
    return click.command(name, cls=Command)(options(called))


class Command(click.Command):
    """A command whose help ends with its examples."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        examples.write(ctx, formatter)


class Group(click.Group):
    """A group whose help ends with its examples."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        examples.write(ctx, formatter)


def entry_number(_ctx: click.Context, _param: click.Parameter, value: str) -> int:
    """The number of an entry; where an id stands in its place, the error says who names numbers."""
    try:
        return int(value)
    except ValueError:
        from agm_store.errors import shorten

        said = f"{shorten(value, 40)} is no number of an entry"
        cure = "receipts name entries, and `agm history ID` those of a belief"
        raise click.BadParameter(f"{said}; {cure}.") from None


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def classes(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a class of entrenchment of the default order."""
    from click.shell_completion import CompletionItem

    from agm.entrenchment import DEFAULT_CHAIN

    return [CompletionItem(name) for name in DEFAULT_CHAIN if name.startswith(incomplete)]


def stdin_bytes() -> BinaryIO:
    """The standard input as bytes."""
    return sys.stdin.buffer


def readable(file: str) -> BinaryIO:
    """A file of input, open for reading.

    Raises:
        UnreadableFile: it cannot be opened.
    """
    from pathlib import Path

    from agm_store.errors import UnreadableFile

    try:
        return Path(file).open("rb")
    except (OSError, ValueError) as error:
        raise UnreadableFile(file, str(getattr(error, "strerror", error))) from error


def text_of(argument: str) -> str:
    """An argument, or the standard input for ``-``.

    Raises:
        UnreadableFile: the input is not UTF-8.
    """
    if argument != "-":
        return argument
    try:
        return stdin_bytes().read().decode().strip()
    except UnicodeDecodeError as error:
        from agm_store.errors import UnreadableFile

        raise UnreadableFile("-", f"no UTF-8 at byte {error.start}") from error


def claim_of(argument: str) -> Callable[[BeliefStore], Claim]:
    """The claim that an argument states, as text or as a flat JSON object; what a name in JSON means, a store knows.

    Raises:
        ClaimSyntaxError, InvalidJson, ClaimTooLarge: it is none.
    """
    text = text_of(argument)
    if not text.lstrip().startswith("{"):
        from agm.syntax import parse

        claim = parse(text)
        return lambda _: claim
    from agm.jsonform import claim_from_json, loads_strict

    found = loads_strict(text)
    predicate = found.get("predicate")
    known = [predicate] if isinstance(predicate, str) else []
    return lambda store: claim_from_json(found, store._context.lexicon.learn(known))  # noqa: SLF001  the same package


def term_of(argument: str) -> Term[Any]:
    """The term that an argument names."""
    from agm.syntax import parse_term

    return parse_term(argument)


def time_of(name: str, argument: str | None) -> datetime | None:
    """The moment that an option names; None when it was not given."""
    if argument is None:
        return None
    from agm_store.times import moment_of

    return moment_of(name, argument)


def start_of(name: str, argument: str | None) -> datetime | Unknown | None:
    """A start: a moment, ``unknown``, or None for the time of telling."""
    if argument == "unknown":
        from agm.values import UNKNOWN

        return UNKNOWN
    return time_of(name, argument)
