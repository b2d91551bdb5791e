"""The belief base: beliefs, hard constraints and an entrenchment order, as one frozen value.

A `BeliefBase` is a handle on an arena it shares with the bases it came from. Questions touch the
component of their keys and, should they exist, the components that are inconsistent in themselves:
those entail everything. Operators live in `agm.expansion`, `agm.contraction`, `agm.revision`,
`agm.update` and `agm.consolidation`; each takes a base and a claim and returns a `Change`.
"""

# ruff: noqa: SLF001  (a base fills in the private fields of the next one)
from __future__ import annotations

from agm.arena import Arena
from agm.beliefs import Belief, Frozen, place
from agm.building import fill, special_ranks
from agm.claims import Claim, ForAll, negate
from agm.components import Background, Explorer
from agm.entrenchment import EntrenchmentOrder
from agm.errors import InconsistentConstraints, NotDecided, StaleChange
from agm.guard import beside, inconsistent_parts, strangers, suspects
from agm.interning import set_field
from agm.premises import Ranks
from agm.verdicts import Consistent, Inconsistent, Undecided, inconsistent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    import networkx as nx

    from agm.changes import Change, Explanation
    from agm.components import Component, Item
    from agm.grounding import Binding
    from agm.problem import Problem
    from agm.values import Key
    from agm.verdicts import Check
    from agm.vocabulary import Vocabulary

DEFAULT_ORDER = EntrenchmentOrder()


class _Fields:
    """The fields of a base that is being made: a plain class, for frozen ones are slow to fill."""

    __slots__ = (
        "_bad",
        "_ranks",
        "_sorted",
        "_special",
        "_suspects",
        "_version",
        "arena",
        "background",
        "next_id",
        "order",
        "size",
        "vocabulary",
    )
    _bad: tuple[frozenset[Key], ...] | None
    _ranks: dict[str, int] | None
    _sorted: tuple[Belief, ...] | None
    _special: dict[str, int] | None
    _suspects: frozenset[Key] | None
    _version: int
    arena: Arena
    background: Background
    order: EntrenchmentOrder
    vocabulary: Vocabulary
    size: int
    next_id: int


class BeliefBase(Frozen, _Fields):
    """A finite set of beliefs over hard constraints; iterates strongest first.

    Raises InconsistentConstraints when nothing satisfies the constraints, and what the vocabulary
    refuses.

    >>> from agm.claims import prop
    >>> base = BeliefBase([prop("p"), prop("p") >> prop("q")])
    >>> base.entails(prop("q")), base.entails(prop("r"))
    (True, False)
    """

    __slots__ = ()

    def __init__(
        self,
        beliefs: Iterable[Belief | Claim] = (),
        *,
        constraints: Iterable[Claim] = (),
        order: EntrenchmentOrder = DEFAULT_ORDER,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        from agm.vocabulary import Vocabulary

        vocabulary = vocabulary if vocabulary is not None else Vocabulary()
        admitted: list[Claim] = []
        for constraint in constraints:
            claim, vocabulary = vocabulary.admit(constraint)
            admitted.append(claim)
        background = Background(admitted)
        arena = Arena()
        waiting: list[Belief] = []
        for given in beliefs:
            belief = given if isinstance(given, Belief) else Belief(given)
            claim, vocabulary = vocabulary.admit(belief.claim)
            if claim is not belief.claim:
                belief = belief.with_(claim=claim)
            waiting.append(belief)
        next_id = fill(arena, waiting)
        set_field(self, "arena", arena)
        set_field(self, "_version", 0)
        set_field(self, "background", background)
        set_field(self, "order", order)
        set_field(self, "vocabulary", vocabulary)
        set_field(self, "size", len(arena.beliefs))
        set_field(self, "next_id", next_id)
        set_field(self, "_suspects", suspects(arena, 0, background, vocabulary))
        set_field(self, "_bad", None)
        set_field(self, "_ranks", None)
        set_field(self, "_sorted", None)
        set_field(self, "_special", special_ranks(order, arena))
        self._require_sound()

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Belief]:
        return iter(self._in_order())

    def __contains__(self, claim: object) -> bool:
        """Whether some belief of the base is this very claim."""
        if not isinstance(claim, Claim):
            return False
        return next(self.arena.twins(claim, self._version), None) is not None

    def __getitem__(self, id: str) -> Belief:
        """The belief of this id; KeyError when there is none."""
        found = self.called(id)
        if found is None:
            raise KeyError(id)
        return found

    def __reduce__(self) -> tuple[object, ...]:
        """Travel as the beliefs themselves; what arrives is a base of its own."""
        beliefs = [self.arena.beliefs[number] for number in self.arena.all_at(self._version)]
        settings = self.background.claims, self.order, self.vocabulary
        return _restored, (beliefs, *settings, self.next_id)

    def __repr__(self) -> str:
        return f"<BeliefBase of {self.size} beliefs>"

    @property
    def version(self) -> int:
        """The version of the arena that this handle sees."""
        return self._version

    @property
    def constraints(self) -> tuple[Claim, ...]:
        """The hard constraints, which are never given up."""
        return self.background.claims

    def rank(self, belief: Belief, *, without: Collection[str] = ()) -> int:
        """The rank of a belief: of its weakest premise when it is derived, else of its class.

        A derived belief whose premises are not all here, or that rests on itself, has rank 1, the
        lowest: it never gets stronger by losing a premise. A rank the order gives to a belief by its
        id stands before all that. `without` names beliefs that are to be thought away.
        """
        own = self._own_rank(belief)
        if own is not None:
            return own
        if without:

            def left(name: str) -> Belief | None:
                return None if name in without else self.called(name)

            return Ranks(self._own_rank, left, {}).of(belief)
        found = self._ranks
        if found is None:
            found = {}
            set_field(self, "_ranks", found)
        return Ranks(self._own_rank, self.called, found).of(belief)

    def called(self, id: str) -> Belief | None:
        """The belief of this id, or None."""
        number = self.arena.numbered(id, self._version)
        return None if number is None else self.arena.beliefs[number]

    def held(self, claim: Claim) -> Belief | None:
        """The belief that is this very claim, the most entrenched of several, or None."""
        return next(iter(self.all_held(claim)), None)

    def all_held(self, claim: Claim) -> list[Belief]:
        """The beliefs that are this very claim, the most entrenched first."""
        beliefs = self.arena.beliefs
        return self.in_order(beliefs[n] for n in self.arena.twins(claim, self._version))

    def entails(self, claim: Claim, /) -> bool:
        """Whether the claim follows from the base and its constraints; raises NotDecided."""
        return inconsistent(self.check(negate(self.admit(claim)[0])))

    def check(self, *claims: Claim) -> Check:
        """Whether the claims can hold together with the base, as a value.

        A core lists beliefs of the base and then the claims.
        """
        from agm.questions import check

        return check(self, [self.admit(claim)[0] for claim in claims])

    def degree(self, claim: Claim, /) -> float:
        """The entrenchment of any sentence: the highest rank from which up it follows.

        0 when it does not follow at all, infinity when the constraints alone entail it. Satisfies
        EE1-EE5 of Gärdenfors and Makinson (1988) for every ranked base. Raises NotDecided.
        """
        from agm.questions import degree

        return degree(self, self.admit(claim)[0])

    def lifted(self) -> tuple[Belief, ...]:
        """The beliefs that are more entrenched than their rank, since stronger ones entail them."""
        return tuple(belief for belief in self if self.degree(belief.claim) > self.rank(belief))

    def why(self, claim: Claim, /) -> Explanation:
        """The kernels that entail the claim, or a model of the base in which it is false."""
        from agm.questions import why

        return why(self, self.admit(claim)[0])

    def keep(self, kept: Iterable[Belief], *, out_of: Claim) -> Change:
        """The change that keeps only these beliefs, to be rid of the claim; certificates included.

        For contractions of your own. A rule may be kept as a copy with more exceptions: the instances
        that go. Beliefs that are not of this base are refused (ForeignBelief).
        """
        from agm.keeping import keep

        return keep(self, kept, *self.admit(out_of))

    def apply(self, change: Change, /) -> BeliefBase:
        """The base after a change that was worked out for this very base; else StaleChange."""
        if change.before is not self:
            raise StaleChange(
                f"asked to apply {change!r} to {self!r}, but it was worked out for "
                f"{change.before!r}; work it out again for this base"
            )
        return change.after

    @property
    def graph(self) -> nx.DiGraph[str]:
        """A view for people: beliefs, the keys they speak of, their classes, and what rests on what."""
        from agm.questions import graph

        return graph(self)

    def to_records(self) -> list[dict[str, object]]:
        """One flat row a belief, strongest first, for data frames."""
        from agm.displays.bases import base_records

        return base_records(self)

    def to_mermaid(self) -> str:
        """The beliefs and what rests on what, as a flowchart for Mermaid."""
        from agm.displays.bases import base_mermaid

        return base_mermaid(self)

    def admit(self, claim: Claim) -> tuple[Claim, Vocabulary]:
        """The claim in the vocabulary's normal form, and the vocabulary with what it binds."""
        return self.vocabulary.admit(claim)

    def component(self, claims: Sequence[Claim]) -> Component:
        """What ground claims touch, and every component that is inconsistent in itself.

        Raises NotDecided when a component is over the cap, or when its consistency is not known.
        """
        keys = {key for claim in claims for key in claim.keys}
        return self.explorer().component(keys.union(*beside(self, claims)), asked=claims)

    def component_of(self, keys: Iterable[Key], *, asked: Sequence[Claim] = ()) -> Component:
        """What these keys alone lead to; raises NotDecided above the cap.

        `asked` are the claims of the question, whose atoms rules may speak of.
        """
        return self.explorer().component(keys, asked=asked)

    def problem(self, component: Component, *, items: Sequence[Item] | None = None) -> Problem:
        """The ground problem of a component: its constraints, and its items unless others are given."""
        from agm.domains import domains
        from agm.problem import Problem

        problem = Problem(domains(self.vocabulary))
        for claim in component.background:
            problem.add(claim)
        for item in component.items if items is None else items:
            problem.add(item.claim)
        return problem

    def explorer(self) -> Explorer:
        """A walk through this version, from keys to all that is linked with them."""
        return Explorer(self.arena, self._version, self.background, self.rank)

    def written_out(self, claim: Claim, *, asked: Sequence[Claim] = ()) -> Claim:
        """The claim with the rules inside it replaced by their instances over this base.

        `asked` are other claims of the same question, whose entities count as well.
        """
        return self.explorer().ground(claim, asked=[claim, *asked])

    def bad(self) -> tuple[frozenset[Key], ...]:
        """The keys of each component that is inconsistent in itself; raises NotDecided."""
        bad = self._bad
        if bad is None:
            bad = inconsistent_parts(self, self._suspects)
            set_field(self, "_bad", bad)
        return bad

    def strangers(self, claims: Sequence[Claim]) -> frozenset[Key]:
        """Keys of rules that may contradict each other on entities which these claims bring up.

        There are none unless rules speak of anybody. Raises NotDecided.
        """
        return strangers(self, claims) if self.arena.rules else _NO_KEYS

    def is_alone(self, key: Key) -> bool:
        """Whether only tellings of the slot itself speak of it, so that it can be decided alone."""
        predicate = key.predicate
        return (
            predicate not in self.background.predicates and predicate not in self.arena.predicates
        )

    def at(self, key: Key) -> list[Belief]:
        """The beliefs that speak of a key, in order of birth."""
        beliefs = self.arena.beliefs
        return [beliefs[number] for number in self.arena.at(key, self._version)]

    def in_order(self, beliefs: Iterable[Belief]) -> list[Belief]:
        """Beliefs of this base, the most entrenched first."""
        listed = list(beliefs)
        if len(listed) > 1:
            listed.sort(key=lambda belief: place(belief, self.rank(belief)))
        return listed

    def fresh_belief(self, claim: Claim, entrenchment: str, *, skip: int = 0) -> Belief:
        """A belief of the next free id, after those that the same change gives to others."""
        number, numbered, version = self.next_id, self.arena.numbered, self._version
        while True:
            name = f"b{number}"
            if numbered(name, version) is None:
                if not skip:
                    return Belief(claim, entrenchment, id=name)
                skip -= 1
            number += 1

    def grown(self, change: Change) -> BeliefBase:
        """The base after a change of this base."""
        arena, version = self.arena, self._version
        with arena.lock:
            if arena.version != version:
                arena = arena.fork(version)
            arena.version += 1
            lost = _apply_losses(arena, change)
            for replaced in change.replaced:
                arena.drop(arena.ids[replaced])
            for belief in change.added:
                arena.put(belief)
        base = _Fields()
        base.arena, base._version = arena, arena.version
        base.background, base.order = self.background, self.order
        known = change.vocabulary
        base.vocabulary = self.vocabulary if known is None else known
        base.size = self.size - lost - len(change.replaced) + len(change.added)
        base.next_id = self.next_id + len(change.added)
        settled = change.settled
        base._suspects = _NO_KEYS if settled else self._after(change)
        # A rule inside a claim says more, or less, with each entity that comes or goes.
        base._bad = () if settled and not (arena.wide or self.background.wide) else None
        base._ranks = None
        base._sorted = None
        special = self._special
        if special is not None or [b for b in change.added if b.id in self.order]:
            special = special_ranks(self.order, arena)
        base._special = special
        base.__class__ = BeliefBase
        return base  # type: ignore[return-value]  # mypy does not follow the line above

    def _after(self, change: Change) -> frozenset[Key] | None:
        """The keys that have to be looked at again after a change that settles nothing."""
        known = self._bad
        before = self._suspects if known is None else _NO_KEYS.union(*known)
        added = [belief.claim for belief in change.added]
        if before is None or any(isinstance(claim, ForAll) for claim in added):
            return None  # a rule may link anything with anything
        return before.union(self.strangers(added), *(claim.keys for claim in added))

    def _in_order(self) -> tuple[Belief, ...]:
        found = self._sorted
        if found is None:
            beliefs = self.arena.beliefs
            found = tuple(self.in_order(beliefs[n] for n in self.arena.all_at(self._version)))
            set_field(self, "_sorted", found)
        return found

    def _own_rank(self, belief: Belief) -> int | None:
        """The rank by the order alone; None for a derived belief that the order does not name."""
        special = self._special
        if special is not None and belief.id in special:
            return special[belief.id]
        return None if belief.rests_on else self.order.rank(belief.entrenchment)

    def _require_sound(self) -> None:
        if not self.background.claims:
            return
        from agm.solver import check

        answer = check(self.background.claims, vocabulary=self.vocabulary)
        if isinstance(answer, Undecided):
            raise NotDecided(f"whether the constraints can hold together: {answer.reason}")
        if isinstance(answer, Inconsistent):
            raise InconsistentConstraints(answer.core)
        assert isinstance(answer, Consistent)


def _restored(
    beliefs: list[Belief],
    constraints: tuple[Claim, ...],
    order: EntrenchmentOrder,
    vocabulary: Vocabulary,
    next_id: int,
) -> BeliefBase:
    base = BeliefBase(beliefs, constraints=constraints, order=order, vocabulary=vocabulary)
    set_field(base, "next_id", next_id)
    return base


_NO_KEYS: frozenset[Key] = frozenset()


def _apply_losses(arena: Arena, change: Change) -> int:
    """Let what is given up die; a rule of which instances are given up lives on with exceptions."""
    excepted: dict[str, set[Binding]] = {}
    lost = 0
    for loss in change.given_up:
        if loss.rule is not None:
            excepted.setdefault(loss.rule.id, set()).add(loss.binding or ())
        else:
            arena.drop(arena.ids[loss.belief.id])
            lost += 1
    for rule_id, bindings in excepted.items():
        number = arena.ids[rule_id]
        rule = arena.beliefs[number]
        arena.drop(number)
        arena.put(rule.with_(exceptions=rule.exceptions.union(bindings)))
    return lost
