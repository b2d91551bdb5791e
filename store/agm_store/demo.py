"""The product shown on real input: four short stories, each told by calls that a user can make.

`tell_stories` runs them in order: a source that corrects itself (`_time_zones`), one question on
three days (`_three_days`), a remark about the past (`_back_when`), giving up a claim (`_giving_up`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agm_store.cli.output import say, table
from agm_store.forms import interval, said
from agm_store.ingest import ReplayClock, ingest
from agm_store.lines import numbered
from agm_store.opening import open_store, utc
from agm_store.times import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm import Term
    from agm_store.beliefs import BeliefStore
    from agm_store.ingest import IngestReceipt
    from agm_store.records import Side

_ME = "demo"


def tell_stories() -> None:
    """Tell the four stories on the output, in stores that are gone afterwards.

    Raises:
        FileNotFoundError: the examples are neither beside the source nor in the package.
    """
    say("agm holds beliefs, changes its mind by rule, and says what it believed, when, and why.")
    for number, scene in enumerate((_time_zones, _three_days, _back_when, _giving_up), start=1):
        say()
        scene(number)


def examples() -> Path:
    """The directory of the example files: in the source tree, else in the installed package.

    Raises:
        FileNotFoundError: neither is there.
    """
    here = Path(__file__).resolve().parent
    for place in (here.parents[1] / "examples", here / "examples"):
        if (place / "timezones" / "statements.jsonl").is_file():
            return place
    raise FileNotFoundError(
        f"the examples are neither in {here.parents[1]} nor in {here}; reinstall agm-beliefs"
    )


def _title(number: int, title: str) -> None:
    say(f"{number}. {title}")
    say("-" * (len(title) + 3))


def _replayed(name: str, vocabulary: str | None = None) -> tuple[BeliefStore, IngestReceipt]:
    """A store in memory into which an example was ingested, recorded times as in the file."""
    from agm.jsonform import loads_strict
    from agm.vocabulary import Vocabulary

    clock = ReplayClock()
    store = open_store(None, principal=_ME, replay=True, clock=clock)
    declared = Vocabulary()
    if vocabulary is not None:
        declared = Vocabulary.from_json(loads_strict((examples() / vocabulary).read_bytes()))
    with (examples() / name).open("rb") as stream:
        receipt = ingest(store, numbered(stream), vocabulary=declared, clock=clock)
    clock.moment = datetime.now(UTC)
    return store, receipt


def _releases(name: str) -> list[str]:
    """The recorded times of the sources in a file of statements, in order."""
    from agm.jsonform import loads_strict

    lines = (loads_strict(line) for line in (examples() / name).read_text("utf-8").splitlines())
    return sorted({line["source"]: line["at"] for line in lines}.values())


def _time_zones(number: int) -> None:
    from agm.claims import attr

    _title(number, "A source that corrects itself")
    store, told = _replayed("timezones/statements.jsonl", "timezones/vocabulary.json")
    sides = store.at(valid=utc(2024, 1, 1)).believed
    releases = _releases("timezones/statements.jsonl")
    say(
        f"{len(releases)} releases of the time-zone database, {releases[0][:4]} to {releases[-1][:4]}, "
        f"say how far {len(sides)} zones are from UTC."
    )
    say(
        f"Told {told.told} statements: {told.superseded} earlier ones were superseded, {len(told.refused)} refused."
    )
    say()
    say("How far was Beirut from UTC? It depends on the day, and on when you asked:")
    say()
    offset = attr("Asia/Beirut", "utc_offset")
    days = (utc(2023, 3, 20), utc(2023, 4, 1), utc(2023, 5, 1))
    asked = (utc(2023, 3, 23), utc(2023, 3, 25), utc(2023, 3, 30))
    rows = [
        [
            f"as known on {_day(k)}",
            *(_offset(store.at(valid=v, known=k).ask(offset).value) for v in days),
        ]
        for k in asked
    ]
    table(rows, head=["", *map(_day, days)], indent="  ")
    for before, after in pairwise(asked):
        _turn(store, offset, utc(2023, 4, 1), before, after)
    say()
    say("Nothing was overwritten: each row above is an answer that the store still gives today.")


def _turn(
    store: BeliefStore, term: Term[Any], valid: datetime, before: datetime, after: datetime
) -> None:
    """What made the answer for one day change between two days of asking, in the words of the release."""
    old = store.at(valid=valid, known=before).ask(term).sides[0]
    world = store.at(valid=valid, known=after)
    new = world.ask(term).sides[0]
    gone, reason = world.standing(old.belief), world.why(old.belief).reason
    say()
    say(f"  {_day(new.recorded_at)}: {new.source} says {_offset(new.value)} for {_day(valid)}.")
    if reason == "correction":
        plan = f"{_offset(old.value)} from {_day(old.valid_from)} on"
        say(f"    Summer time had been put off to April. So the plan on record, {plan}")
        say(f"    ({old.source}), never came true: a correction.")
    else:
        assert reason == "temporal_change"
        rule, ended = f"{_offset(old.value)} until {_day(old.valid_to)}", _day(gone.valid_to)
        say(f"    The delay had been called off. So what was on record, {rule}")
        say(f"    ({old.source}), was true for a while and ended on {ended}, before {_day(valid)}:")
        say("    a temporal change.")


def _offset(seconds: object) -> str:
    assert isinstance(seconds, int)
    sign = "-" if seconds < 0 else "+"
    return f"{sign}{abs(seconds) // 3600:02}:{abs(seconds) % 3600 // 60:02}"


def _day(moment: datetime | None) -> str:
    assert moment is not None
    return f"{moment.day} {moment:%B %Y}"


def _three_days(number: int) -> None:
    from agm.syntax import parse_term

    _title(number, "One question on three days")
    store, _ = _replayed("tokens.jsonl")
    say("Checkout started in staging with 100k tokens a run. The budget was raised on 12 February;")
    say("on Monday, 11 March, somebody said that production had begun on Saturday evening.")
    say()
    terms = [
        parse_term(f"{name}(checkout)") for name in ("token_budget", "deployment_target", "owner")
    ]
    days = (utc(2024, 2, 1), utc(2024, 3, 1), utc(2024, 3, 20))
    table(
        [[f"as of {_day(d)}", *(str(store.as_of(d).ask(t).value) for t in terms)] for d in days],
        head=["", "token budget", "target", "owner"],
        indent="  ",
    )
    say()
    sunday = utc(2024, 3, 10, 12)
    then = store.as_of(sunday).ask(terms[1]).value
    now = store.at(valid=sunday).ask(terms[1]).value
    say(f"On Sunday, 10 March, the store believed {then}. Today it knows that it was {now}.")


def _back_when(number: int) -> None:
    from agm.syntax import parse, parse_term

    _title(number, "Back when it was 300")
    store, _ = _replayed("ttl.jsonl")
    ttl = parse_term("ttl(cache)")
    say("The TTL of the cache went from 300 s to 600 s to 900 s. Then somebody says in a chat:")
    remark = store.history("ttl-1")[-1]
    say(f'  "{remark.text}"')
    say(
        f"That is a remark about the past: {remark.status}, not believed. The TTL is {store.ask(ttl).value}."
    )
    say()
    _sides(store.timeline(ttl))
    say()
    receipt = store.tell(parse("ttl(cache) = 300 s"), text="The TTL is 300 s.", source="chat")
    review = store.inbox()[0]
    say(
        f'A plain "The TTL is 300 s." is {receipt.status}, for it may be the same memory. The inbox asks:'
    )
    say(f"  new      {said(review.new)} ({review.new.source})")
    if review.old is not None:
        say(f"  against  {said(review.old)} ({review.old.source}, {_since(review.old)})")
    say(f"  options  {' | '.join(review.options)}")
    say(f"Until a person decides, the TTL stays {store.ask(ttl).value}.")


def _giving_up(number: int) -> None:
    from agm.syntax import parse

    _title(number, "Giving up a claim, with a certificate")
    store = open_store(None, principal=_ME)
    fact = store.tell(
        parse('target(checkout) = "staging"'), entrenchment="documented", source="kick-off notes"
    )
    rule = store.tell(
        parse('target(checkout) = "staging" -> budget(checkout) <= 100000'), source="policy"
    )
    bound = parse("budget(checkout) <= 100000")
    for belief in (fact.belief, rule.belief):
        side = store.at().standing(belief)
        say(f"  {side.belief}  {side.entrenchment:<10}  {said(side)}")
    say(f"Together they entail {bound}: {_yes(store.entails(bound))}.")
    receipt = store.contract(bound, note="nobody remembers why it was set")
    say("Nobody remembers why that limit was set, so it must not follow any more.")
    say(f"The store contracts by {bound}:")
    for loss in receipt.retired:
        say(f"  given up     {loss.belief.id}  {loss.belief.claim}  ({loss.belief.entrenchment})")
        for kept in loss.kernel:
            say(f"  certificate  {kept.id}  {kept.claim}  ({kept.entrenchment})")
    say("The certificate says why: it is kept, no weaker, and with the loss it entails the claim.")
    say(f"Does it still follow? {_yes(store.entails(bound)).capitalize()}.")
    store.revert(receipt.entry, note="found the minutes that set the limit")
    say("Later the minutes of the meeting that set the limit are found. One revert brings back")
    say(
        f"what was given up. Does the limit follow again? {_yes(store.entails(bound)).capitalize()}."
    )


def _yes(answer: bool) -> str:  # noqa: FBT001  the answer is what is put into words
    return "yes" if answer else "no"


def _sides(sides: Sequence[Side]) -> None:
    rows = [[str(s.value), interval(s.valid_from, s.valid_to), s.source or ""] for s in sides]
    table(rows, indent="  ")


def _since(side: Side) -> str:
    return f"since {spoken(side.valid_from)}"
