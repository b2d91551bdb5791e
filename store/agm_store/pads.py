"""Scratch pads for the reading pass: one for plain slots, one over the solver.

`pad_for` picks the cheapest that decides the claims at hand: slot literals, relation atoms and bare
texts need no solver; anything else, and every constraint, does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agm import Claim, Vocabulary
    from agm_store.ledger import Ledger, Telling
    from agm_store.reading import Pad


class SlotPad:
    """Admits one value a slot; texts and relation atoms never conflict."""

    def __init__(self, held: dict[str, str] | None = None) -> None:
        self._held = {} if held is None else held

    def admits(self, tellings: Sequence[Telling]) -> bool:
        """Whether no slot would carry two values."""
        wanted: dict[str, str] = {}
        for telling in tellings:
            if telling.slot is None or telling.value is None:
                continue
            value = (
                self._held[telling.slot]
                if telling.slot in self._held
                else wanted.setdefault(telling.slot, telling.value)
            )
            if value != telling.value:
                return False
        return True

    def add(self, tellings: Sequence[Telling]) -> None:
        """Hold the values."""
        self._held.update(
            (t.slot, t.value) for t in tellings if t.slot is not None and t.value is not None
        )

    def fork(self) -> Pad:
        """A pad with the same values."""
        return SlotPad(dict(self._held))


class SolverPad:
    """Admits what the solver finds consistent with the constraints and what is held.

    ``mentioned`` names those of whom claims about everybody speak, whatever is held.
    """

    def __init__(
        self,
        constraints: Sequence[Claim],
        vocabulary: Vocabulary,
        mentioned: Sequence[Claim] = (),
    ) -> None:
        from agm.solver import Scratch

        self._constraints, self._vocabulary = constraints, vocabulary
        self._mentioned = mentioned
        self._scratch = Scratch(constraints, vocabulary=vocabulary, mentioned=mentioned)
        self._kept: list[Claim] = []

    def admits(self, tellings: Sequence[Telling]) -> bool:
        """Whether the claims fit together with what is held.

        Raises:
            NotDecided: the check did not run to an end.
        """
        from agm.errors import NotDecided
        from agm.verdicts import Inconsistent, Undecided

        claims = _claims(tellings)
        if not claims:
            return True
        answer = self._scratch.admits(claims[0] if len(claims) == 1 else _conjunction(claims))
        if isinstance(answer, Undecided):
            raise NotDecided(answer.reason)
        return not isinstance(answer, Inconsistent)

    def holds(self) -> bool:
        """Whether the constraints and what is held can be so together.

        Raises:
            NotDecided: the check did not run to an end.
        """
        from agm.errors import NotDecided
        from agm.verdicts import Inconsistent, Undecided

        answer = self._scratch.state()
        if isinstance(answer, Undecided):
            raise NotDecided(answer.reason)
        return not isinstance(answer, Inconsistent)

    def add(self, tellings: Sequence[Telling]) -> None:
        """Hold the claims."""
        for claim in _claims(tellings):
            self._kept.append(claim)
            self._scratch.add(claim)

    def fork(self) -> Pad:
        """A pad with the same claims on a scratch of its own."""
        twin = SolverPad(self._constraints, self._vocabulary, self._mentioned)
        for claim in self._kept:
            twin._kept.append(claim)
            twin._scratch.add(claim)
        return twin


class ClashPad:
    """Admits no two claims that were found to contradict each other in words; the rest another pad decides."""

    def __init__(
        self, inner: Pad, clashes: dict[str, set[str]], held: set[str] | None = None
    ) -> None:
        self._inner, self._clashes = inner, clashes
        self._held = set() if held is None else held

    def admits(self, tellings: Sequence[Telling]) -> bool:
        """Whether none of the tellings contradicts another in words, nor what is held."""
        named = {t.identity for t in tellings}
        around = named | self._held
        if any(self._clashes.get(identity, set()) & around for identity in named):
            return False
        return self._inner.admits(tellings)

    def add(self, tellings: Sequence[Telling]) -> None:
        """Hold the claims."""
        self._held.update(t.identity for t in tellings)
        self._inner.add(tellings)

    def fork(self) -> Pad:
        """A pad that holds the same."""
        return ClashPad(self._inner.fork(), self._clashes, set(self._held))


def clashes_of(ledger: Ledger, tellings: Iterable[Telling]) -> dict[str, set[str]]:
    """Which claims of some tellings were found to contradict which others in words, both ways."""
    found: dict[str, set[str]] = {}
    for telling in tellings:
        for belief in telling.body.get("contradicts", ()):
            other = ledger.tellings.get(belief)
            if other is not None and other.identity != telling.identity:
                found.setdefault(telling.identity, set()).add(other.identity)
                found.setdefault(other.identity, set()).add(telling.identity)
    return found


def with_clashes(
    ledger: Ledger, tellings: Iterable[Telling], make: Callable[[], Pad]
) -> Callable[[], Pad]:
    """What makes a pad that minds contradictions in words as well, where some were found."""
    clashes = clashes_of(ledger, tellings)
    return (lambda: ClashPad(make(), clashes)) if clashes else make


def pad_for(
    tellings: Iterable[Telling],
    constraints: Sequence[Claim],
    vocabulary: Vocabulary,
    *,
    mentioned: Sequence[Claim] = (),
) -> Callable[[], Pad]:
    """What makes the cheapest pad that decides these tellings under the constraints."""
    if not constraints and all(t.slot is not None or t.claim is None for t in tellings):
        return SlotPad
    return lambda: SolverPad(constraints, vocabulary, mentioned)


def _claims(tellings: Sequence[Telling]) -> list[Claim]:
    from agm_store.texts import parsed

    return [parsed(t.claim) for t in tellings if t.claim is not None]


def _conjunction(claims: Sequence[Claim]) -> Claim:
    from agm.claims import conjoin

    return conjoin(claims)
