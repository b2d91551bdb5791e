"""Tellings as rows: what each says, how it stands and when; answers, reasons and reviews are made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agm.displays.graphs import Edge, Node, graph
from agm.displays.style import panel
from agm.displays.tables import ROWS, Cell, filled, table, tagged
from agm_store.tables import age_of, words_of
from agm_store.times import spoken, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agm.displays.style import Tone
    from agm_store.listings import Review
    from agm_store.records import Answer, Side, Why

STANDINGS: dict[str, Tone] = {
    "believed": "good",
    "contested": "warn",
    "unsupported": "warn",
    "outranked": "mute",
    "overridden": "mute",
    "not_in_force": "mute",
}
STATUSES: dict[str, Tone] = {"active": "good", "held": "held", "rejected": "bad"}
"""The tones of a standing and of a status; every other status is past, and grey."""

HEAD = (
    *("belief", "says", "status", "standing", "from", "to", "class", "source", "mode"),
    *("supersedes", "replaced by", "owner", "entry"),
)


def of_side(side: Side) -> str:
    """One telling as it is shown."""
    return panel(sides_table([side]))


def of_answer(answer: Answer[Any]) -> str:
    """The value, and the tellings for and against it."""
    if answer.contested:
        first = tagged("contested", "warn", "no value: these cannot all be so")
    elif answer.value is not None:
        first = tagged(str(answer.value), "good", _many(len(answer.sides), "telling"))
    elif answer.sides:
        first = tagged(f"{len(answer.sides)} values", "good")
    else:
        first = tagged("unknown", "mute", "nothing is believed of it")
    parts = [first]
    parts += [
        sides_table(sides, caption=caption)
        for caption, sides in (
            ("", answer.sides),
            ("outranked", answer.outranked),
            ("shared", answer.shared),
        )
        if sides
    ]
    return panel(*parts)


def of_why(why: Why) -> str:
    """Why a belief stands as it does: its reasons as rows, and the beliefs it has to do with as a graph."""
    words = [
        ("reason", why.reason or ""),
        ("retired by", "" if why.retired_by is None else f"entry {why.retired_by}"),
        ("to undo", why.to_undo),
        ("kept out by", ", ".join(why.kernel)),
        ("replaced by", why.replaced_by or ""),
        ("supersedes", ", ".join(why.supersedes)),
        *(("rests on", " and ".join(one)) for one in why.supports),
        *((name, ", ".join(getattr(why, field))) for name, field in _LINKS),
        ("source", why.source or ""),
        ("episode", " in ".join(one.id for one in why.episodes) or why.episode or ""),
        ("route", why.route),
        ("decided by", why.decided_by),
        ("confidence", "" if why.confidence is None else f"{why.confidence:g}"),
        *(("note", note) for note in why.notes),
    ]
    rows = [row for row in words if row[1]]
    stands = why.standing.replace("_", " ")
    first = tagged(why.status, STATUSES.get(why.status, "mute"), f"{why.belief}, {stands}")
    nodes, edges = _around(why)
    picture = graph(nodes, edges, name=f"around {why.belief}") if edges else ""
    return panel(first, table(["", ""], rows, total=len(rows)) if rows else "", picture)


def of_review(review: Review) -> str:
    """Both sides of what waits for a person, what the machine found, and the options."""
    sides = [review.new] if review.old is None else [review.new, review.old]
    machine = review.machine
    found = "" if machine is None else f"{machine.kind} by {machine.route}"
    if machine is not None and machine.confidence is not None:
        found += f", confidence {machine.confidence:g}"
    rows = [
        ("machine", found),
        ("certificate", "; ".join(f"{b.claim} [{b.id}]" for b in review.certificate)),
        *(("why", one) for one in review.why),
        *(("not checked", one) for one in review.not_checked),
        ("waits for", "" if review.age is None else age_of(review.age)),
        ("options", " | ".join(review.options)),
    ]
    rows = [row for row in rows if row[1]]
    first = tagged("waits", "held", review.id)
    return panel(first, sides_table(sides), table(["", ""], rows, total=len(rows)))


def sides_table(sides: Sequence[Side], *, caption: str = "") -> str:
    """Tellings as a table, without the columns in which nothing stands."""
    head, rows = filled(HEAD, [_row(side) for side in sides[:ROWS]])
    return table(head, rows, caption=caption, total=len(sides))


def side_records(sides: Iterable[Side]) -> list[dict[str, Any]]:
    """One flat row of plain values a telling, as data frames take them; times are ISO-8601 in UTC."""
    return [
        {
            "belief": side.belief,
            "claim": None if side.claim is None else str(side.claim),
            "text": side.text,
            "value": side.value,
            "status": side.status,
            "standing": side.standing,
            "valid_from": written(side.valid_from),
            "valid_to": written(side.valid_to),
            "recorded_at": written(side.recorded_at),
            "class": side.entrenchment,
            "source": side.source,
            "mode": side.mode,
            "episode": side.episode,
            "supersedes": ", ".join(side.supersedes),
            "replaced_by": side.replaced_by,
            "owner": side.owner,
            "entry": side.entry,
        }
        for side in sides
    ]


_LINKS = (
    ("refines", "refines"),
    ("refined by", "refined_by"),
    ("attests", "attests"),
    ("attested by", "attested_by"),
)


def _row(side: Side) -> tuple[str | Cell, ...]:
    return (
        side.belief,
        Cell(words_of(side), code=side.claim is not None),
        Cell(side.status, STATUSES.get(side.status, "mute")),
        Cell(side.standing.replace("_", " "), STANDINGS.get(side.standing, "mute")),
        spoken(side.valid_from),
        "" if side.valid_to is None else spoken(side.valid_to),
        side.entrenchment,
        side.source or "",
        "" if side.mode == "assertion" else side.mode,
        ", ".join(side.supersedes),
        side.replaced_by or "",
        side.owner or "",
        "" if side.entry is None else str(side.entry),
    )


def _many(count: int, word: str) -> str:
    return f"by {count} {word}" + "s" * (count != 1)


def _around(why: Why) -> tuple[list[Node], list[Edge]]:
    """The belief in the middle: what it rests on and what keeps it out before it, what took its place after."""
    nodes: dict[str, Node] = {}
    nodes[why.belief] = Node(why.belief, why.belief, STANDINGS.get(why.standing, "mute"))
    edges: list[Edge] = []
    for number, premises in enumerate(why.supports):
        joint = f"&{number}"
        nodes[joint] = Node(joint, "", "plain", "one justification")
        edges.append(Edge(joint, why.belief))
        for premise in premises:
            nodes.setdefault(premise, Node(premise, premise, "plain", f"premise {premise}"))
            edges.append(Edge(premise, joint))
    for other in why.kernel:
        nodes.setdefault(other, Node(other, other, "bad", f"{other} keeps it out"))
        edges.append(Edge(other, why.belief, dashed=True))
    for other in why.supersedes:
        nodes.setdefault(other, Node(other, other, "mute", f"{other}, which it took the place of"))
        edges.append(Edge(other, why.belief))
    if why.replaced_by is not None:
        name = why.replaced_by
        nodes.setdefault(name, Node(name, name, "good", f"{name}, which took its place"))
        edges.append(Edge(why.belief, name))
    return list(nodes.values()), edges
