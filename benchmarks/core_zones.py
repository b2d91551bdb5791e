"""Time zones: what the store answers on both axes, against what each release itself says.

The statements of `examples/timezones` go into a replay store the way `agm ingest` reads them. Then
every probe is put to it: the offset of a zone at a valid time, as known at a recorded time. What
is right comes from `zoneinfo` over the package of the release that was current then.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from agm import Vocabulary, attr
from agm_store import open_store
from agm_store.ingest import ReplayClock, ingest
from benchmarks.figures import measured, skipped
from benchmarks.timing import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from agm_store import BeliefStore
    from benchmarks.figures import Figure

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "timezones"
WHEELS = Path.home() / ".cache" / "tzdata-wheels"

COUNTED = "time zones: probes asked of each release"
WRONG = "time zones: wrong answers"


def figures(folder: Path, *, n: int = 20_000, wheels: Path = WHEELS) -> Iterator[Figure]:
    """How many probes were asked, and how many answers were wrong; `folder` takes the store."""
    asked = probes_module()
    try:
        releases = asked.releases(wheels)
    except (asked.Offline, OSError) as error:
        for title, target in ((COUNTED, ">= 20000"), (WRONG, "= 0")):
            yield skipped(title, target, str(error))
        return
    probes = asked.probes(releases, seed=0, n=n)
    with filled(folder / "zones.agm") as store:
        wrong, times = answers(store, probes)
    for probe, found in wrong[:5]:
        print(f"wrong: {probe}, answered {found!r}", file=sys.stderr)
    note = f"{len(releases)} releases; a probe takes {median(times) * 1e6:.3g} µs"
    yield measured(COUNTED, len(probes), ">= 20000", n=len(probes), note=note)
    yield measured(WRONG, len(wrong), "= 0", n=len(probes))


def probes_module() -> ModuleType:
    """The module that knows the releases; it stands with the example and is no part of a package."""
    name = "agm_timezone_probes"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, FOLDER / "probes.py")
        if spec is None or spec.loader is None:
            raise AssertionError(f"no module can be made of {FOLDER / 'probes.py'}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def filled(path: Path) -> BeliefStore:
    """A replay store that holds all statements; every one of them must have been taken in."""
    clock = ReplayClock()
    vocabulary = Vocabulary.from_json(json.loads((FOLDER / "vocabulary.json").read_text("utf-8")))
    store = open_store(path, principal="bench", clock=clock, replay=True, synchronous="NORMAL")
    lines = (FOLDER / "statements.jsonl").read_text("utf-8").splitlines()
    receipt = ingest(store, enumerate(lines, 1), vocabulary=vocabulary, clock=clock)
    if receipt.told != len(lines) or receipt.refused or receipt.held:
        raise AssertionError(f"{len(lines)} statements are to be told: {receipt}")
    return store


def answers(
    store: BeliefStore, probes: Sequence[Any]
) -> tuple[list[tuple[Any, object]], list[float]]:
    """The probes that were answered wrongly with what was answered, and the seconds each took."""
    wrong: list[tuple[Any, object]] = []
    times: list[float] = []
    answer: Any = None

    def ask() -> None:
        nonlocal answer
        world = store.at(valid=probe.valid_at, known=probe.known_at)
        answer = world.ask(attr(probe.zone, "utc_offset"))

    for probe in probes:
        times.append(seconds(ask))
        if answer.value != probe.expected or answer.contested:
            wrong.append((probe, answer))
    return wrong, times
