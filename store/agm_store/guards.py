"""What a store file must define beside its rows: the tables, and the triggers that keep the journal.

Each connection of SQLite may drop a trigger or alter a table; `altered` finds what is not as `schema`
wrote it, `restore` puts the triggers back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agm_store.errors import ProjectionBroken, SchemaBroken
from agm_store.schema import JOURNAL, PROJECTIONS, TABLES
from agm_store.searchtables import DEFINED, SEARCH_TABLES

if TYPE_CHECKING:
    import sqlite3


def altered(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """What is missing, changed or too many, by (kind, name), with the reason; nothing in a sound file."""
    wanted = {
        _named(statement): _bare(statement) for statement in (*JOURNAL, *PROJECTIONS, *DEFINED)
    }
    own = {name for _, name in wanted} | {"sqlite_sequence"}
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    found = {(kind, name): _bare(sql or "") for kind, name, _, sql in rows}
    faults = {}
    for key, sql in wanted.items():
        if key not in found:
            faults[key] = "is missing"
        elif found[key] != sql:
            faults[key] = "is not defined as agm defines it"
    for kind, name, table, _ in rows:
        if kind == "trigger" and (kind, name) not in wanted and table in own:
            faults[kind, name] = f"is none of agm's, and acts on its table {table}"
    return faults


def check(connection: sqlite3.Connection) -> None:
    """Compare the definitions in a file with those it was made by.

    Raises:
        SchemaBroken: a trigger or a table of the journal is missing or another one.
        ProjectionBroken: a projection, or an index of one, is missing or another one.
    """
    for (kind, name), why in altered(connection).items():
        table = _TABLE_OF_INDEX.get(name, name)
        if table in TABLES or table in SEARCH_TABLES:
            raise ProjectionBroken(table, f"{kind} {name} {why}")
        raise SchemaBroken(kind, name, why)


def restore(connection: sqlite3.Connection) -> None:
    """Put the triggers back as they were made, inside a transaction; tables stay as they are."""
    statements = {_named(statement): statement for statement in JOURNAL}
    for kind, name in altered(connection):
        if kind != "trigger":
            continue
        quoted = name.replace('"', '""')
        connection.execute(f'DROP TRIGGER IF EXISTS "{quoted}"')
        if (kind, name) in statements:
            connection.execute(statements[kind, name])


def _named(statement: str) -> tuple[str, str]:
    """The kind and the name of what a statement creates."""
    words = statement.replace("VIRTUAL ", "").split(None, 3)
    return words[1].lower(), words[2]


def _bare(sql: str) -> str:
    """A definition without regard to blanks."""
    return " ".join(sql.split())


_TABLE_OF_INDEX = {"token_ruled": "token", "token_sharing": "token"}
