"""Strategies for claims, as users get them from `agm.testing`."""

from agm.testing import (
    atoms,
    claims,
    closed,
    decimals,
    formulas,
    json_values,
    names,
    plain_claims,
    quantities,
    slot_claims,
    strings,
    sums,
    terms,
    texts,
    values,
    variables,
)

__all__ = [
    "atoms",
    "claims",
    "closed",
    "decimals",
    "formulas",
    "json_values",
    "names",
    "plain_claims",
    "quantities",
    "slot_claims",
    "strings",
    "sums",
    "terms",
    "texts",
    "values",
    "variables",
]
