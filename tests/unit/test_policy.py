"""What a policy may say, and that the word for unsupported conclusions stands for one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from agm_store import Policy, open_store
from agm_store.errors import InvalidArgument


@pytest.mark.parametrize(
    "wrong",
    [
        {"auto": 1.5},
        {"auto": float("nan")},
        {"auto": True},
        {"auto": None},
        {"judge": 0.9},
        {"retirements": -1},
        {"retirements": 1.0},
        {"whole_list": True},
        {"source_window": timedelta(0)},
        {"source_window": 5},
        {"precision": 2},
        {"unsupported": "delete"},
    ],
)
def test_a_bound_that_is_none_is_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument) as refused:
        Policy(**wrong)
    assert next(iter(wrong)) in str(refused.value)


def test_the_word_for_unsupported_conclusions_stands_for_a_policy() -> None:
    store = open_store(None, principal="anna", policy="retract")
    assert store._context.policy == Policy(unsupported="retract")
    assert store.acting_as("ben")._context.policy == store._context.policy


@pytest.mark.parametrize("name", ["entailment", "judge"])
def test_a_helper_without_its_method_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgument, match=name):
        open_store(None, principal="anna", **{name: object()})  # type: ignore[arg-type]
