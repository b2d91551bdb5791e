"""The tools: each one takes arguments of a model, passes them through the gates of the store, and answers.

What a model asks to be changed is a directive by machine, as a fact of an `Extraction` is: only a
contradiction or the same slot licenses it, a weaker claim retires nothing stronger, its confidence says
who applies it, and budgets bound the rest.  What does not pass is held whole, for a person.  Of entries
a model undoes only what it told itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agm_store.errors import InvalidArgument, StoreError, shorten
from agm_store.mcp import answers, arguments
from agm_store.statements import checked_text
from agm_store.times import moment_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from agm import Claim
    from agm.directives import Action, Fact, Reason
    from agm.values import Unknown
    from agm_store.beliefs import BeliefStore
    from agm_store.listings import Review
    from agm_store.mcp.answers import Reply

SOURCE = "mcp"
"""Who speaks, when nobody says otherwise at the start."""


class NotForAModel(StoreError):
    """Something that only a person may do; ``tool`` is what was called, ``cure`` what a person does."""

    def __init__(self, tool: str, found: str, cure: str) -> None:
        self.tool, self.cure = tool, cure
        super().__init__(f"{tool}: {found}; {cure}")


class Spec(NamedTuple):
    """A tool as clients see it."""

    name: str
    does: str
    takes: type[arguments.Arguments]
    reads: bool = False
    """Whether it changes nothing."""


SPECS = (
    Spec("tell", "Record something that was said: a claim, words, or both. What it contradicts is told in the answer.",
         arguments.Tell),
    Spec("correct", "Say that a belief was never true, and what was. The belief is withdrawn for its whole time.",
         arguments.Correct),
    Spec("update", "Say that the world moved on: the belief was true until then and the claim is true from then on.",
         arguments.Update),
    Spec("retract", "Say that a belief was never true, with nothing in its place.", arguments.Retract),
    Spec("expire", "Say that a belief is true no longer, with nothing in its place.", arguments.Expire),
    Spec("revert", "Undo an entry of yours by its number; what it retired stands again.", arguments.Revert),
    Spec("ask", "Say what is believed of a term, or whether a claim follows.", arguments.Ask, reads=True),
    Spec("as_of", "Show what was believed at a moment, by what was known then.", arguments.AsOf, reads=True),
    Spec("why", "Say why a belief stands as it does, and what would undo it.", arguments.Why, reads=True),
    Spec("inbox", "Show what is held and waits for a person.", arguments.Inbox, reads=True),
    Spec("decide", "Decide something that is held, in the name of a person who said so.", arguments.Decide),
)  # fmt: skip
"""Every tool, in the order in which they are introduced."""


OWNERS = {
    "alias": "alias",
    "constrain": "constraint add",
    "contract": "contract",
    "declare": "vocabulary declare",
    "demote": "demote",
    "reclassify": "reclassify",
    "redact": "redact",
    "retract_by_source": "retract-by-source",
    "share": "share",
    "unshare": "unshare",
}
"""Verbs of the store that pass no gate, so that no model has them, and the commands by which a person does."""


class Tools:
    """The tools of one model on one store.

    ``source`` and ``entrenchment`` are what everything told by it bears, whatever it says of itself.
    Decisions and the undoing of what others told are a person's: ``allow_decide`` hands them over.

    Raises:
        InvalidArgument: the source or the class cannot be used.
    """

    def __init__(
        self,
        store: BeliefStore,
        *,
        source: str = SOURCE,
        entrenchment: str = "inferred",
        allow_decide: bool = False,
    ) -> None:
        self._store = store
        self._context = store._context  # noqa: SLF001  the same package
        self._context.rank(entrenchment)
        self._source = checked_text("source", source)
        if not source.strip():
            raise InvalidArgument("source", source, "a name by which what it told can be found")
        self._entrenchment = entrenchment
        self._may_decide = allow_decide
        self._shown: dict[str, Review] = {}

    @property
    def specs(self) -> tuple[Spec, ...]:
        """The tools that are offered."""
        return tuple(spec for spec in SPECS if self._may_decide or spec.name != "decide")

    def call(self, name: str, given: Mapping[str, Any]) -> Reply:
        """Call a tool by its name with arguments as they came.

        Raises:
            InvalidArgument: there is no such tool, or it takes other arguments.
            NotForAModel: it is a person's to do.
            AgmError: what the verb refuses.
        """
        if name == "decide" and not self._may_decide:
            cure = (
                "leave it to `agm decide` or `agm review`, or start the server with --allow-decide"
            )
            raise NotForAModel(name, "decisions on what is held are a person's", cure)
        for spec in self.specs:
            if spec.name == name:
                run: Callable[[Any], Reply] = getattr(self, f"_{name}")
                return run(_read(spec, given))
        if name in OWNERS:
            cure = f"leave it to `agm {OWNERS[name]}`"
            raise NotForAModel(name, "it passes no gate, so it is a person's", cure)
        offered = ", ".join(spec.name for spec in self.specs)
        raise InvalidArgument("tool", name, f"one of {offered}")

    def _tell(self, given: arguments.Tell) -> Reply:
        return self._told(
            given, valid_from=_start(given.valid_from), valid_to=_time("valid_to", given.valid_to)
        )

    def _correct(self, given: arguments.Correct) -> Reply:
        return self._told(
            given, "supersede", "correction", valid_from=_start(given.valid_from),
            valid_to=_time("valid_to", given.valid_to),
        )  # fmt: skip

    def _update(self, given: arguments.Update) -> Reply:
        return self._told(given, "supersede", "temporal_change", valid_from=_time("at", given.at))

    def _retract(self, given: arguments.Retract) -> Reply:
        return self._told(given, "retract", "correction")

    def _expire(self, given: arguments.Expire) -> Reply:
        return self._told(given, "retract", "temporal_change", valid_from=_time("at", given.at))

    def _revert(self, given: arguments.Revert) -> Reply:
        if not self._may_decide:
            self._own(given.entry)
        return answers.receipt_reply(self._store.revert(given.entry, note=given.note))

    def _ask(self, given: arguments.Ask) -> Reply:
        from agm_store.questions import answer

        valid, known = _time("valid_at", given.valid_at), _time("known_at", given.known_at)
        found = answer(self._store.at(valid=valid, known=known), given.question)
        return answers.ask_reply(given.question, found)

    def _as_of(self, given: arguments.AsOf) -> Reply:
        at = moment_of("at", given.at)
        return answers.world_reply(self._store.as_of(at), at, given.limit)

    def _why(self, given: arguments.Why) -> Reply:
        world = self._store.at()
        return answers.why_reply(world.why(given.belief), world.standing(given.belief))

    def _inbox(self, given: arguments.Inbox) -> Reply:
        reviews = self._store.inbox()
        self._shown.update({review.id: review for review in reviews[: given.limit]})
        return answers.inbox_reply(reviews, given.limit)

    def _decide(self, given: arguments.Decide) -> Reply:
        review = self._shown.get(given.review)
        if review is None:
            raise InvalidArgument("review", given.review, "the id of a review that `inbox` showed")
        claim = None if given.claim is None else self._claim(given.claim)
        receipt = self._store.decide(review, given.option, claim=claim, note=given.note)
        del self._shown[given.review]
        return answers.receipt_reply(receipt)

    def _told(
        self,
        given: Any,  # noqa: ANN401  the arguments of any verb that tells
        action: Action | None = None,
        reason: Reason | None = None,
        *,
        valid_from: datetime | Unknown | None = None,
        valid_to: datetime | None = None,
    ) -> Reply:
        """Record one fact with at most one directive, by machine."""
        from agm.directives import Extraction, Fact, Resolves, Shown

        claim = None if getattr(given, "claim", None) is None else self._claim(given.claim)
        if action is None and claim is None and not given.text:
            raise InvalidArgument("claim", None, "a claim, a text that is not empty, or both")
        ids: list[Any] = []
        resolves: list[Resolves] = []
        if action is not None and reason is not None:
            self._target(given.belief, action)
            ids.append(given.belief)
            resolves.append(Resolves(session_index=0, action=action, reason=reason))
        fact: Fact = Fact(
            text="" if given.text is None else checked_text("text", given.text), claim=claim,
            resolves=resolves, mode=getattr(given, "mode", "assertion"), confidence=given.confidence,
            valid_from=valid_from, valid_to=valid_to,
        )  # fmt: skip
        batch = self._store.tell_all(
            Extraction(shown=Shown(beliefs=ids), facts=[fact]),
            entrenchment=self._entrenchment,
            source=self._source,
        )
        return answers.batch_reply(batch)

    def _claim(self, given: str | Mapping[str, Any]) -> Claim:
        """The claim of an argument, as the store would admit it."""
        from agm.jsonform import claim_from_json
        from agm.syntax import parse

        lexicon = self._context.lexicon
        if isinstance(given, str):
            claim = parse(given)
        else:
            predicate = given.get("predicate")
            known = [predicate] if isinstance(predicate, str) else []
            claim = claim_from_json(dict(given), lexicon.learn(known))
        lexicon.admit(claim)  # refused here, with the reason, before anything is written
        return claim

    def _target(self, belief: str, action: str) -> None:
        """Refuse a target that cannot be changed, before anything is recorded."""
        from agm_store.attempts import foreign
        from agm_store.errors import TargetRetired, UnknownBelief
        from agm_store.ledger import ADMITTED
        from agm_store.retiring import target_of

        try:
            _, _, telling = target_of(self._context, belief)
        except UnknownBelief as error:
            raise foreign(self._context, f"{action} by a directive", error) from None
        if telling.state != ADMITTED:
            raise TargetRetired(belief, telling.state)

    def _own(self, seq: int) -> None:
        """Refuse the undoing of an entry that this hand cannot have told: a name alone, anybody may bear."""
        from agm_store.errors import UnknownEntry

        entry = self._context.journal.entry(seq)
        if entry is None or entry.owner != self._context.owner:
            raise UnknownEntry(seq)
        body, what = entry.body, f"entry {seq} ({entry.body['op']} {shorten(entry.entry_id)})"
        found = None
        if body["op"] != "tell" or body.get("source") != self._source:
            found = f"{what} was not told by {self._source!r}"
        elif self._context.rank(body["class"]) > self._context.rank(self._entrenchment):
            found = f"{what} counts as {body['class']}, so it was not told by this hand"
        if found is not None:
            cure = f"leave it to `agm revert {seq}`, or start the server with --allow-decide"
            raise NotForAModel("revert", found, cure)


def _read(spec: Spec, given: Mapping[str, Any]) -> Any:  # noqa: ANN401  the arguments of any tool
    """The arguments of a tool.

    Raises:
        InvalidArgument: they do not fit; every fault is named with its place.
    """
    from pydantic import ValidationError

    try:
        return spec.takes.model_validate(dict(given))
    except ValidationError as error:
        faults = [
            f"{fault['msg']} @ {'.'.join(map(str, fault['loc'])) or 'arguments'}"
            for fault in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        raise InvalidArgument(
            f"arguments of {spec.name}", dict(given), f"what its schema says: {'; '.join(faults)}"
        ) from None


def _time(name: str, text: str | None) -> datetime | None:
    return None if text is None else moment_of(name, text)


def _start(text: str | None) -> datetime | Unknown | None:
    if text == "unknown":
        from agm.values import UNKNOWN

        return UNKNOWN
    return _time("valid_from", text)
