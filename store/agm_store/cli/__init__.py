"""The command line ``agm``: read `quick` for the road of a plain ``ask``, `commands` for all others.

`main` answers with an exit code: 0 done, 1 refused by the product (one line on stderr), 2 wrongly used,
130 interrupted by Ctrl-C.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DONE, REFUSED, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the process's arguments by default."""
    import sys

    _stand_in()
    args = list(sys.argv[1:] if argv is None else argv)
    if "--traceback" in args:
        args.remove("--traceback")
        return _run(args)
    return _guarded(_run, args)


def _run(args: list[str]) -> int:
    import sys

    from agm_store.cli.quick import quick_ask

    code = quick_ask(args)
    if code is None:
        from agm_store.cli.commands import run

        code = run(args)
    sys.stdout.flush()
    return code


def _guarded(action: Callable[[list[str]], int], args: list[str]) -> int:
    """What the action answers; an error becomes one line on stderr and a code."""
    try:
        return action(args)
    except KeyboardInterrupt:
        return failed("interrupted; what was committed stays", INTERRUPTED)
    except BrokenPipeError:
        _drop_output()
        return REFUSED
    except Exception as error:  # noqa: BLE001  the border to the shell: every error becomes one line
        from agm.errors import AgmError

        name = type(error).__name__
        if isinstance(error, OSError) and _of_the_output(error):
            said = f"the answer could not be written ({error.strerror}); what was recorded stays"
            return failed(f"{name}: {said}", REFUSED)
        if isinstance(error, AgmError | OSError):
            from agm_store.cli.advice import line_of

            return failed(line_of(error, args), REFUSED)
        return failed(
            f"{name}: {error}; this is a fault of agm itself, `agm --traceback ...` shows where",
            REFUSED,
        )


def _of_the_output(error: OSError) -> bool:
    """Whether writing an answer failed: the file it goes to has no room, or its device is gone."""
    import errno

    return error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EFBIG)


def failed(sentence: str, code: int) -> int:
    """Say on stderr, in one line, why a command was refused; gives the code."""
    import sys

    from agm_store.cli.colours import BAD, coloured, painted

    line = " ".join(sentence.split())
    agm = painted("agm:", BAD) if coloured(sys.stderr) else "agm:"
    try:
        sys.stderr.write(f"{agm} {line}\n")
    except UnicodeError:
        sys.stderr.write(f"{agm} {line!a}\n")
    return code


def _stand_in() -> None:
    """Put nothing in the place of standard streams that were closed: what is said into them is lost."""
    import sys

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            import os

            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123  till the end


def _drop_output() -> None:
    """Let nothing more be written to a pipe that nobody reads, also not at exit."""
    import os
    import sys

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
