"""One name for each entity: tokens, claims and entries as the aliases that stand have them read.

Of all names of an entity the first in order of characters stands for it, so that nothing depends on which
alias was told first.  Only entities are renamed: the arguments of attributes and the strings in relation
atoms; the value of an attribute is no entity.  What was told stays as it was told: a renamed entry is made
for the fold and carries its own body along.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from agm_store.touches import RESTS, arguments_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agm import Claim
    from agm_store.entries import Body, Entry

_REMEMBERED = 4096
"""Tokens and claims whose other form is remembered."""


class Names:
    """The names of entities that have several, as they stand at one entry."""

    def __init__(self, classes: Mapping[str, tuple[str, ...]]) -> None:
        self.classes = dict(classes)
        """For each name that has others all names of its entity, sorted."""
        self._leading = {name: names[0] for name, names in classes.items()}
        self._spread: dict[str, tuple[str, ...]] = {}
        self._claims: dict[str, str] = {}

    def entity(self, name: str) -> str:
        """The name that stands for an entity."""
        return self._leading.get(name, name)

    def token(self, token: str) -> str:
        """A token with the names that stand for its entities."""
        return self._of(token)[-1]

    def spread(self, token: str) -> tuple[str, ...]:
        """A token under all names of its entities, its own first."""
        return self._of(token)[:-1]

    def meant(self, claim: Claim) -> Claim:
        """A claim with the names that stand for its entities."""
        from agm.rewriting import renamed

        return renamed(claim, self._leading)

    def claim(self, text: str) -> str:
        """The same of a claim in canonical text."""
        found = self._claims.get(text)
        if found is None:
            from agm_store.texts import parsed

            if len(self._claims) >= _REMEMBERED:
                self._claims.clear()
            found = self._claims[text] = str(self.meant(parsed(text)))
        return found

    def entry(self, entry: Entry) -> Entry:
        """An entry as it is read."""
        body = self.body(entry.body)
        return entry if body is entry.body else entry._replace(body=body)

    def body(self, body: Body) -> Body:
        """A body as it is read: what it claims under the names that stand for its entities."""
        changes: dict[str, Any] = {}
        slot, text = body.get("slot"), body.get("claim")
        if slot is not None:
            token = self.token(slot)
            if token != slot:
                changes["slot"] = token
                if text is not None:
                    changes["claim"] = token if "relation" in body else f"{token} = {body['value']}"
        elif text is not None and (claim := self.claim(text)) != text:
            changes["claim"] = claim
        return Renamed(body, changes) if changes else body

    def entries(self, entries: Iterable[Entry]) -> list[Entry]:
        """Entries as they are read."""
        return [self.entry(entry) for entry in entries]

    def texts(self, said: Sequence[str]) -> list[list[str]]:
        """Some words, and the same with another name in the place of each name of an entity among them."""
        from agm_store.wording import words

        found = [list(said)]
        for name, names in sorted(self.classes.items()):
            own = words(name)
            if own and set(own) <= set(said):
                rest = [word for word in said if word not in own]
                found += [[*rest, *words(other)] for other in names if other != name]
        return found

    def _of(self, token: str) -> tuple[str, ...]:
        """A token under all names of its entities, its own first; and at the end the one that stands for all."""
        found = self._spread.get(token)
        if found is None:
            if len(self._spread) >= _REMEMBERED:
                self._spread.clear()
            found = self._spread[token] = self._worked_out(token)
        return found

    def _worked_out(self, token: str) -> tuple[str, ...]:
        if token.startswith(RESTS):
            return tuple(RESTS + each for each in self._of(token.removeprefix(RESTS)))
        head, arguments = arguments_of(token)
        if not any(name in self.classes for _, name in arguments if name is not None):
            return token, token
        from agm.values import bare

        ways = [
            [bare(each) for each in self.classes[name]] if name in self.classes else [text]
            for text, name in arguments
        ]
        every = [f"{head}({', '.join(parts)})" for parts in product(*ways)]
        return token, *(each for each in every if each != token), every[0]


class Renamed(dict[str, Any]):
    """A body that is read under other names than it was told; ``told`` is the one that was told."""

    def __init__(self, told: Body, changes: Body) -> None:
        super().__init__(told)
        self.update(changes)
        self.told = told
