"""The tables of the search index, which covers the journal up to one entry; see ``searching``."""

SEARCH = (
    # Nothing is kept beside the terms: rows are told apart by owner and seq alone.
    """CREATE VIRTUAL TABLE word USING fts5(
        said, content='', detail=none, columnsize=0, tokenize='porter ascii')""",
    """CREATE VIRTUAL TABLE trigram USING fts5(
        said, content='', detail=none, columnsize=0, tokenize='trigram case_sensitive 1')""",
    """CREATE TABLE entity (
        owner TEXT, name TEXT, text TEXT, PRIMARY KEY (owner, name, text)
    ) STRICT, WITHOUT ROWID""",
    # the number of an owner is that of the first telling of theirs
    """CREATE TABLE searcher (owner TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE indexed (id INTEGER PRIMARY KEY CHECK (id = 1), upto INTEGER NOT NULL) STRICT""",
    # what an embedder made of a telling; made anew by an embedder alone, so never compared
    """CREATE TABLE vector (
        owner TEXT, seq INTEGER, body BLOB NOT NULL, PRIMARY KEY (owner, seq)
    ) STRICT, WITHOUT ROWID""",
    """INSERT INTO indexed VALUES (1, 0)""",
)
DEFINED = SEARCH[:-1]
"""The statements that define a table."""
SEARCH_TABLES = ("word", "trigram", "entity", "searcher", "indexed", "vector")
"""The tables of the index."""
BACKLOG = 500
"""Entries that the recording of a telling with a text takes in beside it."""
