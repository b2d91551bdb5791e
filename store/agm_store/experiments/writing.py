"""A conversation in the making: what is said, what it means, and what is so after it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from agm_store.experiments.conversations import Label, Question, Target, Turn
from agm_store.experiments.phrases import ASKED, CHATTER, ENTITIES, PAST, SAID, VALUES
from agm_store.opening import utc

if TYPE_CHECKING:
    from datetime import datetime
    from random import Random

    from agm.directives import Reason
    from agm_store.experiments.conversations import Meaning, Speaker

    Slot = tuple[str, str]

START = utc(2025, 1, 6, 9)


class Writer:
    """A conversation in the making, and what is so in it; the slot asked for is ``slot``."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        self.now = START
        self.turns: list[Turn] = []
        self.meant: list[Meaning] = []
        self.questions: list[Question] = []
        self.right: list[str] = []
        self.stretches: dict[Slot, list[tuple[datetime, str]]] = {}
        """Since when each slot had which value, the current one last."""
        slots = [(e, a) for e in ENTITIES for a in VALUES]
        self.slot, *self.others = draw.sample(slots, 5)

    def filler(self, least: int, most: int) -> None:
        """Turns about something else."""
        for _ in range(self.draw.randint(least, most)):
            if self.draw.random() < 0.5:
                self._turn("chatter", self.draw.choice(CHATTER), ())
                continue
            slot = self.draw.choice(self.others)
            if slot not in self.stretches:
                self.told(slot)
            elif self.draw.random() < 0.5 and self._unsaid(slot):
                self.update(slot)
            else:
                self.mention(slot)

    def told(self, slot: Slot | None = None) -> None:
        """The first value of a slot."""
        self._new("told", "told", slot or self.slot)

    def update(self, slot: Slot | None = None) -> None:
        """A value that the slot never had."""
        self._new("update", "update", slot or self.slot, reason="temporal_change")

    def correction(self) -> None:
        """The current value never was right."""
        self._new("correction", "correction", self.slot, reason="correction")

    def back(self) -> None:
        """A former value of the slot is its value again."""
        former = self.former()
        self._new("back", "back", self.slot, reason="temporal_change", value=former[1])

    def mention(self, slot: Slot | None = None) -> None:
        """The current value in other words."""
        slot = slot or self.slot
        self._say("mention", "mention", slot, self.stretches[slot][-1][1])

    def reference(self) -> None:
        """A word about a former value: worded, dated or bare."""
        since, value = self.former()
        way = self.draw.choice(("worded", "dated", "bare"))
        start = since if way == "dated" else None
        self._say("reference", way, self.slot, value, mode="historical", valid_from=start)

    def override(self) -> None:
        """A guest names another value in passing."""
        self._say("override", "override", self.slot, self._fresh(self.slot), speaker="guest")

    def late(self) -> None:
        """A stretch before the current one that nobody told; it is put where it belongs."""
        stretches = self.stretches[self.slot]
        begun = stretches[-1][0]
        since = begun - (begun - stretches[-2][0]) / 2
        value = self._fresh(self.slot)
        stretches.insert(-1, (since, value))
        self._say("late", "late", self.slot, value, valid_from=since)

    def former(self) -> tuple[datetime, str]:
        """A stretch of a value that is not the current one."""
        *past, (_, current) = self.stretches[self.slot]
        return self.draw.choice([s for s in past if s[1] != current])

    def ask(self) -> None:
        """Ask for the slot now."""
        entity, attribute = self.slot
        self.now += timedelta(hours=1)
        text = ASKED.format(e=entity, a=attribute)
        asked = Question(
            at=self.now, after=len(self.turns), entity=entity, attribute=attribute, text=text
        )
        self.questions.append(asked)
        self.right.append(self.stretches[self.slot][-1][1])

    def _new(
        self,
        meaning: Meaning,
        way: str,
        slot: Slot,
        *,
        reason: Reason | None = None,
        value: str = "",
    ) -> None:
        """Give a slot another value; a correction takes the place of the one before."""
        value = value or self._fresh(slot)
        stretches = self.stretches.setdefault(slot, [])
        target = Target(*slot, stretches[-1][1]) if stretches else None
        self._say(meaning, way, slot, value, target=target, reason=reason)
        since = stretches.pop()[0] if reason == "correction" else self.now
        stretches.append((since, value))

    def _fresh(self, slot: Slot) -> str:
        return self.draw.choice(self._unsaid(slot))

    def _unsaid(self, slot: Slot) -> list[str]:
        """The values that nobody named for a slot yet."""
        said = {x.value for turn in self.turns for x in turn.labels if x.slot == slot}
        return [v for v in VALUES[slot[1]] if v not in said]

    def _say(
        self,
        meaning: Meaning,
        way: str,
        slot: Slot,
        value: str,
        *,
        speaker: Speaker = "owner",
        **said: Any,  # noqa: ANN401  the other fields of a label
    ) -> None:
        label = Label(
            entity=slot[0],
            attribute=slot[1],
            value=value,
            confidence=round(self.draw.uniform(0.75, 1), 2),
            cue=way in PAST,
            **said,
        )
        words = {"e": slot[0], "a": slot[1], "v": value}
        words["d"] = f"{label.valid_from:%d %B}" if label.valid_from else ""
        words["o"] = label.target.value if label.target else ""
        text = self.draw.choice(SAID[way]).format(**words)
        self._turn(meaning, text[0].upper() + text[1:], (label,), speaker)

    def _turn(
        self, meaning: Meaning, text: str, labels: tuple[Label, ...], speaker: Speaker = "owner"
    ) -> None:
        self.now += timedelta(hours=self.draw.randint(6, 72))
        self.turns.append(Turn(at=self.now, speaker=speaker, text=text, labels=labels))
        self.meant.append(meaning)
