"""Artefacts: what is made from beliefs, in versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.flags import Undone

if TYPE_CHECKING:
    from agm_store.context import Context
    from agm_store.entries import Entry


def versions(context: Context, artefact: str, *, upto: int | None = None) -> list[Entry]:
    """The entries of the versions of an artefact that were not undone, oldest first."""
    undone = Undone(context, upto)
    entries = context.journal.touching(context.owner, [mark_of(artefact)], upto=upto)
    return [e for e in entries if e.body["op"] == "artefact" and not undone(e)]


def latest(context: Context, artefact: str, *, upto: int | None = None) -> Entry | None:
    """The entry of the latest version of an artefact."""
    found = versions(context, artefact, upto=upto)
    return found[-1] if found else None


def mark_of(artefact: str) -> str:
    """The mark of the versions of an artefact."""
    return f"@artefact {artefact}"
