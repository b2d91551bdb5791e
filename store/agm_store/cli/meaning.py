"""What predicates mean and what must always hold: ``vocabulary`` and ``constraint``."""

# ruff: noqa: ANN401  (click hands over options by name)

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agm.declarations import CARDINALITIES, KINDS, TYPES
from agm_store.cli.output import print_json, print_receipt, say, table
from agm_store.cli.shared import Group, claim_of, command, shared_options

if TYPE_CHECKING:
    from agm_store.beliefs import BeliefStore
    from agm_store.cli.shared import Hand


@click.group("vocabulary", cls=Group)
@shared_options
def vocabulary_command() -> None:
    """Declare what predicates mean, or show it."""


@command
@click.argument("attribute")
@click.argument("type", type=click.Choice(tuple(TYPES)))
@click.option("--unit", metavar="UNIT", help="The unit of a quantity.")
@click.option("--cardinality", type=click.Choice(CARDINALITIES), default="one", show_default=True)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="state",
    show_default=True,
)
@click.option(
    "--value", "values", multiple=True, metavar="VALUE", help="One of an enum; repeatable."
)
def declare_command(hand: Hand, attribute: str, type: str, **given: Any) -> None:
    """Declare what ATTRIBUTE means, from now on."""
    with hand.telling() as store:
        receipt = store.declare(attribute, type, **given)
    print_receipt(receipt, as_json=hand.as_json)


@command
def show_command(hand: Hand) -> None:
    """Show what is declared or was bound by first use."""
    with hand.reading() as store:
        found = _vocabulary(store)
    if hand.as_json:
        print_json(found)
        return
    if not found:
        say("No predicate is in use.")
    table([[name, *_described(parts)] for name, parts in found.items()])


def _vocabulary(store: BeliefStore) -> dict[str, Any]:
    context = store._context  # noqa: SLF001  the same package
    from agm_store.context import tokens_of
    from agm_store.touches import split_token

    tokens = {t for e in context.journal.entries(owner=context.owner) for t in tokens_of(e)}
    predicates = {split_token(token)[0] for token in tokens if not token.startswith("#")}
    return context.lexicon.learn(sorted(predicates)).to_json()


def _described(parts: dict[str, Any]) -> list[str]:
    if parts.get("declared") is False:
        use = "an attribute" if parts.get("cardinality") == "one" else "a relation"
        rest = {k: v for k, v in parts.items() if k not in ("declared", "cardinality")}
        return [", ".join([f"{use} by its first use", *_words(rest)])]
    return [", ".join(_words(parts))]


def _words(parts: dict[str, Any]) -> list[str]:
    words = {"unitless": "its numbers have no unit"}
    return [words.get(name, f"{name} {value}") for name, value in parts.items()]


@click.group("constraint", cls=Group)
@shared_options
def constraint_command() -> None:
    """Set what must always hold."""


@command
@click.argument("claim")
def add_command(hand: Hand, claim: str) -> None:
    """Set CLAIM as a hard constraint: never given up, known from now on."""
    said = claim_of(claim)
    with hand.telling() as store:
        receipt = store.constrain(said(store))
    print_receipt(receipt, as_json=hand.as_json)


vocabulary_command.add_command(declare_command)
vocabulary_command.add_command(show_command)
constraint_command.add_command(add_command)
