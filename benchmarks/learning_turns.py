"""Turns of a conversation that a model misreads in recurring ways, and a scripted model that does.

A turn speaks of one attribute of one entity.  Most say what is so now; some are traps, in which a value
is named that is not so: of the past, of a plan, of another place, and so on.  A *pattern* is a way of
misleading together with an attribute, 48 of them.  Each way has eight wordings, each attribute four words, turns
carry chatter before and after, names are drawn anew for each world.  `Scripted` falls into every trap
unless one of the lines it is shown is of the same pattern, and then still three times in ten.  The library is
given texts and claims, never a pattern.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agm import attr
from agm.directives import Extraction, Fact, Resolves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from agm import Claim
    from agm.directives import Shown

HEEDS = 0.7
"""How often an example of the same pattern is heeded."""
TRAPS = 0.3
"""The share of turns that are traps."""

ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "ttl": ("TTL", "cache lifetime", "expiry time", "time to live"),
    "region": ("region", "data centre", "availability zone", "hosting location"),
    "owner": ("owner", "team in charge", "maintainer", "on-call team"),
    "replicas": ("replica count", "number of instances", "pod count", "number of copies"),
    "database": ("database", "datastore", "storage engine", "DB backend"),
    "budget": ("budget", "spending cap", "monthly allowance", "cost ceiling"),
}
NUMBERS = ("ttl", "replicas", "budget")
WORDS = {
    "region": ("frankfurt", "dublin", "oregon", "ohio", "tokyo", "sydney", "mumbai", "paris"),
    "owner": ("falcon", "heron", "osprey", "puffin", "kestrel", "magpie", "wren", "lapwing"),
    "database": ("postgres", "mysql", "cassandra", "mongo", "sqlite", "redis", "oracle", "dynamo"),
}

WAYS: dict[str, tuple[str, ...]] = {
    "historical": (
        "Back when the {n} of {e} was {v} we had fewer alerts",
        "The {n} for {e} used to be {v} in the old days",
        "I remember {e} from the time its {n} was still {v}",
        "Before the migration {e} had {v} as its {n}",
        "In the early days the {n} of {e} was {v}",
        "Last year {e} still had a {n} of {v}, those were the days",
        "{e} once had {v} for its {n}, long ago",
        "When I joined, the {n} on {e} was {v}",
    ),
    "hypothetical": (
        "If the {n} of {e} were {v} we would have a problem",
        "Suppose {e} had {v} as its {n}, would that break anything",
        "What if we had set the {n} on {e} to {v} instead",
        "Imagine the {n} of {e} being {v}, that would be something",
        "With a {n} of {v}, {e} would hardly cope",
        "{e} could have {v} as its {n} if we wanted",
        "Assuming {v} for the {n} of {e}, the numbers would look better",
        "Were {e} to get a {n} of {v}, finance would complain",
    ),
    "question": (
        "Is the {n} of {e} {v}?",
        "Does {e} have {v} as its {n}? I could not tell from the dashboard",
        "Did somebody set the {n} on {e} to {v}?",
        "Can anyone confirm that {e} has a {n} of {v}?",
        "Wasn't the {n} for {e} {v}?",
        "Do we know whether the {n} of {e} is {v}?",
        "Who told them that {e} has {v} for its {n}?",
        "So the {n} on {e} is {v}, or is it?",
    ),
    "plan": (
        "Next quarter the {n} of {e} will be {v}",
        "We plan to give {e} a {n} of {v} after the freeze",
        "From next month on {e} is going to have {v} as its {n}",
        "The roadmap says that {e} will get {v} for its {n}",
        "There is a plan to set the {n} on {e} to {v}",
        "Eventually the {n} for {e} should become {v}",
        "Once the contract is signed the {n} of {e} will move to {v}",
        "The proposal is to have {v} as the {n} of {e} by spring",
    ),
    "reported": (
        "The vendor claims that the {n} of {e} is {v}",
        "According to the old wiki {e} has {v} as its {n}",
        "Someone in the hallway said the {n} on {e} is {v}",
        "I heard a rumour that {e} has a {n} of {v}",
        "The customer believes that the {n} for {e} is {v}",
        "Their slides say {e} has {v} for its {n}",
        "The wiki claims {v} as the {n} of {e}, for what it is worth",
        "Rumour has it that the {n} of {e} is {v}",
    ),
    "rejected": (
        "We decided against {v} as the {n} of {e}",
        "The change of the {n} on {e} to {v} was turned down",
        "Nobody is going to set the {n} of {e} to {v}, that was rejected",
        "The request for a {n} of {v} on {e} was declined",
        "{e} did not get {v} as its {n} in the end",
        "They voted down {v} for the {n} of {e}",
        "No, the {n} for {e} was not set to {v}, we decided not to",
        "The idea of {v} as the {n} on {e} was dropped",
    ),
    "elsewhere": (
        "On staging the {n} of {e} is {v}",
        "In the test environment {e} has {v} as its {n}",
        "The sandbox copy of {e} runs with a {n} of {v}",
        "On my laptop {e} has {v} for its {n}",
        "The demo environment has the {n} of {e} at {v}",
        "In the load test the {n} on {e} is {v}",
        "Our staging copy of {e} uses {v} as the {n}",
        "The training sandbox shows {v} for the {n} of {e}",
    ),
    "bound": (
        "The {n} of {e} must never be anything like {v}, says the policy",
        "The policy allows at most {v} for the {n} of {e}",
        "The upper limit for the {n} on {e} is {v}",
        "For {e} the highest {n} that is allowed is {v}",
        "{v} is the worst case for the {n} of {e}",
        "Up to {v} is allowed as the {n} for {e}",
        "The limit says that {e} may have {v} as its {n} at most",
        "The default in the policy for the {n} of {e} is {v}, unless overridden",
    ),
}
PLAIN = (
    "The {n} of {e} is {v} now",
    "We changed the {n} on {e} to {v} this morning",
    "As of today {e} has {v} as its {n}",
    "{e} has moved to a {n} of {v}",
    "Done: the {n} for {e} was set to {v}",
    "The {n} of {e} has been switched to {v}, it is live",
    "Please note that {e} has a {n} of {v} from now on",
    "I just set {v} as the {n} of {e}",
)
CHATTER = (
    "Good morning everybody.", "Sorry, I was late to the call.", "If there is time, let us go on.",
    "Thanks for the notes from last week.", "I will be out next Friday.", "Did you see the match?",
    "The build was green again.", "According to the calendar we have ten minutes.",
    "That was quick, thanks.", "We should write this down.", "Anyway, back to the agenda.",
    "The coffee machine on the third floor is broken.", "I would say we are on track.",
    "Somebody please mute.", "No news from legal.", "The dashboard was slow again yesterday.",
    "Let me share my screen.", "Who takes the minutes?", "I heard the office is closed on Monday.",
    "Ping me if anything is unclear.", "The test suite runs in four minutes.", "We plan a retro soon.",
    "Not much else to tell.", "Could you move the meeting?", "The policy team joins later.",
)  # fmt: skip
_SYLLABLES = (
    "lu",
    "men",
    "or",
    "ion",
    "ka",
    "ri",
    "ve",
    "sta",
    "no",
    "qua",
    "tri",
    "bel",
    "dor",
    "fi",
)


class Pattern(NamedTuple):
    """What makes two traps alike; the library is never told."""

    way: str
    attribute: str


PATTERNS = tuple(Pattern(way, attribute) for way in WAYS for attribute in ATTRIBUTES)


class Turn(NamedTuple):
    """What somebody says, of which slot, the value it names, and the trap in it, if any."""

    text: str
    entity: str
    attribute: str
    value: int | str
    pattern: Pattern | None

    @property
    def claim(self) -> Claim:
        """What a reader who is misled takes from it, or who reads a plain turn."""
        return claim_of(self.entity, self.attribute, self.value)


class World:
    """Entities with made-up names, and turns about them in any number."""

    def __init__(self, random: Random, *, entities: int = 25, names: Sequence[str] = ()) -> None:
        self._random = random
        found = dict.fromkeys(names)
        while len(found) < entities:
            name = "".join(random.choices(_SYLLABLES, k=random.randint(2, 4)))
            found.setdefault(
                name + random.choice(("", "", "-api", "-svc", f"-{random.randint(2, 9)}"))
            )
        self.entities = tuple(found)

    def value(self, attribute: str) -> int | str:
        """Some value of an attribute."""
        if attribute in NUMBERS:
            return self._random.randint(2, 999)
        return self._random.choice(WORDS[attribute])

    def turn(self, *, traps: float = TRAPS) -> Turn:
        """One more turn; so many of all are traps."""
        random = self._random
        pattern = random.choice(PATTERNS) if random.random() < traps else None
        attribute = random.choice(sorted(ATTRIBUTES)) if pattern is None else pattern.attribute
        entity, value = random.choice(self.entities), self.value(attribute)
        frame = random.choice(PLAIN if pattern is None else WAYS[pattern.way])
        said = frame.format(n=random.choice(ATTRIBUTES[attribute]), e=entity, v=value)
        said = said[0].upper() + said[1:] + ("" if said.endswith("?") else ".")
        before = random.choice(CHATTER) if random.random() < 0.5 else ""
        after = random.choice(CHATTER) if random.random() < 0.5 else ""
        return Turn(
            " ".join(filter(None, (before, said, after))), entity, attribute, value, pattern
        )


def claim_of(entity: str, attribute: str, value: int | str) -> Claim:
    """That an attribute of an entity has a value."""
    return attr(entity, attribute) == value


class Scripted:
    """A model that falls into each trap unless it is shown, and heeds, an example of the same pattern."""

    def __init__(self, random: Random, patterns: Mapping[str, Pattern]) -> None:
        self._random = random
        self._patterns = patterns
        """The pattern of each text that was a trap; a line shows an example when it quotes its text."""

    def extract(
        self, turn: Turn, *, shown: Shown, believed: bool, mistakes: Sequence[str] = ()
    ) -> Extraction:
        """What it reads in a turn; the first belief of the list is what it would replace."""
        if turn.pattern is not None and self._warned(turn.pattern, mistakes):
            return Extraction(shown=shown)
        aims = [Resolves(session_index=0, action="supersede", reason="temporal_change")]
        sure = self._random.choice((0.75, 0.8, 0.85, 0.9, 0.9, 0.95))
        fact = Fact(
            text=turn.text, claim=turn.claim, confidence=sure, resolves=aims if believed else ()
        )
        return Extraction(shown=shown, facts=[fact])

    def _warned(self, pattern: Pattern, mistakes: Sequence[str]) -> bool:
        shown = any(found == pattern for line in mistakes for found in self.patterns_in(line))
        return shown and self._random.random() < HEEDS

    def patterns_in(self, line: str) -> list[Pattern]:
        """The patterns of the traps that a line quotes."""
        return [pattern for text, pattern in self._patterns.items() if text in line]
