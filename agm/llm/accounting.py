"""What a call took: tokens as the provider bills them, and the cost where prices are given."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from agm.directives import ModelCall
from agm.llm.errors import InvalidSetting

if TYPE_CHECKING:
    from collections.abc import Mapping

_MILLION = 1_000_000
_MOST = 2**53
_FIELDS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Dollars for a million tokens of each sort; `batch` is the factor for a batch of requests.

    Raises `InvalidSetting` on what is no Decimal of 0 or more: money is never a binary fraction.

    >>> prices = Prices(input=Decimal(3), output=Decimal(15), cache_read=Decimal("0.3"))
    >>> prices.cost({"input_tokens": 1_000, "cache_read_tokens": 10_000, "output_tokens": 200})
    Decimal('0.009')
    """

    input: Decimal
    output: Decimal
    cache_read: Decimal = Decimal(0)
    cache_write: Decimal = Decimal(0)
    batch: Decimal = Decimal(1)

    def __post_init__(self) -> None:
        for name in ("input", "output", "cache_read", "cache_write", "batch"):
            value = getattr(self, name)
            if not isinstance(value, Decimal) or not value.is_finite() or value < 0:
                raise InvalidSetting(
                    name, value, "a Decimal, 0 or more, in dollars a million tokens"
                )

    def cost(self, tokens: Mapping[str, int], *, in_batch: bool = False) -> Decimal:
        """Dollars for these counts, which bear the names of `ModelCall`."""
        total = (
            self.input * tokens.get("input_tokens", 0)
            + self.output * tokens.get("output_tokens", 0)
            + self.cache_read * tokens.get("cache_read_tokens", 0)
            + self.cache_write * tokens.get("cache_write_tokens", 0)
        )
        return (total * (self.batch if in_batch else 1) / _MILLION).normalize()


def tokens_of(usage: object) -> dict[str, int]:
    """The counts of an answer under the names of `ModelCall`; what is no count is 0.

    >>> tokens_of({"input_tokens": 7, "output_tokens": -1, "cache_read_input_tokens": True})
    {'input_tokens': 7, 'output_tokens': 0, 'cache_read_tokens': 0, 'cache_write_tokens': 0}
    """
    given = usage if isinstance(usage, dict) else {}
    return {ours: _count(given.get(theirs)) for ours, theirs in _FIELDS.items()}


def account(
    model: str,
    prompt: str,
    outcome: str,
    *,
    tokens: Mapping[str, int] | None = None,
    micros: int = 0,
    prices: Prices | None = None,
    in_batch: bool = False,
) -> ModelCall:
    """The account of one call; a call that billed nothing costs nothing."""
    counts = dict(tokens or {})
    cost = None if prices is None else prices.cost(counts, in_batch=in_batch)
    return ModelCall(
        model=model, prompt=prompt, outcome=outcome, micros=micros, cost=cost, **counts
    )


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value < _MOST else 0
