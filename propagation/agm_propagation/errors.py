"""Errors of propagation, by meaning; all carry their data as attributes.

::

    AgmError
    `- PropagationError
       |- InvalidRecord        a justification or an artefact that says nothing sound
       |- DuplicateArtefact    one version of an artefact, stated in two ways
       |- NotInGraph           a belief, artefact or source that the support graph does not know
       |- NoSuchJustification  a justification that is not there to be removed
       `- NotWritable          text that GraphML cannot carry
"""

from __future__ import annotations

from agm.errors import AgmError, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class PropagationError(AgmError):
    """What propagation refuses; nothing was changed."""


class InvalidRecord(PropagationError, ValueError):
    """A field of a record that cannot be used: `field` is its name, `found` what stood there."""

    def __init__(self, field: str, found: object, expected: str) -> None:
        """Name the field, what was found and what is allowed."""
        self.field = field
        self.found = found
        self.expected = expected
        super().__init__(f"{field} is {shown(found)}; expected {expected}")


class DuplicateArtefact(PropagationError, ValueError):
    """One version of an artefact stated twice, with other beliefs each time."""

    def __init__(self, id: str, version: int) -> None:
        """Name the artefact and the version."""
        self.id = id
        self.version = version
        super().__init__(
            f"artefact {shown(id)} has version {version} twice, resting on different beliefs; "
            f"give the later one a higher version"
        )


class NotInGraph(PropagationError, LookupError):
    """Ids that the support graph does not know.

    `what` was asked for ("belief", "source"), `asked` are the unknown ids in order, `known` is how
    many of that kind the graph has.
    """

    def __init__(self, what: str, asked: Iterable[str], known: int) -> None:
        """Name the ids and what is there."""
        self.what = what
        self.asked = tuple(asked)
        self.known = known
        one = self.asked[0] if len(self.asked) == 1 else list(self.asked)
        plural = "" if len(self.asked) == 1 else "s"
        super().__init__(
            f"asked for the {what}{plural} {shown(one)}, found none such among the {known} "
            f"that the support graph speaks of; add a justification that names it first"
        )


class NoSuchJustification(PropagationError, LookupError):
    """A justification that is not there, or was removed before; `found` is how many others its conclusion has."""

    def __init__(self, justification: object, conclusion: str, found: int) -> None:
        """Name the justification and what its conclusion has instead."""
        self.justification = justification
        self.conclusion = conclusion
        self.found = found
        super().__init__(
            f"asked to remove {justification}, found {found} other justifications of "
            f"{shown(conclusion)}; conclusion, premises and source must all agree"
        )


class NotWritable(PropagationError, ValueError):
    """A name with a character that XML cannot carry."""

    def __init__(self, text: str) -> None:
        """Name the text."""
        self.text = text
        super().__init__(
            f"{shown(text)} has a character that XML cannot carry; use the networkx view, "
            f"or relabel its nodes first"
        )
