"""Names that a reader could take for another: marked when told, never merged.

Only names outside ASCII are looked at, so ordinary telling pays nothing.  A name of one foreign
script is no look-alike by itself; one that mixes scripts, hides characters, or draws like a name
already told of the same predicate is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agm import Claim
    from agm_store.context import Context


def marks(context: Context, claim: Claim) -> list[str]:
    """One line for each name of a claim that may deceive, in order of the names."""
    names: dict[str, set[str]] = {}
    for key in claim.keys:
        for name in (key.predicate, *key.entities):
            if not name.isascii():
                names.setdefault(name, set()).add(key.predicate)
    return [line for name in sorted(names) for line in _of_name(context, name, names[name])]


def _of_name(context: Context, name: str, predicates: set[str]) -> list[str]:
    from agm.names import skeleton, unseen

    hidden = unseen(name)
    if hidden:
        return [f"confusable name {name!a}: it holds {', '.join(hidden)}, which nobody sees"]
    shape = skeleton(name)
    if not shape.isascii() or shape == name:
        return []
    told = any(context.journal.tokens(context.owner, p, shape) for p in sorted(predicates))
    mixed = any(c.isascii() and c.isalpha() for c in name)
    if not told and not mixed:
        return []
    return [f"confusable name {name!a}: it looks like {shape!r}, and is another name"]
