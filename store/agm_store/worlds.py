"""What is believed at one point of the two time axes.

A `World` is immutable: its valid time and its place in the journal are fixed when it is made, so the
same question gets the same answer for ever.  What answers for a term `answering` says; everything else
is folded and consolidated over its component.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from agm.errors import NotDecided
from agm_store.answering import is_relation, sides_of
from agm_store.borders import public
from agm_store.components import component
from agm_store.context import telling_of, tokens_of
from agm_store.entries import moment
from agm_store.ledger import Telling
from agm_store.outcomes import consolidated
from agm_store.records import Answer, EntryId
from agm_store.rules import admitted_ids
from agm_store.sides import side_read
from agm_store.touches import tokens_of_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from agm import BeliefBase, Claim, Consistent, Inconsistent, Term, Undecided
    from agm.beliefs import BeliefId
    from agm.claims import V, Variable
    from agm_store.context import Context
    from agm_store.ledger import Ledger
    from agm_store.reading import Reading
    from agm_store.records import Side, Standing, Why
    from agm_store.sequences import Sides


class World:
    """What is believed at one (valid, known) point."""

    def __init__(self, context: Context, valid: int, known: int) -> None:
        self._live = context
        self._past: Context | None = None
        self._valid = valid
        self._known = known
        self._readings: dict[tuple[tuple[str, ...], str], tuple[Ledger, Reading]] = {}

    @property
    def valid(self) -> datetime:
        """The valid time asked about."""
        return moment(self._valid)

    @property
    def known(self) -> EntryId:
        """The last entry that this world knows of."""
        return EntryId(self._known)

    @public
    def ask(self, term: Term[V], /) -> Answer[V]:
        """The value of a term, nested terms inside out; a scoped term falls back to the unscoped one.

        Raises:
            NotDecided: a check did not run.
            NotGround: a variable stands where an entity is needed.
        """
        predicate, entities = term.predicate, self._named(term)
        if entities is None:
            return Answer(value=None, sides=(), contested=False)
        sides, outranked = sides_of(self, predicate, entities)
        if (
            not sides
            and len(entities) == 2
            and not outranked
            and not is_relation(self.context, predicate)
        ):
            sides, outranked = sides_of(self, predicate, entities[:1])
        contested = any(s.standing == "contested" for s in sides)
        distinct = {repr(s.value): s.value for s in sides}
        value = next(iter(distinct.values())) if len(distinct) == 1 and not contested else None
        return Answer(
            value=cast("Any", value),
            sides=tuple(sides),
            contested=contested,
            outranked=tuple(outranked),
            shared=self._shared(predicate, entities),
        )

    @public
    def check(self, claim: Claim, /) -> Consistent | Inconsistent | Undecided:
        """Whether the denial of a claim fits what is believed: `Inconsistent` says that the claim is entailed."""
        from agm import solver
        from agm.grounding import is_quantified
        from agm.verdicts import Undecided
        from agm_store.contractions import claims_of
        from agm_store.remaining import in_force_at

        normal, vocabulary = self.context.lexicon.admit(claim)
        normal = self.context.meant(normal)
        try:
            ledger, reading = self.reading_of(tokens_of_claim(normal), asked=normal)
        except NotDecided as error:
            return Undecided("reading", error.reason)
        believed = [_parsed(t.claim) for t in reading.kept if t.claim is not None]
        background = [_parsed(text) for _, text in ledger.constraints]
        if not is_quantified(normal):
            return solver.check([*believed, ~normal], constraints=background, vocabulary=vocabulary)
        mentioned = claims_of(in_force_at(ledger, self._valid))
        pad = solver.Scratch(background, vocabulary=vocabulary, mentioned=mentioned)
        for each in (*believed, ~normal):
            pad.add(each)
        return pad.state()

    @public
    def entails(self, claim: Claim, /) -> bool:
        """Whether a claim follows from what is believed and the constraints.

        Raises:
            NotDecided: the check did not run to an end.
        """
        from agm.verdicts import Inconsistent, Undecided

        answer = self.check(claim)
        if isinstance(answer, Undecided):
            raise NotDecided(answer.reason)
        return isinstance(answer, Inconsistent)

    @public
    def why(self, belief: str, /) -> Why:
        """Why a belief stands as it does at this point.

        Raises:
            UnknownBelief: this owner has none with the id.
        """
        from agm_store.errors import UnknownBelief
        from agm_store.whys import why

        try:
            return why(self, belief)
        except UnknownBelief:
            from agm_store.shares import why_shared

            return why_shared(self, belief)

    @public
    def standing(self, belief: str, /) -> Side:
        """One telling with its status and standing at this point."""
        entry = self._live.raw.find(self._live.owner, belief)
        if entry is None or entry.body["op"] != "tell" or entry.seq > self._known:
            from agm_store.shares import standing_shared

            return standing_shared(self, belief)
        ledger, reading = self.reading_of(tokens_of(entry))
        telling = telling_of(ledger, entry)
        return side_read(ledger, reading, telling, self._valid)

    @property
    @public
    def contested(self) -> Sequence[Sequence[Side]]:
        """Every group of claims of which the reading can keep one, not all."""
        groups = {
            tuple(self._side_list(ledger, group, reading))
            for ledger, reading in self._everything()
            for group in reading.contested
        }
        return tuple(sorted(groups, key=lambda sides: sides[0].belief))

    @property
    @public
    def believed(self) -> Sides:
        """The leading telling of every claim believed, in order of recording."""
        sides = {  # what a conclusion rests on is read by itself and with the conclusion
            s.belief: s
            for ledger, reading in self._everything()
            for s in self._side_list(ledger, reading.believed, reading)
        }
        from agm_store.sequences import Sides

        return Sides(sorted(sides.values(), key=lambda s: cast("int", s.entry)), self.valid)

    @public
    def standings(self) -> dict[BeliefId, Standing]:
        """How every telling in force stands, by id; what is not in force is left out."""
        found = {
            belief: word
            for _, reading in self._everything()
            for belief, word in reading.standing.items()
        }
        return cast("dict[BeliefId, Standing]", dict(sorted(found.items())))

    def _repr_html_(self) -> str:
        """What is believed, as a table."""
        from agm.displays.style import panel
        from agm_store.displays.sides import sides_table
        from agm_store.times import spoken

        title = f"believed at {spoken(self.valid)}, as known by entry {self._known}"
        return panel(sides_table(self.believed), title=title)

    def __str__(self) -> str:
        """The point, and what is believed there, one belief a line; what did not decide is said."""
        from agm.errors import NotDecided
        from agm_store.summaries import headline, some

        try:
            return "\n".join([repr(self), *some(headline(side) for side in self.believed)])
        except NotDecided as error:
            return f"{self!r}\n  not decided: {error.reason}"

    def __repr__(self) -> str:
        from agm_store.times import spoken

        return f"<World at {spoken(self.valid)}, as known by entry {self._known}>"

    @property
    @public
    def base(self) -> BeliefBase:
        """What is believed as a belief base of the reasoning core, constraints as its background."""
        from agm.base import BeliefBase
        from agm.beliefs import Belief

        beliefs = [
            Belief(self.context.meant(s.claim), s.entrenchment, id=s.belief)
            for s in self.believed
            if s.claim is not None
        ]
        rules = self.context.journal.ruled(self.context.owner)
        ledger = self.context.ledger({t for e in rules for t in tokens_of(e)}, upto=self._known)
        constraints = [_parsed(text) for _, text in ledger.constraints]
        vocabulary = self.context.lexicon.learn(
            sorted({p for b in beliefs for p in b.claim.symbols})
        )
        return BeliefBase(
            beliefs, constraints=constraints, order=self.context.order, vocabulary=vocabulary
        )

    # What follows is shared with ``whys`` and the verbs, not part of what users call.

    @property
    def context(self) -> Context:
        """The hand this world was read by; once the journal goes on, one that knows what this world knows."""
        if self._past is None and self._live.raw.head().count > self._known:
            self._past = self._live.as_known(self._known)
        return self._past or self._live

    @property
    def point(self) -> tuple[int, int]:
        """(valid, known) as numbers."""
        return self._valid, self._known

    def reading_of(
        self, tokens: Iterable[str], *, asked: Claim | None = None
    ) -> tuple[Ledger, Reading]:
        """The ledger and the reading of the component of some tokens, with rules as far as a claim needs them."""
        wanted = tuple(sorted(set(tokens)))
        key = (wanted, "" if asked is None else str(asked))
        if key not in self._readings:
            self._readings[key] = self._read(wanted, asked)
        return self._readings[key]

    def _read(self, tokens: tuple[str, ...], asked: Claim | None) -> tuple[Ledger, Reading]:
        context = self.context
        plain = len(tokens) == 1 and not tokens[0].endswith("/*") and context.plain(tokens[0])
        around = (
            list(tokens)
            if plain
            else component(
                context.journal, context.owner, tokens, upto=self._known, whole=asked is not None
            )
        )
        ledger = context.ledger(around, upto=self._known)
        return ledger, consolidated(
            context, ledger, self._valid, around=() if asked is None else (asked,)
        )

    def _shared(self, predicate: str, entities: tuple[str, ...]) -> tuple[Side, ...]:
        """What others share of a term with the owner of this world."""
        if not self._live.raw.sharers(self._live.owner):
            return ()
        from agm_store.shares import shared_on

        return shared_on(self, predicate, entities)

    def telling(self, seq: int) -> Telling:
        """The telling of an entry as it was told."""
        entry = self._live.raw.entry(seq)
        if entry is None:
            from agm_store.errors import ProjectionBroken

            raise ProjectionBroken("timeline", f"it names entry {seq}, which is not there")
        rank = self._live.order.rank(entry.body["class"])
        hand = self._past or self._live
        return Telling(hand.named(entry), entry.body["mode"], rank)

    def _side_list(
        self, ledger: Ledger, tellings: Iterable[Telling], reading: Reading
    ) -> list[Side]:
        return [side_read(ledger, reading, t, self._valid) for t in tellings]

    def _everything(self) -> list[tuple[Ledger, Reading]]:
        """A reading for every component of the owner's tokens."""
        context = self.context
        done: set[str] = set()
        found: list[tuple[Ledger, Reading]] = []
        entries = list(context.journal.entries(owner=context.owner, upto=self._known))
        admitted = admitted_ids(entries)
        for entry in entries:
            if entry.body["op"] != "tell" or entry.entry_id not in admitted:
                continue
            tokens = [t for t in tokens_of(entry) if t not in done]
            if not tokens:
                continue
            plain = len(tokens) == 1 and context.plain(tokens[0])
            around = (
                tokens
                if plain
                else component(
                    context.journal, context.owner, tokens, upto=self._known, whole=False
                )
            )
            done |= context.alike(around)
            found.append(self.reading_of(around))
        return found

    def _named(self, term: Term[Any]) -> tuple[str, ...] | None:
        """The entities that a term names, inner terms asked first; None when one has no single value."""
        names: list[str] = []
        for arg in term.args:
            name = arg if isinstance(arg, str) else self.ask(_term(arg)).value
            if not isinstance(name, str):
                return None
            names.append(name)
        return tuple(names)


def world_now(context: Context, now: int | None = None) -> World:
    """The world at a valid time, the present one by default, as everything recorded so far has it."""
    return World(context, context.now() if now is None else now, context.journal.head().count)


def _parsed(text: str) -> Claim:
    from agm_store.texts import parsed

    return parsed(text)


def _term(arg: Variable | Term[Any]) -> Term[Any]:
    from agm.errors import NotGround
    from agm.terms import Variable

    if isinstance(arg, Variable):
        raise NotGround(str(arg), "a variable names no entity; ask about one entity")
    return arg
