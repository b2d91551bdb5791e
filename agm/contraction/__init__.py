"""Contraction: the operators of the literature that give up a claim, by their names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.contraction.linear import Operator as Operator
    from agm.contraction.linear import contract, decided, linear_preferred, loss, out_of, preferred

__all__ = [
    "contract",
    "decided",
    "linear_preferred",
    "loss",
    "out_of",
    "preferred",
]

_HOME = {
    "contract": "linear",
    "decided": "linear",
    "linear_preferred": "linear",
    "loss": "linear",
    "out_of": "linear",
    "preferred": "linear",
}


def __getattr__(name: str) -> object:
    """Load the module in which an operator stands."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
