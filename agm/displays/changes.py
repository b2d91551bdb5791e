"""What an operator decided, with the certificates; why something follows; and proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm.displays.graphs import NODES, Edge, Node, graph
from agm.displays.style import panel
from agm.displays.tables import ROWS, Cell, table
from agm.errors import NotDecided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agm.beliefs import Belief
    from agm.changes import Change, Explanation, Loss
    from agm.displays.style import Tone
    from agm.proofs import Proof

_DRAWN = 8
"""Certificates that are drawn; each may ask the solver."""

_TOLD = 100
"""Losses whose certificate is told in words."""

_HEAD = ("belief", "class", "before", "after", "why")


def of_change(change: Change) -> str:
    """What was held before and is after, why each loss was given up, and its certificate as a picture."""
    losses = change.given_up[:ROWS]
    turned_away = () if change.rejection is None else (change.rejection,)
    rows = [_lost(loss, told=n < _TOLD, tone="bad") for n, loss in enumerate(losses)]
    rows += [_lost(loss, told=True, tone="warn") for loss in turned_away]
    rows += [_added(belief) for belief in change.added]
    drawn = [*turned_away, *losses][:_DRAWN]
    kept = _witnesses(drawn, {loss.belief.id for loss in losses})
    rows += [_kept(belief) for belief in kept]
    count = len(change.given_up) + len(turned_away) + len(change.added) + len(kept)
    parts = [table(_HEAD, rows, total=count)] if rows else []
    nodes, edges = _certificates(drawn)
    if edges:
        parts.append(graph(nodes, edges, name="certificates"))
    return panel(*parts, title=_title(change), notes=_notes(change))


def of_loss(loss: Loss) -> str:
    """One loss and its certificate."""
    nodes, edges = _certificates([loss])
    picture = graph(nodes, edges, name="certificate") if edges else ""
    return panel(table(_HEAD, [_lost(loss, told=True, tone="bad")]), picture)


def of_explanation(found: Explanation) -> str:
    """The kernels of a claim, or values under which it is false."""
    if not found.kernels:
        values = [
            (Cell(str(key), code=True), str(value)) for key, value in (found.model or {}).items()
        ]
        shown = table(["when", "is"], values) if values else ""
        return panel(shown, title=f"{found.claim} does not follow: it is false when")
    rows = (
        (str(number), belief.id, Cell(str(belief.claim), code=True), belief.entrenchment)
        for number, kernel in enumerate(found.kernels, 1)
        for belief in kernel
    )
    cut = () if found.complete else (f"the list was cut off after {len(found.kernels)} kernels",)
    ways = "" if len(found.kernels) == 1 else f", in {len(found.kernels)} ways"
    head, total = ("kernel", "belief", "claim", "class"), sum(map(len, found.kernels))
    parts = [table(head, rows, total=total), _ways(found)]
    return panel(*parts, title=f"{found.claim} follows{ways}", notes=cut)


def of_proof(proof: Proof) -> str:
    """The lines of a proof with their grounds."""
    rows = ((str(s.number), Cell(str(s.claim), code=True), s.ground) for s in proof.steps)
    shown = table(["line", "claim", "ground"], rows, total=len(proof.steps))
    return panel(shown, title=f"Proof of {proof.claim}")


def change_records(change: Change) -> list[dict[str, object]]:
    """One flat row for each belief that is given up, turned away or added, as data frames take them."""
    turned_away = () if change.rejection is None else (change.rejection,)
    marked = [("given up", one) for one in change.given_up]
    marked += [("turned away", one) for one in turned_away]
    rows = [
        _record(word, loss.belief, why=loss.reason, kernel=_kernel(loss)) for word, loss in marked
    ]
    return rows + [_record("added", belief) for belief in change.added]


def explanation_records(found: Explanation) -> list[dict[str, object]]:
    """One flat row for each belief of each kernel."""
    return [
        {"kernel": n, "belief": b.id, "claim": str(b.claim), "class": b.entrenchment}
        for n, kernel in enumerate(found.kernels, 1)
        for b in kernel
    ]


def _record(
    word: str, belief: Belief, *, why: str = "", kernel: Sequence[Belief] = ()
) -> dict[str, object]:
    return {
        "what": word,
        "belief": belief.id,
        "claim": str(belief.claim),
        "class": belief.entrenchment,
        "why": why,
        "certificate": ", ".join(one.id for one in kernel),
    }


def _lost(loss: Loss, *, told: bool, tone: str) -> tuple[str | Cell, ...]:
    belief = loss.belief
    why = loss.reason if told else ""
    gone = Cell(str(belief.claim), "bad", code=True)
    if tone == "warn":  # a newcomer that was turned away was never held
        return belief.id, belief.entrenchment, "", Cell("turned away", "warn"), Cell(why)
    after = f"exception of {loss.rule.id}" if loss.rule is not None else "given up"
    return belief.id, belief.entrenchment, gone, after, Cell(why)


def _added(belief: Belief) -> tuple[str | Cell, ...]:
    return belief.id, belief.entrenchment, "", Cell(str(belief.claim), "good", code=True), "added"


def _kept(belief: Belief) -> tuple[str | Cell, ...]:
    claim = Cell(str(belief.claim), code=True)
    return belief.id, belief.entrenchment, claim, claim, "kept, and part of a certificate"


def _title(change: Change) -> str:
    whole = sum(1 for loss in change.given_up if loss.rule is None)
    before = len(change.before)
    after = before - whole - len(change.replaced) + len(change.added)
    if not (change.given_up or change.added or change.rejection):
        return f"nothing changes, {before:,} beliefs"
    return f"{change.input}: {before:,} beliefs before, {after:,} after"


def _notes(change: Change) -> list[str]:
    notes = [f"decided by {change.route}"]
    if change.replaced:
        notes.append(f"replaced: {', '.join(change.replaced)}")
    if len(change.given_up) > _TOLD:
        notes.append(f"certificates of the first {_TOLD} losses; each loss has its own `reason`")
    if not change.complete:
        notes.append("the search was cut off: there may be more kernels or remainders")
    return notes


def _kernel(loss: Loss) -> Sequence[Belief]:
    """The certificate; empty where there is none or it was not found out."""
    try:
        return loss.kernel
    except NotDecided:
        return ()


def _witnesses(losses: Sequence[Loss], gone: set[str]) -> list[Belief]:
    found = {belief.id: belief for loss in losses for belief in _kernel(loss)}
    return [belief for name, belief in found.items() if name not in gone]


def _certificates(losses: Sequence[Loss]) -> tuple[list[Node], list[Edge]]:
    """Each loss with the beliefs of its certificate, and the sentence that they entail together."""
    nodes: dict[str, Node] = {}
    edges: dict[Edge, None] = {}
    gone = {loss.belief.id for loss in losses}
    for loss in losses:
        kernel = _kernel(loss)
        if not kernel:
            continue
        against = str(loss.against)
        goal, joint = f"={against}", f"&{loss.belief.id}"
        nodes[joint] = Node(joint, "", "bad", f"certificate of {loss.belief.id}")
        for belief in (loss.belief, *kernel):
            tone: Tone = "bad" if belief.id in gone else "good"
            label = f"{belief.id}: {belief.claim}"
            nodes[belief.id] = Node(belief.id, label, tone, f"{label} ({belief.entrenchment})")
            edges[Edge(belief.id, joint)] = None
        nodes[goal] = Node(goal, against, "plain", f"entailed: {against}")
        edges[Edge(joint, goal)] = None
    return list(nodes.values()), list(edges)


def _ways(found: Explanation) -> str:
    """The first kernels as a picture, each joined in a dot where it has several beliefs."""
    nodes: dict[str, Node] = {}
    edges: list[Edge] = []
    goal = f"={found.claim}"
    kernels = found.kernels[:_DRAWN]
    if sum(map(len, kernels)) > NODES:
        return ""  # a picture of a part would be none of a reason
    for number, kernel in enumerate(kernels):
        joint = f"&{number}"
        if len(kernel) > 1:
            nodes[joint] = Node(joint, "", "plain", f"kernel {number + 1}")
            edges.append(Edge(joint, goal))
        for belief in kernel:
            label = f"{belief.id}: {belief.claim}"
            nodes[belief.id] = Node(belief.id, label, "good", f"{label} ({belief.entrenchment})")
            edges.append(Edge(belief.id, joint if len(kernel) > 1 else goal))
    nodes[goal] = Node(goal, str(found.claim), "plain")
    return graph(nodes.values(), edges, name="why it follows") if edges else ""
