"""The command behind `run.py cases`: recorded cases, played on the store.

    python3 run.py cases FILE            a line a case, then the counts
    python3 run.py cases FILE --json     the same as JSON lines

FILE holds a JSON object a line: a history (`events`, `query`, `expected`) or an attack (`setup`,
`input`, `expected`). Each is played in memory and in a file. Values, statuses, errors, outcomes and what
had to stay unchanged are judged; what a case argues in words never counts as passed. Exit status 1
means that a case failed, 2 that the file could not be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING

from laboratory.casebook.playing import WORDS, Came, played

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="run.py cases",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", help="cases, a JSON object a line; - is the input")
    parser.add_argument("--json", action="store_true", help="a JSON object a line")
    asked = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    try:
        for name, came in outcomes(asked.file):
            counts[came.word] += 1
            print(_line(name, came, as_json=asked.json), flush=True)
    except (OSError, UnicodeDecodeError) as error:
        print(f"run.py cases: {error}", file=sys.stderr)
        return 2
    total = {word: counts[word] for word in WORDS} | {"total": counts.total()}
    print(json.dumps(total))
    return int(counts["failed"] > 0)


def outcomes(path: str) -> Iterator[tuple[str, Came]]:
    """How each case of a file comes out, by its name."""
    with open(0 if path == "-" else path, encoding="utf-8") as lines:  # noqa: PTH123  or the input
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                case = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield f"line {number}", Came("not_judged", (f"no JSON: {error}",))
                continue
            if not isinstance(case, dict):
                yield f"line {number}", Came("not_judged", ("no JSON object",))
                continue
            yield str(case.get("id", f"line {number}")), played(case)


def _line(name: str, came: Came, *, as_json: bool) -> str:
    if as_json:
        return json.dumps({"id": name, "result": came.word, "why": list(came.why)})
    return " ".join((f"{name:<10} {came.word:<10}", "; ".join(came.why))).rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
