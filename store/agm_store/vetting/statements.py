"""Entries of statements: what is told, and what is done to it since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.entries import says_nothing
from agm_store.errors import shorten
from agm_store.telling import near_of
from agm_store.touches import CAUSED, DEMOTED, SHARES, WITH
from agm_store.vetting.antecedents import targets_of
from agm_store.vetting.claims import tokens_of_telling
from agm_store.vetting.tokens import (
    elsewhere,
    misplaced,
    tokens_touched,
    unlike_marks,
    unlike_marks_alone,
    unlinked,
    unmarked,
)

if TYPE_CHECKING:
    from agm_store.entries import Entry
    from agm_store.vetting.antecedents import Antecedents


def tell(before: Antecedents, entry: Entry) -> str | None:
    """The class, the claim with what is read off it, and the statements that it names."""
    body = entry.body
    if body["class"] not in before.order:
        return f"class {shorten(body['class'])} is none of {', '.join(before.order.classes)}"
    own = tokens_of_telling(body) if "claim" in body else [f"#{entry.entry_id}"]
    if isinstance(own, str):
        return own
    own = own or [f"#{entry.entry_id}"]  # a claim of constants speaks of nothing but itself
    near = near_of(body)
    if "claim" not in body and ("restates" in body or "contradicts" in body):
        own = []  # it stands among what it has to do with
    touched, linked = set(own), set()
    for name, told in before.named(entry).items():
        if told is None:
            return f"it names {shorten(name)}, and no statement before has that id"
        tokens = tokens_touched(told)
        touched |= set(tokens) if name in targets_of(body) or name in near else set()
        linked |= set(tokens or [f"#{name}"]) if name in body.get("because", ()) else set()
    if sorted(touched) != body.get("on", own):
        return (
            f"on {shorten(body.get('on', own))} is not what it touches, {shorten(sorted(touched))}"
        )
    return (
        unlinked(body, linked)
        or _no_descriptor(before, entry)
        or _no_root(before, entry)
        or no_call(before, entry)
        or _no_words(before, entry, entry)
        or unmarked(body)
    )


def on_statement(before: Antecedents, entry: Entry) -> str | None:
    """What is done to a statement: it must be there, and the entry touches the same."""
    body = entry.body
    told = before.told(entry, body.get("belief", body.get("target")))
    if told is None:
        return f"target {shorten(body.get('belief', body.get('target')))} is no statement before it"
    for name in (*body.get("tellings", ()), *before.named(entry)):
        if before.told(entry, name) is None:
            return f"it names {shorten(name)}, and no statement before has that id"
    if "alone" in body and not _ends_alone(before, entry, told):
        return f"{told.entry_id} is no conclusion, so it does not end alone"
    if body["op"] in ("decide", "reclassify"):
        plain = "slot" in told.body and "because" not in told.body
        if ("odd" in body) == plain or body.get("links") != told.body.get("links"):
            return "what it repeats of the statement is not so there"
    if "restates" in body and (why := _not_joined(before, entry, told)) is not None:
        return why
    if (why := _no_words(before, entry, told)) is not None:
        return why
    return elsewhere(body, told) or (unmarked(body) if body["op"] == "reclassify" else None)


def demote(before: Antecedents, entry: Entry) -> str | None:
    """What is demoted must be there, of one claim and some of a stronger class, and it touches the same."""
    body, order = entry.body, before.order
    if body["class"] not in order:
        return f"class {shorten(body['class'])} is none of {', '.join(order.classes)}"
    target = before.told(entry, body["target"])
    if target is None or target.entry_id not in body["tellings"]:
        return f"target {shorten(body['target'])} is no statement before it that it lowers"
    touched: set[str] = set()
    strongest = 0
    for name in body["tellings"]:
        told = before.told(entry, name)
        if told is None:
            return f"it names {shorten(name)}, and no statement before has that id"
        strongest = max(strongest, order.rank(told.body["class"]))
        if _of_another_claim(before, entry, told, target):
            return f"{shorten(name)} states another claim than {shorten(target.entry_id)}"
        touched |= set(tokens_touched(told))
    if strongest <= order.rank(body["class"]):
        return f"nothing that it names was told by a class stronger than {body['class']}"
    return misplaced(body, sorted(touched)) or unlike_marks(body, [DEMOTED])


def revert(before: Antecedents, entry: Entry) -> str | None:
    """What is reverted must be there, and the entry touches the same as it and what it caused."""
    seq = entry.body["target"]
    target = before.recorded(entry, seq)
    if target is None:
        return f"target {seq} is no entry of {shorten(entry.owner)} before it"
    caused = before.touching(entry, f"{CAUSED}{seq}")
    touched = {*tokens_touched(target), *(t for e in caused for t in tokens_touched(e))}
    return misplaced(entry.body, sorted(touched))


def redact(before: Antecedents, entry: Entry) -> str | None:
    """What is redacted must be a statement before it, among what it blanked, and it touches the same."""
    told = before.told(entry, entry.body["target"])
    if told is None:
        return f"target {shorten(entry.body['target'])} is no statement before it"
    seqs = [seq for seq, _ in entry.body["blanked"]]
    if told.seq not in seqs or seqs[-1] >= entry.seq:
        return "it does not name its target among the entries before it that it blanked"
    return elsewhere(entry.body, told)


def share(before: Antecedents, entry: Entry) -> str | None:
    """What is shared must be a statement before it, and what is taken back shares of it."""
    body = entry.body
    if before.told(entry, body["target"]) is None:
        return f"target {shorten(body['target'])} is no statement before it"
    for seq in body.get("shares", ()):
        if before.recorded(entry, seq, "share") is None:
            return f"{seq} is no share before it"
    return unlike_marks_alone(body, [SHARES, f"{WITH}{body['with']}"])


def no_call(before: Antecedents, entry: Entry) -> str | None:
    """Why the request that an entry names is none of its owner's before it."""
    seq = entry.body.get("call")
    if seq is None or before.recorded(entry, seq, "call") is not None:
        return None
    return f"{seq} is no request to a model before it"


def _of_another_claim(before: Antecedents, entry: Entry, told: Entry, target: Entry) -> bool:
    """Whether two statements have claims that differ, whichever names stood before an entry."""
    claims = told.body.get("claim"), target.body.get("claim")
    if None in claims or claims[0] == claims[1]:
        return False
    hand = before.hand(entry)
    return hand.identity(told) != hand.identity(target)


def _ends_alone(before: Antecedents, entry: Entry, told: Entry) -> bool:
    """Whether an ending may spare the other statements of a claim: of conclusions, and of versioned sources."""
    if "because" in told.body:
        return True
    cause = before.journal.entry(entry.body["cause"]) if "cause" in entry.body else None
    if cause is None or cause.body.get("op") != "imprint":
        return False
    return before.imprinted(told, cause.body.get("source"))


def _no_root(before: Antecedents, entry: Entry) -> str | None:
    """Why a text does not restate the first telling of a belief in words."""
    name = entry.body.get("restates")
    told = None if name is None else before.told(entry, name)
    if told is None or ("claim" not in entry.body and _is_root(told)):
        return None
    return f"it restates {shorten(name)}, and one of them has a claim, or restates another"


def _no_words(before: Antecedents, entry: Entry, telling: Entry) -> str | None:
    """Why a telling does not say the same as others that it names so: one of two has a claim, the other words."""
    if says_nothing(telling.body):
        return None
    for name in entry.body.get("attests", ()):
        told = before.told(entry, name)
        if told is None or told.seq == telling.seq:
            return f"it attests {shorten(name)}, which is no other statement before it"
        if not says_nothing(told.body) and ("claim" in told.body) == ("claim" in telling.body):
            return f"it attests {shorten(name)}, and not just one of them has a claim"
    return None


def _not_joined(before: Antecedents, entry: Entry, told: Entry) -> str | None:
    """Why a decision does not make a text one more telling of a belief in words."""
    name = entry.body["restates"]
    root = before.told(entry, name)
    apart = root is None or not set(tokens_touched(root)).issubset(tokens_touched(told))
    if root is None or apart or root.seq == told.seq or entry.body["state"] != "admitted":
        return f"it restates {shorten(name)}, which the statement does not touch"
    if "claim" in told.body or not _is_root(root):
        return f"it restates {shorten(name)}, and one of them has a claim, or restates another"
    return None


def _is_root(told: Entry) -> bool:
    """Whether a statement is the first of a belief in words; what was held may have restated none in the end."""
    restating = "restates" in told.body and told.body["state"] == "admitted"
    return "claim" not in told.body and not restating


def _no_descriptor(before: Antecedents, entry: Entry) -> str | None:
    """Why what says that it describes an artefact does not."""
    body = entry.body
    if "artefact" not in body:
        return None
    version = before.journal.entry(body["cause"]) if "cause" in body else None
    if version is None or version.body.get("artefact") != body["artefact"]:
        return f"it is because of no version of {shorten(body['artefact'])}"
    same = version.body.get("because") == body.get("because")
    return None if same else "it does not rest on what its artefact rests on"
