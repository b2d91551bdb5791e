"""Make `statements.jsonl`: what successive releases of the time-zone database said, as beliefs.

Each release is compared with what is held so far. A segment it still has is left alone; a new one
is told; one it no longer has as stated is superseded:

- `temporal_change` when the offset was already running, held up to a moment that lay ahead when it
  was told, and then moved: the belief ends where its successor starts;
- `correction` in every other case (another past, a planned switch called off or put on another
  day): it never held as stated and is withdrawn whole.

All statements carry both ends of their interval, so none depends on what is told later, and after
each release the segments in force are exactly that release's segments. `--check` proves it with a
fold of its own, a dictionary of what is in force, and asks the probes of `probes.py`.

    python examples/timezones/make_statements.py [--wheels DIR] [--check]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from probes import ZONES, Offline, Segment, probes, releases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from probes import Probe, Release

HERE = Path(__file__).parent
STATEMENTS = HERE / "statements.jsonl"
Line = dict[str, Any]


class Held(NamedTuple):
    """A statement in force: what it says now, when it was told, whether a successor ended it."""

    id: str
    segment: Segment
    told: datetime
    ended: bool = False


def statements(told: Sequence[Release]) -> Iterator[Line]:
    """The lines of the file, in the order in which they are to be told."""
    held: dict[str, list[Held]] = {zone: [] for zone in ZONES}
    for release in told:
        for zone in ZONES:
            lines, held[zone] = _step(held[zone], zone, release)
            yield from lines


def _step(held: Sequence[Held], zone: str, release: Release) -> tuple[list[Line], list[Held]]:
    """What one release adds for one zone, and what is in force after it."""
    now = release.segments(zone)
    kept = [one for one in held if one.segment in now]
    gone = [one for one in held if one.segment not in now]
    cut = {one: rest for one in gone if (rest := _moved_on(one, now, release)) is not None}
    kept += [one._replace(segment=rest, ended=True) for one, rest in cut.items()]
    fresh = sorted(set(now) - {one.segment for one in kept})

    retires: dict[Segment, list[tuple[Held, str]]] = {segment: [] for segment in fresh}
    for one in gone:
        if one in cut:
            successor = next(segment for segment in fresh if segment.start == cut[one].end)
            retires[successor].append((one, "temporal_change"))
        else:
            retires[_heir(one.segment, fresh)].append((one, "correction"))

    lines = [_line(zone, segment, release, retires[segment]) for segment in fresh]
    added = [Held(_id(zone, segment, release), segment, release.at) for segment in fresh]
    return lines, kept + added


def _moved_on(one: Held, now: Iterable[Segment], release: Release) -> Segment | None:
    """What is left of a segment that came true and then ended early; None if it did not."""
    # A belief has one temporal successor: what was ended before can only have been ended wrongly.
    if one.ended or one.segment.start > release.at:
        return None
    for segment in now:
        same = (segment.start, segment.offset) == (one.segment.start, one.segment.offset)
        if same and one.told <= segment.end < one.segment.end:
            return segment
    return None


def _heir(old: Segment, fresh: Iterable[Segment]) -> Segment:
    """The new segment that takes the old one's place; a release leaves no gap, so there is one.

    The first that states the same offset: told before the old one goes, it would be taken for
    another telling of the same belief and go with it. Else the one that takes over most.
    """

    def shared(segment: Segment) -> timedelta:
        return min(old.end, segment.end) - max(old.start, segment.start)

    overlapping = [segment for segment in fresh if shared(segment) > timedelta(0)]
    restating = (segment for segment in overlapping if segment.offset == old.offset)
    return next(restating, None) or max(overlapping, key=shared)


def _line(
    zone: str, segment: Segment, release: Release, retires: Sequence[tuple[Held, str]]
) -> Line:
    line = {
        "id": _id(zone, segment, release),
        "claim": f'utc_offset("{zone}") = {segment.offset}',
        "valid_from": _text(segment.start),
        "valid_to": _text(segment.end),
        **_origin(release),
    }
    if retires:
        line["text"] = _because(retires, segment)
        line["resolves"] = [
            {"target": old.id, "action": "supersede", "reason": reason} for old, reason in retires
        ]
    return line


def _origin(release: Release) -> Line:
    return {
        "source": f"tzdata {release.version}",
        "episode": f"tzdata-{release.version}",
        "at": _text(release.at),
    }


def _because(retires: Sequence[tuple[Held, str]], new: Segment) -> str:
    moved = [
        f"{_clock(old.segment.offset)} held until {_text(new.start)}, "
        f"then the clocks moved to {_clock(new.offset)}."
        for old, reason in retires
        if reason == "temporal_change"
    ]
    never = [
        f"{_clock(old.segment.offset)} from {_text(old.segment.start)} to {_text(old.segment.end)}"
        for old, reason in retires
        if reason == "correction"
    ]
    return " ".join([*moved, *([f"Not as stated before: {'; '.join(never)}."] if never else [])])


def _id(zone: str, segment: Segment, release: Release) -> str:
    return f"{zone}:{segment.start.date()}:{release.version}"


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _clock(offset: int) -> str:
    hours, minutes = divmod(abs(offset) // 60, 60)
    return f"{'-' if offset < 0 else '+'}{hours:02d}:{minutes:02d}"


def check(lines: Sequence[Line], told: Sequence[Release], asked: Sequence[Probe]) -> int:
    """Fold the lines release by release and compare; the number of probes answered rightly.

    Raises `AssertionError` at the first difference.
    """
    force: dict[str, tuple[str, Segment]] = {}
    queue = list(lines)
    for index, release in enumerate(told):
        while queue and datetime.fromisoformat(queue[0]["at"]) <= release.at:
            _apply(force, queue.pop(0))
        want = {(zone, segment) for zone in ZONES for segment in release.segments(zone)}
        assert sorted(want) == sorted(force.values()), release.version
        later = told[index + 1].at if index + 1 < len(told) else datetime.max.replace(tzinfo=UTC)
        for probe in (probe for probe in asked if release.at <= probe.known_at < later):
            assert _answer(force, probe) == probe.expected, probe
    assert not queue, f"{len(queue)} lines come after the last release"
    return len(asked)


def _apply(force: dict[str, tuple[str, Segment]], line: Line) -> None:
    targets = {directive["target"] for directive in line.get("resolves", ())}
    for directive in line.get("resolves", ()):
        zone, old = force.pop(directive["target"])
        # Verbs act on all tellings of the same claim that overlap: there must be no others.
        for other, (place, segment) in force.items():
            same = (place, segment.offset) == (zone, old.offset) and other not in targets
            apart = segment.end <= old.start or old.end <= segment.start
            assert not same or apart, (line["id"], other)
        if directive["reason"] == "temporal_change":
            start = datetime.fromisoformat(line["valid_from"])
            assert old.start < start < old.end, line["id"]
            force[directive["target"]] = (zone, old._replace(end=start))
    if "claim" in line:
        term, _, value = line["claim"].rpartition(" = ")
        start, end = (datetime.fromisoformat(line[side]) for side in ("valid_from", "valid_to"))
        force[line["id"]] = (term.split('"')[1], Segment(start, end, int(value)))


def _answer(force: dict[str, tuple[str, Segment]], probe: Probe) -> int | None:
    values = [
        segment.offset
        for zone, segment in force.values()
        if zone == probe.zone and segment.start <= probe.valid_at < segment.end
    ]
    assert len(values) <= 1, probe
    return values[0] if values else None


def main() -> int:
    """Write the file, or check the one that is there."""
    parser = argparse.ArgumentParser(description="Statements of the time-zone database's releases.")
    parser.add_argument("--wheels", type=Path, help="keep the packages here (default: nowhere)")
    parser.add_argument("--check", action="store_true", help="check the file instead of writing it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as nowhere:
        try:
            told = releases(options.wheels or Path(nowhere))
        except Offline as error:
            print(f"offline: {error}", file=sys.stderr)
            return 1
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in statements(told))
        if not options.check:
            STATEMENTS.write_text(text, encoding="utf-8", newline="\n")
            print(f"{STATEMENTS.name}: {text.count(chr(10))} statements, {len(text)} bytes")
            return 0
        assert STATEMENTS.read_text(encoding="utf-8") == text, "the file is not what would be made"
        lines = [json.loads(line) for line in text.splitlines()]
        asked = probes(told, seed=0, n=20_000)
        print(f"{check(lines, told, asked)} probes over {len(told)} releases, 0 wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
