"""The verbs that gather: versions of a source, beliefs looked at again, and beliefs brought together.

`BeliefStore` has them beside its own; each says what it does, the rooms it names do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.borders import public

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from agm import Claim
    from agm_store.context import Context
    from agm_store.receipts import ImprintReceipt
    from agm_store.records import EntryId
    from agm_store.reports import BackfillReport, ConsolidationReport


class Gathering:
    """The part of a store's verbs that takes in or goes through many beliefs at once."""

    _context: Context

    @public
    def imprint(
        self,
        source: str,
        version: str,
        claims: Iterable[Claim | str],
        *,
        at: datetime | None = None,
        entrenchment: str = "documented",
        correction: bool = False,
        text: str | None = None,
        note: str | None = None,
        episode: str | None = None,
    ) -> ImprintReceipt:
        """Record a version of a source (article, file, configuration): all that it says, from ``at`` on.

        It takes the place of what the version before said, by rule and without a model: what both say stays,
        a slot gets its new value, what is gone ends. With ``correction`` the old was never true. Only what the
        source imprinted is touched, and nothing more entrenched. The order of versions is that of ``at``
        (default now); one that arrives late holds until the next. ``text`` is the source's own text. One
        ``revert`` of the receipt's entry undoes all of it.

        Raises:
            InvalidArgument: an argument does not fit, or two claims give one slot different values.
            VersionConflict: the version was imprinted before with another content.
            NotTheHead: an erratum would not be the latest version, or was imprinted after this one.
            ContradictsConstraints: a claim cannot hold under the constraints.
        """
        from agm_store.imprinting import Asked, imprint

        return imprint(
            self._context,
            Asked(
                source=source, version=version, claims=claims, at=at, entrenchment=entrenchment,
                correction=correction, text=text, note=note, episode=episode,
            ),
        )  # fmt: skip

    @public
    def backfill(
        self,
        *,
        budget: int | None = None,
        after: EntryId | int | None = None,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> BackfillReport:
        """Look at what is there as if it were told now, after a change of policy, vocabulary or constraints.

        What is in force and would not be taken in now, or retired others by what the policy would not let a
        machine apply now, is named and put before a person as a review, once; nothing of it is changed. What
        the gates held and would admit now is admitted, unless it carries a directive, by an entry that a revert
        undoes and no backfill repeats; what waits for a check that did not run is for `rescan`. Where the store
        has something that compares texts, it is asked again. At most ``budget`` statements are looked at. A
        later call goes on where the last one ended or was killed, until a pass under the policy and the rules of
        now came to its end; ``after`` says otherwise: what a report names as ``next``, or 0 for the start.
        """
        from agm_store.backfilling import backfill

        return backfill(self._context, budget=budget, after=after, progress=progress)

    @public
    def consolidate(
        self,
        *,
        budget: int | None = None,
        retirements: int | None = None,
        similar: int = 20,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> ConsolidationReport:
        """Bring together what was said in many conversations; distinct claims are never merged.

        Each text in force is compared with at most ``similar`` beliefs near it, by what the store was given for
        that; the same text needs nothing. Texts of which each says the same as every other become tellings of
        one belief. Two that contradict each other are proposed as if the later were told now, so that the same
        gates apply it or hold it for a person. Ties, words against a claim, and what reads as contested or
        outranked are reviews in the inbox. Each is an entry that a revert undoes and no later pass repeats; a
        check that did not run changes nothing. Once ``budget`` questions were asked of what compares, nothing more
        is compared or proposed; what is proposed may retire ``retirements`` tellings, and at most what the policy
        lets one call. What they leave, and what a pass that was killed did not come to, the next call does.
        """
        from agm_store.gathered import consolidate

        return consolidate(
            self._context,
            budget=budget,
            retirements=retirements,
            similar=similar,
            progress=progress,
        )
