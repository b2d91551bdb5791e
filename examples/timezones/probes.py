"""What the releases of the time-zone database say, and questions with known answers about them.

Read in this order: `releases` (the packages, from the index or a directory), `Release` (one of
them), `probes` (the questions). The expected answer of a probe comes from `zoneinfo` over the data
of the very release that was current at the probe's recorded time; the statements file plays no
part in it. Binary format of the zone files: RFC 8536.

The module stands alone and needs only the standard library and the ordinary `pip` client.
"""

from __future__ import annotations

import importlib.util
import io
import random
import shutil
import struct
import subprocess
import sys
import zipfile
from bisect import bisect_right
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# Pinned, so that the statements file can be made again byte for byte.
VERSIONS = tuple(
    """
    2020.1 2020.4 2020.5 2021.1 2021.5 2022.1 2022.2 2022.5 2022.7
    2023.1 2023.2 2023.3 2024.1 2025.1 2025.2 2026.2 2026.4 2026.6
    """.split()  # noqa: SIM905 - a list of this length reads better as a text
)
WINDOW = (datetime(2015, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))
# First those of which some release changed its mind, then those on which all agree.
ZONES = tuple(
    """
    Africa/Cairo Africa/Casablanca Africa/El_Aaiun Africa/Juba America/Asuncion
    America/Bahia_Banderas America/Chihuahua America/Ciudad_Juarez America/Coyhaique
    America/Edmonton America/Godthab America/Havana America/Inuvik America/Mazatlan
    America/Merida America/Mexico_City America/Monterrey America/Nuuk America/Ojinaga
    America/Santiago America/Scoresbysund America/Vancouver America/Winnipeg
    Antarctica/Casey Antarctica/Macquarie Antarctica/Vostok Asia/Almaty Asia/Amman
    Asia/Beirut Asia/Damascus Asia/Gaza Asia/Hebron Asia/Qostanay Asia/Tehran
    Europe/Chisinau Europe/Kyiv Europe/Volgograd Pacific/Apia Pacific/Easter
    Pacific/Fiji Pacific/Kanton

    Africa/Nairobi America/Los_Angeles America/New_York America/Sao_Paulo
    America/St_Johns America/Whitehorse Antarctica/Troll Asia/Kathmandu Asia/Kolkata
    Asia/Pyongyang Asia/Tokyo Australia/Lord_Howe Australia/Sydney Europe/Dublin
    Europe/Istanbul Europe/London Europe/Moscow Europe/Paris Pacific/Chatham
    Pacific/Kiritimati Pacific/Norfolk
    """.split()  # noqa: SIM905 - a list of this length reads better as a text
)

_SECOND = timedelta(seconds=1)
_DAY = timedelta(days=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HEADER = struct.Struct(">4sc15x6l")


class Offline(RuntimeError):
    """Raised when a release is neither in the directory nor to be had from the package index."""


class Segment(NamedTuple):
    """A longest interval `[start, end)` of one UTC offset, `offset` in seconds east of UTC."""

    start: datetime
    end: datetime
    offset: int


class Probe(NamedTuple):
    """One question and its answer: the offset in seconds, None where the release has no zone."""

    zone: str
    valid_at: datetime
    known_at: datetime
    expected: int | None
    version: str


class Release:
    """One release of the package `tzdata`, read from its wheel."""

    def __init__(self, wheel: Path) -> None:
        self.version = wheel.name.split("-")[1]
        self._files = zipfile.ZipFile(wheel)
        # The time of the build, which the wheel itself carries; the build machines run on UTC.
        built = self._files.getinfo("tzdata/__init__.py").date_time
        self.at = datetime(*built, tzinfo=UTC)
        self._names = frozenset(self._files.read("tzdata/zones").decode().split())

    @cache  # noqa: B019 - the releases live as long as the program
    def zone(self, name: str) -> ZoneInfo | None:
        """The zone as this release has it, None where it does not know the name."""
        if name not in self._names:
            return None
        return ZoneInfo.from_file(io.BytesIO(self._data(name)), key=name)

    def offset(self, name: str, moment: datetime) -> int | None:
        """The UTC offset in seconds at an instant, by `zoneinfo`."""
        zone = self.zone(name)
        return None if zone is None else _offset(zone, moment)

    @cache  # noqa: B019 - the releases live as long as the program
    def segments(self, name: str) -> tuple[Segment, ...]:
        """The zone's segments over the window, cut at its two ends; none for an unknown name."""
        zone = self.zone(name)
        if zone is None:
            return ()
        start, end = WINDOW
        marks = [start, *self._changes(name), end]
        runs: list[Segment] = []
        for here, there in pairwise(marks):
            offset = _offset(zone, here)
            if runs and runs[-1].offset == offset:
                runs[-1] = runs[-1]._replace(end=there)
            else:
                runs.append(Segment(here, there, offset))
        return tuple(runs)

    def _changes(self, name: str) -> Iterator[datetime]:
        """The instants inside the window at which the zone's rules change, in order."""
        zone = self.zone(name)
        start, end = WINDOW
        table = _transitions(self._data(name))
        yield from (moment for moment in table if start < moment < end)
        # A zone file may stop at its last odd change and leave the rest to a yearly rule.
        here = max(start, table[-1]) if table else start
        if zone is not None:
            yield from _changes_by_day(zone, here, end)

    def _data(self, name: str) -> bytes:
        return self._files.read(f"tzdata/zoneinfo/{name}")


def releases(directory: Path, *, versions: Sequence[str] = VERSIONS) -> tuple[Release, ...]:
    """The releases, oldest first; wheels missing from the directory are downloaded into it.

    Raises `Offline` when one of them cannot be had.
    """
    directory.mkdir(parents=True, exist_ok=True)
    found = [Release(_wheel(directory, version)) for version in versions]
    return tuple(sorted(found, key=lambda release: release.at))


def probes(told: Sequence[Release], *, seed: int, n: int) -> tuple[Probe, ...]:
    """At least `n` probes: one second around every transition of every release, then anywhere.

    A transition on which all releases agree is asked of one of them, any other of each. Recorded
    times lie between a release (included) and the next (excluded); the first few precede them all.
    """
    draw = random.Random(seed)  # noqa: S311 - a repeatable sample, no secret
    asked = list(_before_all(told[0], draw))
    for zone in ZONES:
        for moment, agreed in _switches(told, zone):
            chosen = [draw.randrange(len(told))] if agreed else range(len(told))
            steps = [(index, step) for index in chosen for step in (-1, 0, 1)]
            asked += [_probe(told, i, zone, moment + s * _SECOND, draw) for i, s in steps]
    start, end = WINDOW
    span = (end - start) // _SECOND
    while len(asked) < n:
        index, zone = draw.randrange(len(told)), draw.choice(ZONES)
        asked.append(_probe(told, index, zone, start + draw.randrange(span) * _SECOND, draw))
    return tuple(asked)


def _switches(told: Sequence[Release], zone: str) -> list[tuple[datetime, bool]]:
    """Each instant at which some release has the zone switch, and whether all of them do."""
    starts = [segment.start for release in told for segment in release.segments(zone)[1:]]
    return [(moment, count == len(told)) for moment, count in sorted(Counter(starts).items())]


def _probe(
    told: Sequence[Release], index: int, zone: str, valid_at: datetime, draw: random.Random
) -> Probe:
    release = told[index]
    known_at = release.at
    if index + 1 < len(told):
        gap = (told[index + 1].at - release.at) // _SECOND
        known_at += draw.choice((0, draw.randrange(gap), gap - 1)) * _SECOND
    return Probe(zone, valid_at, known_at, release.offset(zone, valid_at), release.version)


def _before_all(first: Release, draw: random.Random) -> Iterator[Probe]:
    for zone in draw.sample(ZONES, 10):
        yield Probe(zone, WINDOW[0] + _DAY, first.at - _SECOND, None, "")


def _offset(zone: ZoneInfo, moment: datetime) -> int:
    offset = moment.astimezone(zone).utcoffset()
    if offset is None:
        raise AssertionError(f"zoneinfo gave no offset for {zone} at {moment}")
    return int(offset / _SECOND)


def _changes_by_day(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    here, before = start, _offset(zone, start)
    while here < end:
        there = min(here + _DAY, end)
        after = _offset(zone, there)
        if after != before:
            yield _first_change(zone, here, there)
        here, before = there, after


def _first_change(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    """The first second at which the offset is no longer that of `low`; `high` has another one."""
    seconds = range((high - low) // _SECOND + 1)
    before = _offset(zone, low)
    return low + _SECOND * bisect_right(
        seconds, 0, key=lambda step: int(_offset(zone, low + step * _SECOND) != before)
    )


def _transitions(data: bytes) -> tuple[datetime, ...]:
    """The transition times that a zone file lists, in order (RFC 8536 §3)."""
    _, version, *counts = _HEADER.unpack_from(data)
    if version < b"2":
        raise ValueError(f"zone file of version {version!r}: only versions 2 and later are read")
    utc, standard, leaps, times, types, letters = counts
    # The first block holds 32-bit times for old readers; the second one begins behind it.
    second = _HEADER.size + times * 5 + types * 6 + letters + leaps * 8 + standard + utc
    times = _HEADER.unpack_from(data, second)[5]
    listed = struct.unpack_from(f">{times}q", data, second + _HEADER.size)
    # Some files begin with a mark near the Big Bang, which no datetime can hold.
    return tuple(_EPOCH + timedelta(seconds=t) for t in listed if abs(t) < 2**35)


def _wheel(directory: Path, version: str) -> Path:
    name = f"tzdata-{version}-py2.py3-none-any.whl"
    path = directory / name
    if not path.exists():
        _download(directory, version)
    if not path.exists():
        raise Offline(f"tzdata {version}: pip left no {name} in {str(directory)!r}")
    return path


def _download(directory: Path, version: str) -> None:
    options = ["--no-deps", "--only-binary", ":all:", "--retries", "1", "--timeout", "15"]
    command = [*_pip(), "download", "--quiet", *options, "--dest", str(directory)]
    done = subprocess.run(  # noqa: S603 - a fixed command over pinned versions
        [*command, f"tzdata=={version}"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Offline(
            f"tzdata {version} is not in {str(directory)!r} and could not be downloaded: {last}. "
            f"Put its wheel there, or run this again with a connection to the package index."
        )


def _pip() -> list[str]:
    """The pip client: the interpreter's own, or one that uv lends (its environments have none)."""
    uv = shutil.which("uv")
    if importlib.util.find_spec("pip") is None and uv is not None:
        return [uv, "run", "--quiet", "--no-project", "--with", "pip", "python", "-m", "pip"]
    return [sys.executable, "-m", "pip"]
