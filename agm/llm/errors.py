"""What an adapter refuses before it asks anything; no message shows a key, a prompt or a text."""

from __future__ import annotations

from agm.errors import AgmError, shown

KEY_VARIABLE = "ANTHROPIC_API_KEY"
"""The environment variable that a key is read from when none is given."""


def is_number(value: object) -> bool:
    """Whether it is a number; a bool is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


class NoKey(AgmError, ValueError):
    """An adapter that was given no usable key; nothing was asked. `reason` says what was found."""

    def __init__(self, reason: str) -> None:
        """Say what is wrong, and the three ways to give a key."""
        self.reason = reason
        super().__init__(
            f"{reason}: give api_key=..., set the environment variable {KEY_VARIABLE}, "
            f"or give client=, a function that makes an SDK client"
        )


class InvalidSetting(AgmError, ValueError):
    """An argument of an adapter that means nothing; `name`, `value` and what is `allowed`."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        """Name the argument, show what was given, and say what is allowed."""
        self.name = name
        self.value = value
        self.allowed = allowed
        super().__init__(f"{name} is {shown(value)}: expected {allowed}")


class ScriptEnded(AgmError, LookupError):
    """A scripted adapter was asked for more than its script holds; `asked` counts the requests."""

    def __init__(self, asked: int, *, held: int) -> None:
        """Count what was asked and what the script holds."""
        self.asked = asked
        self.held = held
        super().__init__(
            f"request {asked} of a script that holds {held} answers, none of which fits: "
            f"add the missing answer, or give a function"
        )
