"""A store with secrets of others, redacted words and markup in every field, for whatever shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm import attr, prop, relation
from agm_store import open_store
from tests.strategies.stores import Clock, day

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "canary-5f1d"
GONE = "canary-77aa"
BAD = "<script>alert(1)</script><img src=x onerror=alert(2)>"
TURNED = "\u202egnp.exe\u2066"
JUMP = "javascript:alert(3)"


def planted(path: Path) -> dict[str, str]:
    """A store of anna's, with a secret of bob's, what bob shares or shared, what anna redacted, and markup all over."""
    clock = Clock()
    with open_store(path, principal="anna", clock=clock) as anna:
        bob = anna.acting_as("bob")
        ids = {}
        ttl = attr("cache", "ttl", of=int)
        ids["ttl"] = str(anna.tell(ttl == 300, valid_from=day(0), source="handbook").belief)
        clock.on(2)
        ids["newer"] = str(anna.update(ids["ttl"], ttl == 600, at=day(1)).belief)
        anna.tell(attr("a", "b") == 1, entrenchment="untrusted", source="blog")
        over = anna.tell(attr("door", "open") == "yes").belief
        anna.retract(over, note="a guess")
        gone = anna.tell(attr("anna", "pin") == GONE, text=f"it is {GONE}", citation=GONE).belief
        anna.correct(gone, attr("anna", "pin") == "new")
        other = anna.tell(prop("seen")).belief
        anna.retract(other, note=f"because of {GONE}")
        anna.redact(gone)
        for number, words in enumerate((BAD, TURNED, f"{JUMP} {'long ' * 200}")):
            anna.tell(
                relation("says", "x", words), text=words, source=words, episode=words, statement=f"m{number} {words}"
                if number == 0 else None,
            )  # fmt: skip
        anna.tell(text=JUMP, source=JUMP)
        anna.tell(text="http://127.0.0.1:1/<b>", source='http://x.example/"onmouseover="alert(4)')
        anna.tell(attr("y", "held") == BAD, entrenchment="untrusted", source=BAD)
        secret = bob.tell(attr("bob", "pin") == CANARY, source=f"source {CANARY}").belief
        shown = bob.tell(attr("bob", "desk") == 12, source="bob's note", because=[secret]).belief
        ids["shared"] = f"bob/{bob.share(shown, with_='anna').belief}"
        ids["desk"] = str(shown)
        past = bob.tell(attr("bob", "room") == f"{CANARY} room", valid_from=day(0)).belief
        bob.share(past, with_="anna")
        bob.unshare(past, with_="anna")
        bob.retract(bob.tell(prop(f"p{CANARY[-4:]}")).belief, note=CANARY)
        for number in range(7):
            bob.tell(attr("bob", f"n{number}") == f"{CANARY} {number}")
        bob.constrain((attr("bob", "limit") == CANARY) >> prop("never"))
    return ids
