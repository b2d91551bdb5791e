"""Whether a verb could have written an entry: what its body says of a claim, a class or another entry.

An import and a verification go through all entries with one `Vetting`; the fields themselves `bodies`
looks at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm.claims import Atom, slot_literal
from agm.errors import AgmError
from agm.syntax import parse
from agm.values import literal as literal_text
from agm_store import doubts, imprints
from agm_store.artefacts import mark_of, marks_of
from agm_store.attempts import marks_of as refused_marks
from agm_store.bodies import misfit
from agm_store.entries import moment, says_nothing
from agm_store.errors import shorten
from agm_store.fields import is_name, is_time
from agm_store.flags import FLAGS, place_of
from agm_store.grounding import INSTANCE
from agm_store.held import RETRIED
from agm_store.telling import near_of
from agm_store.touches import (
    ALIASES,
    CALLS,
    CAUSED,
    COMPARED,
    DEMOTED,
    LOOKED,
    RECONSTRUCTED,
    SHARES,
    WITH,
    tokens_of_claim,
    touch_of,
)

if TYPE_CHECKING:
    from datetime import datetime

    from agm import Claim
    from agm_store.context import Context
    from agm_store.entries import Body, Entry
    from agm_store.journal import Journal
    from agm_store.naming import Names

_MAX_ID, _MAX_OWNER = 512, 256


class Vetting:
    """One pass over the entries of a journal, in order; what an entry names must come before it."""

    def __init__(self, journal: Journal) -> None:
        from agm_store.opening import order_of

        self._journal = journal
        self._order = order_of(journal)

    def fault(self, entry: Entry) -> str | None:
        """Why no verb could have written an entry; None when one could."""
        if not is_name(entry.entry_id) or len(entry.entry_id) > _MAX_ID:
            return f"id {shorten(entry.entry_id)} is none"
        if not is_name(entry.owner) or len(entry.owner) > _MAX_OWNER or not entry.owner.strip():
            return f"owner {shorten(entry.owner)} is none"
        if not is_time(entry.recorded_at):
            return f"time {shorten(entry.recorded_at)} is none of the years 1 to 9999"
        why = misfit(entry.body) or self._causeless(entry)
        if why is not None or "redacted" in entry.body:
            return (
                why  # what is left of a redacted body is bound to the chain by the entry that asked
            )
        found: str | None = _CHECKS[entry.body["op"]](self, entry)
        return found

    def tell(self, entry: Entry) -> str | None:
        """The class, the claim with what is read off it, and the statements that it names."""
        body = entry.body
        if body["class"] not in self._order:
            return f"class {shorten(body['class'])} is none of {', '.join(self._order.classes)}"
        own = _tokens_of_telling(body) if "claim" in body else [f"#{entry.entry_id}"]
        if isinstance(own, str):
            return own
        own = own or [f"#{entry.entry_id}"]  # a claim of constants speaks of nothing but itself
        near = near_of(body)
        if "claim" not in body and ("restates" in body or "contradicts" in body):
            own = []  # it stands among what it has to do with
        touched, linked = set(own), set()
        for name, told in self._named(entry).items():
            if told is None:
                return f"it names {shorten(name)}, and no statement before has that id"
            touched |= set(_tokens(told)) if name in _targets(body) or name in near else set()
            linked |= (
                set(_tokens(told) or [f"#{name}"]) if name in body.get("because", ()) else set()
            )
        if sorted(touched) != body.get("on", own):
            return f"on {shorten(body.get('on', own))} is not what it touches, {shorten(sorted(touched))}"
        if sorted(linked) != body.get("links", []):
            return f"links {shorten(body.get('links'))} is not what it rests on, {shorten(sorted(linked))}"
        return (
            self._no_descriptor(entry)
            or self._no_root(entry)
            or self._no_call(entry)
            or self._no_words(entry, entry)
            or _unmarked(body)
        )

    def on_statement(self, entry: Entry) -> str | None:
        """What is done to a statement: it must be there, and the entry touches the same."""
        body = entry.body
        told = self._told(entry, body.get("belief", body.get("target")))
        if told is None:
            return f"target {shorten(body.get('belief', body.get('target')))} is no statement before it"
        for name in (*body.get("tellings", ()), *self._named(entry)):
            if self._told(entry, name) is None:
                return f"it names {shorten(name)}, and no statement before has that id"
        if "alone" in body and not self._ends_alone(entry, told):
            return f"{told.entry_id} is no conclusion, so it does not end alone"
        if body["op"] in ("decide", "reclassify"):
            plain = "slot" in told.body and "because" not in told.body
            if ("odd" in body) == plain or body.get("links") != told.body.get("links"):
                return "what it repeats of the statement is not so there"
        if "restates" in body and (why := self._not_joined(entry, told)) is not None:
            return why
        if (why := self._no_words(entry, told)) is not None:
            return why
        return _elsewhere(body, told) or (_unmarked(body) if body["op"] == "reclassify" else None)

    def demote(self, entry: Entry) -> str | None:
        """What is demoted must be there, of one claim and some of a stronger class, and it touches the same."""
        body = entry.body
        if body["class"] not in self._order:
            return f"class {shorten(body['class'])} is none of {', '.join(self._order.classes)}"
        target = self._told(entry, body["target"])
        if target is None or target.entry_id not in body["tellings"]:
            return f"target {shorten(body['target'])} is no statement before it that it lowers"
        touched: set[str] = set()
        strongest = 0
        for name in body["tellings"]:
            told = self._told(entry, name)
            if told is None:
                return f"it names {shorten(name)}, and no statement before has that id"
            strongest = max(strongest, self._order.rank(told.body["class"]))
            if self._of_another_claim(entry, told, target):
                return f"{shorten(name)} states another claim than {shorten(target.entry_id)}"
            touched |= set(_tokens(told))
        if strongest <= self._order.rank(body["class"]):
            return f"nothing that it names was told by a class stronger than {body['class']}"
        return _misplaced(body, sorted(touched)) or _unlike_marks(body, [DEMOTED])

    def _of_another_claim(self, entry: Entry, told: Entry, target: Entry) -> bool:
        """Whether two statements have claims that differ, whichever names stood before an entry."""
        claims = told.body.get("claim"), target.body.get("claim")
        if None in claims or claims[0] == claims[1]:
            return False
        hand = self._hand(entry)
        return hand.identity(told) != hand.identity(target)

    def revert(self, entry: Entry) -> str | None:
        """What is reverted must be there, and the entry touches the same as it and what it caused."""
        seq = entry.body["target"]
        target = self._journal.entry(seq) if seq < entry.seq else None
        if target is None or target.owner != entry.owner:
            return f"target {seq} is no entry of {shorten(entry.owner)} before it"
        caused = self._journal.touching(entry.owner, [f"{CAUSED}{seq}"], upto=entry.seq - 1)
        touched = {*_tokens(target), *(t for e in caused for t in _tokens(e))}
        return _misplaced(entry.body, sorted(touched))

    def share(self, entry: Entry) -> str | None:
        """What is shared must be a statement before it, and what is taken back shares of it."""
        body = entry.body
        if self._told(entry, body["target"]) is None:
            return f"target {shorten(body['target'])} is no statement before it"
        for seq in body.get("shares", ()):
            found = self._journal.entry(seq) if seq < entry.seq else None
            if found is None or found.owner != entry.owner or found.body.get("op") != "share":
                return f"{seq} is no share before it"
        return _misplaced(body, []) or _unlike_marks(body, [SHARES, f"{WITH}{body['with']}"])

    def alias(self, entry: Entry) -> str | None:
        """An alias touches no claim, and under it the constraints do not contradict each other."""
        from agm_store.aliases import joined
        from agm_store.naming import Names

        hand, body = self._hand(entry), entry.body
        before = {} if hand.names is None else hand.names.classes
        pairs = [(names[0], name) for name, names in before.items()]
        names = Names(joined([*pairs, (body["entity"], body["of"])]))
        why = _misplaced(body, []) or _unlike_marks(body, [ALIASES])
        return why or self._contradiction(entry, None, names)

    def refused(self, entry: Entry) -> str | None:
        """An attempt touches nothing."""
        marks = refused_marks(entry.body.get("of"))
        return _misplaced(entry.body, []) or _unlike_marks(entry.body, marks)

    def call(self, entry: Entry) -> str | None:
        """A request to a model touches nothing."""
        return _misplaced(entry.body, []) or _unlike_marks(entry.body, [CALLS])

    def reconstruct(self, entry: Entry) -> str | None:
        """What was read must be statements of its owner before it, each with a role."""
        body = entry.body
        for seq in body["of"]:
            told = self._journal.entry(seq) if seq < entry.seq else None
            if told is None or told.owner != entry.owner or told.body.get("op") != "tell":
                return f"{seq} is no statement before it"
        if len(body["of"]) != len(body["roles"]):
            return f"{len(body['roles'])} roles for {len(body['of'])} statements"
        marks = [f"{RECONSTRUCTED}{max(body['of'])}"]
        return self._no_call(entry) or _misplaced(body, []) or _unlike_marks(body, marks)

    def redact(self, entry: Entry) -> str | None:
        """What is redacted must be a statement before it, among what it blanked, and it touches the same."""
        told = self._told(entry, entry.body["target"])
        if told is None:
            return f"target {shorten(entry.body['target'])} is no statement before it"
        seqs = [seq for seq, _ in entry.body["blanked"]]
        if told.seq not in seqs or seqs[-1] >= entry.seq:
            return "it does not name its target among the entries before it that it blanked"
        return _elsewhere(entry.body, told)

    def _no_call(self, entry: Entry) -> str | None:
        """Why the request that a telling names is none of its owner's before it."""
        seq = entry.body.get("call")
        found = None if seq is None or seq >= entry.seq else self._journal.entry(seq)
        if seq is None or (
            found is not None and found.owner == entry.owner and found.body.get("op") == "call"
        ):
            return None
        return f"{seq} is no request to a model before it"

    def batch(self, entry: Entry) -> str | None:
        """A batch touches no claim by itself."""
        return _misplaced(entry.body, []) or _unlike_marks(entry.body, [])

    def imprint(self, entry: Entry) -> str | None:
        """A version touches no claim by itself; what it keeps, versions of its source before it told."""
        body = entry.body
        if body["class"] not in self._order:
            return f"class {shorten(body['class'])} is none of {', '.join(self._order.classes)}"
        for name in body["kept"]:
            told = self._told(entry, name)
            if told is None or not self._imprinted(told, body["source"]):
                return f"it keeps {shorten(name)}, which no version of its source before it told"
        marks = [imprints.mark_of(body["source"])]
        return _misplaced(body, []) or _unlike_marks(body, marks)

    def _imprinted(self, told: Entry, source: object) -> bool:
        """Whether a version of a source told a statement."""
        cause = self._journal.entry(told.body["cause"]) if "cause" in told.body else None
        if cause is None or cause.body.get("op") != "imprint":
            return False
        return bool(cause.body.get("source") == source)

    def _ends_alone(self, entry: Entry, told: Entry) -> bool:
        """Whether an ending may spare the other statements of a claim: of conclusions, and of versioned sources."""
        if "because" in told.body:
            return True
        cause = self._journal.entry(entry.body["cause"]) if "cause" in entry.body else None
        if cause is None or cause.body.get("op") != "imprint":
            return False
        return self._imprinted(told, cause.body.get("source"))

    def retry(self, entry: Entry) -> str | None:
        """A look at a held belief that must be there; it touches no claim and is found by the belief."""
        belief = entry.body["belief"]
        if self._told(entry, belief) is None:
            return f"it is about {shorten(belief)}, and no statement before has that id"
        return _misplaced(entry.body, []) or _unlike_marks(entry.body, [RETRIED + belief])

    def doubt(self, entry: Entry) -> str | None:
        """What is in doubt must be there; a doubt touches no claim."""
        for name in entry.body["beliefs"]:
            if self._told(entry, name) is None:
                return f"it is about {shorten(name)}, and no statement before has that id"
        marks = doubts.marks_of(entry.body["beliefs"])
        return _misplaced(entry.body, []) or _unlike_marks(entry.body, marks)

    def settle(self, entry: Entry) -> str | None:
        """What is settled must be a doubt before it."""
        seq = entry.body["doubt"]
        doubt = self._journal.entry(seq) if seq < entry.seq else None
        if doubt is None or doubt.owner != entry.owner or doubt.body.get("op") != "doubt":
            return f"{seq} is no doubt before it"
        marks = doubts.marks_of(doubt.body["beliefs"])
        return _misplaced(entry.body, []) or _unlike_marks(entry.body, marks)

    def compared(self, entry: Entry) -> str | None:
        """What was compared must be there; that it was touches no claim."""
        for new, old, _ in entry.body["pairs"]:
            for name in (new, old):
                if self._told(entry, name) is None:
                    return f"it compares {shorten(name)}, and no statement before has that id"
        return _misplaced(entry.body, []) or _unlike_marks(entry.body, [COMPARED])

    def looked(self, entry: Entry) -> str | None:
        """A mark of how far a pass came touches no claim."""
        if entry.body["upto"] >= entry.seq:
            return f"it came up to {entry.body['upto']}, which is not before it"
        return _misplaced(entry.body, []) or _unlike_marks(entry.body, [LOOKED])

    def artefact(self, entry: Entry) -> str | None:
        """What a version was made from must be there, and the number that no version before had."""
        body = entry.body
        before = self._journal.touching(
            entry.owner, [mark_of(body["artefact"])], upto=entry.seq - 1
        )
        if any(e.body.get("version") == body["version"] for e in before):
            return f"version {body['version']} is there already"
        if not body["because"]:
            return "a version rests on something"
        linked: set[str] = set()
        for name in body.get("because", ()):
            told = self._told(entry, name)
            if told is None:
                return f"it names {shorten(name)}, and no statement before has that id"
            linked |= set(_tokens(told) or [f"#{name}"])
        if sorted(linked) != body.get("links", []):
            return f"links {shorten(body.get('links'))} is not what it rests on, {shorten(sorted(linked))}"
        return _misplaced(body, []) or _unlike_marks(body, marks_of(body["artefact"]))

    def about_flags(self, entry: Entry) -> str | None:
        """What is flagged must be there, and the flags that are cleared or were looked at."""
        body = entry.body
        place = place_of(body)
        if place.artefact:
            made = self._journal.touching(entry.owner, [mark_of(place.name)], upto=entry.seq - 1)
            if not made:
                return f"no artefact before it is {shorten(place.name)}"
        elif self._told(entry, place.name) is None:
            return f"it is about {shorten(place.name)}, and no statement before has that id"
        for seq in body.get("flags", ()):
            flag = self._journal.entry(seq) if seq < entry.seq else None
            if flag is None or flag.owner != entry.owner or flag.body.get("op") != "flag":
                return f"{seq} is no flag before it"
            if place_of(flag.body) != place:
                return f"flag {seq} is about {shorten(place_of(flag.body).name)}"
        for name in (*body.get("lost", ()), *filter(None, [body.get("by")])):
            if self._told(entry, name) is None:
                return f"it names {shorten(name)}, and no statement before has that id"
        return _misplaced(body, []) or _unlike_marks(body, [FLAGS, place.mark])

    def _no_root(self, entry: Entry) -> str | None:
        """Why a text does not restate the first telling of a belief in words."""
        name = entry.body.get("restates")
        told = None if name is None else self._told(entry, name)
        if told is None or ("claim" not in entry.body and _is_root(told)):
            return None
        return f"it restates {shorten(name)}, and one of them has a claim, or restates another"

    def _no_words(self, entry: Entry, telling: Entry) -> str | None:
        """Why a telling does not say the same as others that it names so: one of two has a claim, the other words."""
        if says_nothing(telling.body):
            return None
        for name in entry.body.get("attests", ()):
            told = self._told(entry, name)
            if told is None or told.seq == telling.seq:
                return f"it attests {shorten(name)}, which is no other statement before it"
            if not says_nothing(told.body) and ("claim" in told.body) == ("claim" in telling.body):
                return f"it attests {shorten(name)}, and not just one of them has a claim"
        return None

    def _not_joined(self, entry: Entry, told: Entry) -> str | None:
        """Why a decision does not make a text one more telling of a belief in words."""
        name = entry.body["restates"]
        root = self._told(entry, name)
        apart = root is None or not set(_tokens(root)).issubset(_tokens(told))
        if root is None or apart or root.seq == told.seq or entry.body["state"] != "admitted":
            return f"it restates {shorten(name)}, which the statement does not touch"
        if "claim" in told.body or not _is_root(root):
            return f"it restates {shorten(name)}, and one of them has a claim, or restates another"
        return None

    def _no_descriptor(self, entry: Entry) -> str | None:
        """Why what says that it describes an artefact does not."""
        body = entry.body
        if "artefact" not in body:
            return None
        version = self._journal.entry(body["cause"]) if "cause" in body else None
        if version is None or version.body.get("artefact") != body["artefact"]:
            return f"it is because of no version of {shorten(body['artefact'])}"
        same = version.body.get("because") == body.get("because")
        return None if same else "it does not rest on what its artefact rests on"

    def _causeless(self, entry: Entry) -> str | None:
        """Why the entry because of which another says it was written is none."""
        seq = entry.body.get("cause")
        if seq is None:
            return None
        cause = self._journal.entry(seq) if seq < entry.seq else None
        if cause is None or cause.owner != entry.owner or "cause" in cause.body:
            return (
                f"cause {seq} is no entry of {shorten(entry.owner)} before it that has none itself"
            )
        return None

    def contract(self, entry: Entry) -> str | None:
        """The claim, and what it touches."""
        claim = _claim(entry.body)
        if isinstance(claim, str):
            return claim
        return _misplaced(entry.body, tokens_of_claim(claim))

    def constrain(self, entry: Entry) -> str | None:
        """The claim, what it ranges over, and that the constraints do not contradict each other."""
        claim = _claim(entry.body)
        if isinstance(claim, str):
            return claim
        ranged = {*tokens_of_claim(claim), *(f"{p}/*" for p in claim.symbols)}
        why = _misplaced(entry.body, sorted(ranged))
        return why or self._contradiction(entry, claim, self._hand(entry).names)

    def declare(self, entry: Entry) -> str | None:
        """The declaration in its own form."""
        from agm.vocabulary import Vocabulary

        body = entry.body
        name, said = body["predicate"], body["declaration"]
        try:
            known = Vocabulary.from_json({name: said}).to_json().get(name)
        except (AgmError, TypeError, ValueError) as error:
            return f"declaration {shorten(said)} is none ({shorten(str(error))})"
        if known != said:
            return f"declaration {shorten(said)} is not in its own form"
        return _misplaced(body, [f"{name}/declared"])

    def episode(self, entry: Entry) -> str | None:
        """An episode touches no claim, and is marked by its own name."""
        body = entry.body
        if body["marks"] != [f"@episode {body['episode']}"]:
            return f"marks {shorten(body['marks'])} are not its episode's"
        return _misplaced(body, [])

    def _hand(self, entry: Entry) -> Context:
        """A hand of the owner of an entry that knows what was recorded before it."""
        from agm_store.context import Context

        def clock() -> datetime:
            return moment(entry.recorded_at)

        hand = Context(self._journal, entry.owner, self._order, clock)
        return hand.as_known(entry.seq - 1)

    def _contradiction(self, entry: Entry, claim: Claim | None, names: Names | None) -> str | None:
        """Why the constraints before an entry, with its own, cannot hold under the names of entities."""
        from agm import solver
        from agm.verdicts import Inconsistent
        from agm.vocabulary import Vocabulary
        from agm_store.ledger import fold

        ruled = self._journal.ruled(entry.owner)
        tokens = {t for e in ruled if e.seq < entry.seq for t in _tokens(e)}
        before = self._journal.touching(entry.owner, tokens, upto=entry.seq - 1)
        before = before if names is None else names.entries(before)
        texts = [text for _, text in fold(before, self._order.rank).constraints]
        vocabulary = Vocabulary()
        try:
            claims = [parse(text) for text in texts]
            if claim is not None:
                claims.insert(0, claim if names is None else names.meant(claim))
            for each in claims:
                vocabulary = vocabulary.admit(each)[1]
            answer = solver.check(claims, vocabulary=vocabulary)
        except AgmError:
            return None  # what the check cannot read, it says nothing of
        return (
            "it contradicts the constraints before it" if isinstance(answer, Inconsistent) else None
        )

    def _named(self, entry: Entry) -> dict[str, Entry | None]:
        """The statements that a body names beside its object, each with its entry if there is one."""
        body = entry.body
        names = [*body.get("because", ()), *_targets(body), *near_of(body)]
        names += [*body.get("refines", ()), *body.get("refined_by", ()), *body.get("attests", ())]
        for directive in body.get("resolves", ()):
            names += [*directive["tellings"], *filter(None, [directive.get("before")])]
        names += filter(None, [body.get("inherits"), body.get("edits"), body.get("edited")])
        answer = body.get("answer", {})
        rows = [*answer.get("retired", ()), answer.get("contested", ())]
        names += [name.partition(INSTANCE)[0] for row in rows for name in row]
        return {name: self._told(entry, name) for name in names}

    def _told(self, entry: Entry, name: object) -> Entry | None:
        """The statement before an entry that an id or a number names."""
        found = (
            self._journal.entry(name)
            if isinstance(name, int)
            else self._journal.find(entry.owner, str(name))
        )
        if found is None or found.seq >= entry.seq or found.owner != entry.owner:
            return None
        return found if found.body.get("op") == "tell" else None


_CHECKS: dict[str, Any] = {
    "tell": Vetting.tell,
    **dict.fromkeys(("retract", "expire", "reclassify", "decide"), Vetting.on_statement),
    "revert": Vetting.revert,
    "contract": Vetting.contract,
    "demote": Vetting.demote,
    "constrain": Vetting.constrain,
    "declare": Vetting.declare,
    "redact": Vetting.redact,
    "share": Vetting.share,
    "unshare": Vetting.share,
    "alias": Vetting.alias,
    "refused": Vetting.refused,
    "call": Vetting.call,
    "reconstruct": Vetting.reconstruct,
    "episode": Vetting.episode,
    "batch": Vetting.batch,
    "retry": Vetting.retry,
    "doubt": Vetting.doubt,
    "settle": Vetting.settle,
    "compared": Vetting.compared,
    "looked": Vetting.looked,
    "imprint": Vetting.imprint,
    "artefact": Vetting.artefact,
    **dict.fromkeys(("flag", "clear", "attempt"), Vetting.about_flags),
}


def _claim(body: Body) -> Claim | str:
    """The claim of a body, or why it is none."""
    text = body["claim"]
    try:
        claim = parse(text)
    except AgmError as error:
        return f"claim {shorten(text)} is none ({shorten(str(error))})"
    if str(claim) != text:
        return f"claim {shorten(text)} is not in its own form, {shorten(str(claim))}"
    return f"claim {shorten(text)} has free variables" if claim.free else claim


def _tokens_of_telling(body: Body) -> list[str] | str:
    """The tokens of a telling's claim, or why its slot and value are not the claim's."""
    claim = _claim(body)
    if isinstance(claim, str):
        return claim
    literal = slot_literal(claim)
    if literal is not None:
        wanted: dict[str, Any] = {"slot": str(literal[0]), "value": literal_text(literal[1])}
    elif isinstance(claim, Atom):
        wanted = {"slot": body["claim"], "value": "true", "relation": True}
    else:
        wanted = {}
    for name in ("slot", "value", "relation"):
        if body.get(name) != wanted.get(name):
            return (
                f"{name} {shorten(body.get(name))} is not its claim's, {shorten(wanted.get(name))}"
            )
    return [wanted["slot"]] if wanted else tokens_of_claim(claim)


def _tokens(entry: Entry) -> list[str]:
    return list(touch_of(entry.body).tokens)


def _is_root(told: Entry) -> bool:
    """Whether a statement is the first of a belief in words; what was held may have restated none in the end."""
    joined = "restates" in told.body and told.body["state"] == "admitted"
    return "claim" not in told.body and not joined


def _targets(body: Body) -> set[str]:
    return {d["target"] for d in body.get("resolves", ())}


def _misplaced(body: Body, tokens: list[str]) -> str | None:
    if body["on"] == tokens:
        return None
    return f"on {shorten(body['on'])} is not what it touches, {shorten(tokens)}"


def _elsewhere(body: Body, target: Entry) -> str | None:
    return _misplaced(body, _tokens(target))


def _unlike_marks(body: Body, marks: list[str]) -> str | None:
    found = body.get("marks", [])
    return None if found == marks else f"marks {shorten(found)} are not {shorten(marks)}"


def _unmarked(body: Body) -> str | None:
    if body["state"] == "held" and "@held" not in body.get("marks", ()):
        return "it is held, and not marked so"
    return None
