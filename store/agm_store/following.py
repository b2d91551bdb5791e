"""The verbs about what follows from a change: flags, and what rests on what.

`BeliefStore` has them beside its own; each says what it does, the rooms it names do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.borders import public

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import networkx as nx

    from agm import Claim
    from agm.beliefs import BeliefId
    from agm_propagation.support import SupportGraph
    from agm_propagation.sweep import Rederiver, SweepReport
    from agm_store.context import Context
    from agm_store.journal import Journal
    from agm_store.listings import ArtefactVersion, Flagged
    from agm_store.receipts import ArtefactReceipt, Blast, Receipt
    from agm_store.records import EntryId
    from agm_store.renewing import Rationale
    from agm_store.worlds import World


class Following:
    """The part of a store's verbs that looks downstream."""

    _context: Context
    _journal: Journal

    @public
    def flags(self, *, on: str | None = None, kind: str | None = None) -> Sequence[Flagged]:
        """What is to be looked at again, oldest first; on one belief or artefact, of one kind, or all.

        Raises:
            InvalidArgument: there is no such kind.
        """
        from agm_store.flags import flags

        return tuple(flags(self._context, on=on, kind=kind))

    @public
    def sweep(
        self,
        *,
        rederive: Rederiver[World] | None = None,
        sources: Callable[[str], bool] | None = None,
        budget: int | None = None,
        after: EntryId | int | None = None,
        deadline: float = 30.0,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> SweepReport:
        """Look at what is flagged again, against what is believed now; nothing is deleted.

        A conclusion that is proved by what is believed without it gets the proof's premises as a new
        justification. Else ``rederive`` is asked, in a thread of its own and for ``deadline`` seconds at
        most; what goes wrong with it is recorded with the flag. ``sources`` says whether a source can be
        looked up. At most ``budget`` beliefs and sources are looked at, and a later call goes on ``after``
        what the report names as ``next``; ``progress`` is told how many of how many, and which. Call it
        outside of `transaction`, where a re-deriver could not read.
        """
        from agm_store.revalidating import Wanted
        from agm_store.sweeping import sweep

        wanted = Wanted(
            now=self._context.now(), after=after, budget=budget,
            rederive=rederive, sources=sources, deadline=deadline,
        )  # fmt: skip
        return sweep(self._context, wanted, progress)

    @public
    def clear_flag(self, flag: str, /, *, note: str = "") -> Receipt:
        """Record that someone looked at a flag ``sibling_retired`` and the belief stands as it is.

        Raises:
            InvalidArgument: no such flag stands, or something else clears it; the message says what.
        """
        from agm_store.sweeping import clear_flag

        return clear_flag(self._context, flag, note)

    @public
    def derive(
        self,
        claim: Claim,
        /,
        *,
        source: str | None = None,
        episode: str | None = None,
        limit: int = 4,
    ) -> Sequence[Receipt]:
        """Record what follows from what is believed, each proof (up to ``limit``) as one justification.

        None is recorded twice.  It stands only while one of them does.

        Raises:
            NothingToChange: it does not follow, or from the constraints alone.
            NotDecided: whether it follows was not found out.
        """
        from agm_store.deriving import derive

        return derive(self._context, claim, source=source, episode=episode, limit=limit)

    @public
    def rests_on(self, source: str, /) -> Sequence[BeliefId]:
        """Every live belief that rests on a source: what it told, and what was derived from that, however far."""
        from agm_store.blast import resting_on

        return resting_on(self._context, source)

    @public
    def retract_by_source(self, source: str, /, *, dry_run: bool = False, note: str = "") -> Blast:
        """Withdraw all that a source told, as one change that one revert undoes.

        A dry run answers the same and writes nothing; it is tried out and taken back, so the store must be
        open for writing.

        Raises:
            NothingToChange: the source told nothing that is not withdrawn.
        """
        from agm_store.blast import retract_by_source

        return retract_by_source(self._context, source, dry_run=dry_run, note=note)

    @public
    def what_if(
        self,
        *,
        retire: Iterable[BeliefId | str] | None = None,
        believe: Claim | Iterable[Claim] | None = None,
    ) -> Blast:
        """What would follow if some beliefs were withdrawn or some claims told; nothing is written.

        It is tried out and taken back, so the store must be open for writing.

        Raises:
            UnknownBelief: there is none with such an id.
        """
        from agm_store.blast import what_if

        return what_if(self._context, retire=retire, believe=believe)

    @public
    def support_graph(self) -> SupportGraph:
        """What is told and derived now, by claim; what would stand if something else were held, it can say.

        It does not know what is believed: a claim may be overridden, and a premise that was withdrawn is
        in it without a justification. `support_network` shows that.
        """
        from agm_store.supports import whole_graph

        return whole_graph(self._context)

    @public
    def support_network(self) -> nx.DiGraph[str]:
        """The support graph as a networkx graph, each node IN or OUT by what is believed now.

        `agm_propagation.graphml` writes it down.

        Raises:
            NotDecided: what is believed was not found out.
        """
        from agm_store.supports import whole_network

        return whole_network(self._context)

    @public
    def artefact(
        self,
        artefact: str,
        /,
        *,
        rests_on: Iterable[BeliefId | str],
        descriptors: Iterable[Claim | str] = (),
        text: str | None = None,
        note: str | None = None,
        episode: str | None = None,
        entrenchment: str = "asserted",
        statement: str | None = None,
        rationale: Rationale | None = None,
    ) -> ArtefactReceipt:
        """Record a version of something made from beliefs, the first time or anew.

        ``descriptors`` are claims and texts that it says of itself: conclusions from what it rests on, which
        take the place of those of the version before. Flags that asked for a new version are cleared; why
        there is one is composed from the changes that raised them, by ``rationale`` if it is given.
        ``statement`` is an id of the version and makes the call idempotent.

        Raises:
            UnknownBelief: what it rests on is none of your beliefs.
            InvalidArgument: an argument does not fit.
            ContradictsConstraints: a descriptor cannot hold under the constraints.
            IdempotencyConflict: the id was used for something else.
        """
        from agm_store.renewing import Asked, renew

        return renew(
            self._context,
            Asked(
                artefact=artefact, rests_on=rests_on, descriptors=descriptors, text=text, note=note,
                episode=episode, entrenchment=entrenchment, statement=statement, rationale=rationale,
            ),
        )  # fmt: skip

    @public
    def artefacts(self) -> Sequence[ArtefactVersion]:
        """The latest version of each artefact, in order of their names."""
        from agm_store.artefacts import artefacts

        return tuple(artefacts(self._context))

    @public
    def artefact_versions(self, artefact: str, /) -> Sequence[ArtefactVersion]:
        """The versions of an artefact, oldest first.

        Raises:
            UnknownArtefact: you have none with the name.
        """
        from agm_store.artefacts import artefact_versions

        return tuple(artefact_versions(self._context, artefact))
