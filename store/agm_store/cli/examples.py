"""The examples that ``--help`` shows under each command; a test runs every one of them.

A line is what stands after ``agm --db b.db --as anna``, or a whole line where it begins with ``agm``; a line that
begins with ``#`` says what the next one is for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import click

HAND = "agm --db b.db --as anna"
"""How an example begins: whose beliefs, and where."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "": (
        'tell "ttl(cache) = 300" --source wiki',
        'ask "ttl(cache)"',
    ),
    "ingest": ("ingest lines.jsonl --source wiki",),
    "apply": ("apply answer.json --shown ttl-1,tea",),
    "ask": (
        'ask "ttl(cache)"',
        "# does it follow, and did it at a time?",
        'ask "ttl(cache) < 500" --valid-at 2024-01-31T09:00:00Z',
    ),
    "as-of": ("as-of 2024-01-31T09:00:00Z",),
    "timeline": ('timeline "ttl(cache)"',),
    "history": ("history ttl-1",),
    "why": ("why ttl-1",),
    "recall": ('recall "how long is the ttl" --limit 5',),
    "stats": ("stats --json",),
    "tell": (
        'tell "ttl(cache) = 300" --source wiki --valid-from 2024-01-01T00:00:00Z',
        "tell 'likes(anna, \"tea\")' --id tea-2",
        'tell --text "The cache is slow on Mondays." --source chat',
    ),
    "correct": ('correct ttl-1 "ttl(cache) = 30"',),
    "update": ('update ttl-1 "ttl(cache) = 600" --at 2024-02-01T00:00:00Z',),
    "retract": ('retract ttl-1 --note "a typo in the wiki"',),
    "expire": ("expire ttl-1 --at 2024-03-01T00:00:00Z",),
    "contract": ('contract "ttl(cache) < 500"',),
    "demote": ('demote ttl-1 observed --note "the wiki was not checked"',),
    "revert": ('revert 3 --note "it was right"',),
    "reclassify": ("reclassify 3 --mode historical",),
    "share": ("share ttl-1 --with ben", "# what is shared", "share"),
    "unshare": ("unshare tea --with ben",),
    "redact": ('redact tea --note "she asked for it"',),
    "alias": ('alias nyc "New York"',),
    "audit": ("audit",),
    "inbox": ("inbox",),
    "decide": (
        "decide guess approve",
        'decide guess "edit and approve" --claim "ttl(cache) = 90"',
    ),
    "review": ("review --source chat",),
    "retired": ("retired",),
    "corrections": ("corrections --jsonl",),
    "learning": ("learning --max-wrong 0.1",),
    "rests-on": ("rests-on wiki",),
    "what-if": ("what-if --retire ttl-1", 'what-if --believe "ttl(cache) = 600"'),
    "retract-by-source": ("retract-by-source wiki --dry-run",),
    "flags": ("flags --kind support_lost",),
    "sweep": ("sweep --budget 100",),
    "graph": ("graph --format json",),
    "artefact": ("artefact list",),
    "artefact add": ('artefact add summary --rests-on ttl-1 --says "It waits five minutes."',),
    "artefact version": ('artefact version report --rests-on ttl-1 --note "read again"',),
    "artefact list": ("artefact list report",),
    "imprint": (
        "imprint wiki 2024-05 page.txt",
        "# the version before was wrong",
        "imprint wiki 2024-05 page.txt --correction",
    ),
    "rescan": ("rescan --budget 100",),
    "backfill": ("backfill --budget 100",),
    "consolidate": ("consolidate",),
    "vocabulary": ("vocabulary show",),
    "vocabulary declare": (
        "vocabulary declare timeout quantity --unit s",
        "vocabulary declare stage enum --value dev --value prod",
    ),
    "vocabulary show": ("vocabulary show",),
    "constraint": ('constraint add "ttl(cache) > 0"',),
    "constraint add": ('constraint add "ttl(cache) > 0"', 'constraint add "forall x. old(x) -> !new(x)"'),
    "verify": ("verify", "# an export, without its store", "agm verify --export backup.jsonl"),
    "rebuild": ("rebuild",),
    "export": ("export out.jsonl", "export out.jsonl --everybody"),
    "import": ("agm --db copy.db --as anna import backup.jsonl",),
    "web": ("web", "web --port 8001 --open"),
    "mcp": (
        "agm mcp --as anna --store b.db",
        "agm mcp --as anna --store b.db --source assistant --entrenchment observed",
    ),
    "experiment": ("agm experiment report records.jsonl",),
    "experiment run": ("agm experiment run --seeds 2 --arms recency,library --noise 0,0.1 --out records.jsonl",),
    "experiment report": ("agm experiment report records.jsonl --by noise",),
    "demo": ("agm demo",),
    "completion": (
        '# in ~/.bashrc: eval "$(agm completion bash)"',
        '# in ~/.zshrc: eval "$(agm completion zsh)"',
        "# once, for fish: agm completion fish > ~/.config/fish/completions/agm.fish",
        "agm completion bash",
    ),
}  # fmt: skip


def lines_of(name: str) -> list[str]:
    """The examples of a command by its name, as they are shown."""
    found = EXAMPLES.get(name, ())
    return [line if line.startswith(("agm ", "#")) else f"{HAND} {line}" for line in found]


def write(ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the examples of a command under its help."""
    name = ctx.command_path.partition(" ")[2]
    found = lines_of(name)
    if found:
        with formatter.section("Examples"):
            for line in found:
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
