"""What all adapters have in common: their settings, their accounts, and checked arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from agm.directives import NotRun
from agm.llm.accounting import account
from agm.llm.asking import Asking, with_call
from agm.llm.errors import InvalidSetting
from agm.llm.kinds import KINDS
from agm.llm.settings import hidden, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agm.directives import ModelCall
    from agm.llm.accounting import Prices
    from agm.llm.breaker import Breaker
    from agm.llm.requests import Request

    T = TypeVar("T")


class Adapter:
    """Asks one model; `calls` holds the accounts of the last 256 calls.

    `deadline` is in seconds for a whole call, `max_tokens` the longest answer. The key is `api_key`
    or the environment variable `ANTHROPIC_API_KEY`; `client` instead is a function that makes an
    SDK client for one call (`AsyncAnthropic`, or the SDK's client for a cloud), whose own transport then
    sets the bounds on size and host. `breaker` may be shared; `on_call` is called with each account,
    and one that raises changes nothing: the answer is given all the same, the error goes to the log `agm.llm`.

    Raises `InvalidSetting`, `NoKey`, or `MissingExtra` when the extra `anthropic` is not installed.
    """

    __slots__ = ("_asking",)

    def __init__(
        self,
        *,
        model: str,
        deadline: float = 30.0,
        api_key: str | None = None,
        base_url: str | None = None,
        client: Callable[[], Any] | None = None,
        max_tokens: int = 4096,
        prices: Prices | None = None,
        breaker: Breaker | None = None,
        on_call: Callable[[ModelCall], None] | None = None,
    ) -> None:
        api_key = hidden(api_key)
        self._asking = Asking(
            settings_of(
                model=model,
                deadline=deadline,
                api_key=api_key,
                base_url=base_url,
                client=client,
                max_tokens=max_tokens,
                prices=prices,
                breaker=breaker,
                on_call=on_call,
            )
        )

    @property
    def model(self) -> str:
        """The model that is asked."""
        return self._asking.settings.model

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The accounts of the last calls, oldest first."""
        return self._asking.calls

    def __repr__(self) -> str:
        asking = getattr(self, "_asking", None)  # none yet where a setting was refused
        return (
            f"<{type(self).__name__}>"
            if asking is None
            else f"<{type(self).__name__} {self.model}>"
        )

    def _ask(self, request: Request, read: Callable[[str], T | NotRun]) -> T | NotRun:
        fault = self._unsent(request)
        return self._asking.ask(request, read)[0] if fault is None else fault

    async def _ask_async(self, request: Request, read: Callable[[str], T | NotRun]) -> T | NotRun:
        fault = self._unsent(request)
        if fault is not None:
            return fault
        found, _ = await self._asking.ask_async(request, read)
        return found

    def _unsent(self, request: Request) -> NotRun | None:
        if not request.fault:
            return None
        call = account(self.model, request.prompt.label, request.fault)
        self._asking.note(call)
        return with_call(NotRun(kind=request.fault, detail=KINDS[request.fault]), call)

    def _sizes(self) -> dict[str, Any]:
        settings = self._asking.settings
        return {"model": settings.model, "max_tokens": settings.max_tokens}


def checked_text(name: str, text: object) -> str:
    """The text; what is none is refused, and not shown."""
    if not isinstance(text, str):
        raise InvalidSetting(name, type(text), "a text, as str")
    return text


def checked_lines(name: str, lines: Sequence[str]) -> Sequence[str]:
    """The lines; a single text in their place would be read letter by letter."""
    if isinstance(lines, str | bytes) or not all(isinstance(line, str) for line in lines):
        raise InvalidSetting(name, type(lines), "a list of lines")
    return lines
