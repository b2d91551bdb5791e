"""The settings of an adapter: checked once, before anything is asked, and fixed from then on."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

from agm.errors import MissingExtra
from agm.llm.accounting import Prices
from agm.llm.breaker import Breaker
from agm.llm.errors import KEY_VARIABLE, InvalidSetting, NoKey, is_number
from agm.llm.transport import bounded_client

if TYPE_CHECKING:
    from collections.abc import Callable

    from agm.directives import ModelCall

_LONGEST = 86_400


class Options(TypedDict, total=False):
    """The optional settings of every adapter; `agm.llm.adapting.Adapter` says what they mean."""

    deadline: float
    api_key: str | None
    base_url: str | None
    client: Callable[[], Any] | None
    max_tokens: int
    prices: Prices | None
    breaker: Breaker | None
    on_call: Callable[[ModelCall], None] | None


class Key:
    """A key that shows itself nowhere: not in a repr, not in a pickle, not among the locals of a traceback."""

    __slots__ = ("_text",)

    def __init__(self, text: object) -> None:
        self._text = text

    def reveal(self) -> str:
        """The key itself, for the one place that sends it."""
        return str(self._text)

    @property
    def fault(self) -> str:
        """Why it is no key that can be sent; empty when it is one."""
        if not isinstance(self._text, str):
            return "there is no key" if self._text is None else "a key is a string"
        if not self._text.strip():
            return "the key is empty"
        if not all("!" <= char <= "~" for char in self._text):
            return "the key has characters that no header can carry, perhaps a line end"
        return ""

    def __repr__(self) -> str:
        return "<Key>"

    def __reduce__(self) -> NoReturn:
        raise InvalidSetting(
            "api_key", self, "to stay in this process: make the adapter anew there"
        )


def hidden(key: object) -> Any:  # noqa: ANN401  (stands where a key as text did)
    """A key that was given, or the one of the environment, so that no name holds its text from here on."""
    if isinstance(key, Key):
        return key
    if key is None and os.environ.get(KEY_VARIABLE, "").strip():
        return Key(os.environ[KEY_VARIABLE])
    return Key(key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an adapter asks by; `deadline` in seconds is for a whole call."""

    model: str
    deadline: float
    max_tokens: int
    breaker: Breaker
    key: Key | None = None
    base_url: str | None = field(default=None, repr=False)
    make: Callable[[], Any] | None = field(default=None, repr=False)
    prices: Prices | None = None
    on_call: Callable[[ModelCall], None] | None = field(default=None, repr=False)
    tls: Any = field(default=None, repr=False)

    def client(self, deadline: float) -> Any:  # noqa: ANN401  (the SDK's own type)
        """An SDK client for one call."""
        if self.make is not None:
            return self.make().with_options(max_retries=0, timeout=deadline)
        assert self.key is not None
        return bounded_client(
            api_key=self.key.reveal(), base_url=self.base_url, deadline=deadline, tls=self.tls
        )


def settings_of(
    *,
    model: str,
    api_key: str | None = None,
    base_url: str | None = None,
    client: Callable[[], Any] | None = None,
    deadline: float = 30.0,
    max_tokens: int = 4096,
    prices: Prices | None = None,
    breaker: Breaker | None = None,
    on_call: Callable[[ModelCall], None] | None = None,
) -> Settings:
    """The settings, each checked; loads the SDK, so that no call pays for that.

    Raises `InvalidSetting`, `NoKey`, and `MissingExtra` when the extra is not installed.
    """
    key = api_key = hidden(api_key)
    if not _is_name(model):
        raise InvalidSetting("model", model, "the name of a model")
    if not is_number(deadline) or not 0 < deadline <= _LONGEST:
        raise InvalidSetting("deadline", deadline, "seconds, more than 0 and at most a day")
    if type(max_tokens) is not int or max_tokens < 1:
        raise InvalidSetting("max_tokens", max_tokens, "a whole number of tokens, 1 or more")
    if client is not None and not callable(client):
        raise InvalidSetting("client", type(client).__name__, "a function that makes an SDK client")
    if base_url is not None and not _is_address(base_url):
        raise InvalidSetting("base_url", type(base_url), "an address with http:// or https://")
    _check_parts(prices, breaker, on_call)
    if client is None and key.fault:
        raise NoKey(key.fault)
    tls = _load()
    return Settings(
        model=model,
        deadline=deadline,
        max_tokens=max_tokens,
        breaker=Breaker() if breaker is None else breaker,
        key=None if client is not None else key,
        base_url=base_url,
        make=client,
        prices=prices,
        on_call=on_call,
        tls=tls,
    )


def _check_parts(prices: object, breaker: object, on_call: object) -> None:
    from inspect import iscoroutinefunction

    if not isinstance(prices, Prices | None):
        raise InvalidSetting("prices", type(prices), "Prices, or None")
    if not isinstance(breaker, Breaker | None):
        raise InvalidSetting("breaker", type(breaker), "a Breaker, or None")
    called = getattr(type(on_call), "__call__", None)  # noqa: B004  (that of its class is what runs)
    if on_call is not None and (
        not callable(on_call) or iscoroutinefunction(on_call) or iscoroutinefunction(called)
    ):
        raise InvalidSetting(
            "on_call", type(on_call), "a plain function of an account; none is awaited"
        )


def _is_name(model: object) -> bool:
    return isinstance(model, str) and model.isprintable() and bool(model.strip())


def _is_address(url: object) -> bool:
    return isinstance(url, str) and url.startswith(("http://", "https://")) and url.isprintable()


def _load() -> Any:  # noqa: ANN401  (the standard library's context, made by the SDK's HTTP library)
    """Load what is slow to load, and the certificates, so that no call's deadline pays for them."""
    try:
        import anthropic.resources.messages  # noqa: F401
    except ImportError as fault:
        raise MissingExtra("anthropic", needed_for="asking a model of Anthropic") from fault
    from httpx2 import create_ssl_context

    return create_ssl_context()
