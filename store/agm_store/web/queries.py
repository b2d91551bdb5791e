"""The questions of the page: SQL that is fixed here; whoever looks fills in parameters and nothing else.

Times are text, ``2024-01-31T09:00:00Z``, fractions only where there are any.  Without the ``Z`` such
texts stand in order of time.
"""

from __future__ import annotations

from typing import Any

_SHAPE = "2024-01-31T09:00:00Z"

AS_OF = """
WITH given (name, raw) AS (VALUES ('valid', trim(:valid)), ('known', trim(:known))),
cut AS (  -- seconds may be left out; a fraction is set aside, for SQLite would round it
    SELECT name, raw, CASE WHEN substr(raw, 17, 1) = ':' THEN 19 ELSE 16 END AS width FROM given
),
parts AS (
    SELECT name, raw, replace(substr(raw, 1, width), ' ', 'T') AS head, substr(raw, width + 1) AS tail FROM cut
),
split AS (
    SELECT name, raw, head || CASE WHEN length(head) = 16 THEN ':00' ELSE '' END AS head,
        CASE WHEN substr(tail, 1, 1) = '.' THEN ltrim(substr(tail, 2), '0123456789') ELSE tail END AS offset,
        CASE WHEN substr(tail, 1, 1) = '.' THEN substr(tail, 2) ELSE '' END AS rest FROM parts
),
stamped AS (
    SELECT name, raw, CASE
        WHEN strftime('%Y-%m-%dT%H:%M:%S', head, '+0 days') IS NOT head THEN NULL  -- no 31st of February
        WHEN offset <> 'Z' AND offset NOT GLOB '[+-][0-9][0-9]:[0-9][0-9]' THEN NULL
        ELSE strftime('%Y-%m-%dT%H:%M:%S', head || offset) || replace(
            '.' || substr(substr(rest, 1, length(rest) - length(offset)) || '000000', 1, 6), '.000000', '')
        END AS stamp FROM split
),
asked AS (
    SELECT
        (SELECT CASE raw WHEN '' THEN rtrim(at, 'Z') ELSE stamp END FROM stamped WHERE name = 'valid') AS valid,
        (SELECT CASE raw WHEN '' THEN rtrim(at, 'Z') ELSE stamp END FROM stamped WHERE name = 'known') AS known,
        (SELECT CASE WHEN raw GLOB '[0-9]*' AND raw NOT GLOB '*[^0-9]*' THEN CAST(raw AS INTEGER) END
            FROM given WHERE name = 'known') AS entry,
        rtrim(at, 'Z') AS now
    FROM made
),
wrong AS (
    SELECT 'valid is no time with offset, as 2024-01-31T09:00:00Z is' AS says FROM asked WHERE valid IS NULL
    UNION ALL
    SELECT 'known is neither an entry nor a time with offset, as 2024-01-31T09:00:00Z is'
        FROM asked WHERE known IS NULL AND entry IS NULL
    UNION ALL
    SELECT 'known is later than this page, which knows nothing of it' FROM asked
        WHERE entry IS NULL AND known > now
)
SELECT NULL AS belief, says, NULL AS standing, NULL AS valid_from, NULL AS valid_to, NULL AS source,
    NULL AS entrenchment, NULL AS owner FROM wrong
UNION ALL
SELECT * FROM (
    SELECT t.belief, s.says, t.standing, t.valid_from, t.valid_to, s.source, s.entrenchment, t.owner
    FROM asked, timeline AS t JOIN statements AS s ON s.owner = t.owner AND s.belief = t.belief
    WHERE NOT EXISTS (SELECT * FROM wrong)
        AND rtrim(t.valid_from, 'Z') <= asked.valid
        AND (t.valid_to IS NULL OR rtrim(t.valid_to, 'Z') > asked.valid)
        AND CASE WHEN asked.entry IS NULL
            THEN rtrim(t.known_from, 'Z') <= asked.known
                AND (t.known_to IS NULL OR rtrim(t.known_to, 'Z') > asked.known)
            ELSE t.entry_from <= asked.entry AND (t.entry_to IS NULL OR t.entry_to > asked.entry) END
        AND (:words = '' OR instr(lower(s.says), lower(:words)) > 0)
    ORDER BY t.owner <> (SELECT principal FROM made), t.owner, s.recorded_at, s.entry, t.belief
)
"""

WHY = """
SELECT aspect, words, other AS belief FROM reasons WHERE belief = trim(:belief) ORDER BY owner, place
"""

INBOX = """
SELECT review, says, why, options, against, against_says, verdict, confidence, source, since
FROM reviews ORDER BY since, rowid
"""

HISTORY = """
SELECT s.belief, s.says, s.status, s.standing, s.valid_from, s.valid_to, s.recorded_at, s.source, s.entrenchment,
    s.mode, s.owner
FROM histories AS h JOIN statements AS s ON s.owner = h.owner AND s.belief = h.belief
WHERE h.history IN (SELECT history FROM statements WHERE belief = trim(:belief))
ORDER BY s.owner, s.recorded_at, s.entry, s.belief
"""

RETIRED = """
SELECT belief, says, status, why, since, source FROM retirements ORDER BY since, rowid
"""

TITLES = {
    "as_of": (
        "What was believed when",
        (
            "valid: when in the world; known: by what was recorded until then, a time or the number of an entry. "
            f"Times have an offset, as {_SHAPE} has; empty means the moment when this page was made. "
            "words: only what has them."
        ),
    ),
    "why": (
        "Why a statement stands as it does",
        "belief: the id of a statement, as every table names it.",
    ),
    "inbox": (
        "What waits for a decision",
        "Oldest first. agm review decides, this page changes nothing.",
    ),
    "history": (
        "What was told of one thing",
        "belief: the id of any statement of it. In order of recording.",
    ),
    "retired": ("What was retired with nothing in its place", "agm review --retired revives it."),
}
"""Each question in words, and what its parameters mean."""

TABLES = {
    "statements": {
        "sort": "recorded_at",
        "description": "Each telling that is not redacted, as it stands now.",
    },
    "timeline": {
        "description": (
            "A stretch of both time axes over which a statement was believed or contested: valid in the world,"
            " known to the store; ends are excluded, an empty one is open."
        )
    },
    "reasons": {
        "description": "What is known of why a statement stands as it does, an aspect a row."
    },
    "histories": {"description": "Which statements were told of one thing."},
    "reviews": {"description": "What waits for a decision."},
    "retirements": {"description": "What was retired with nothing in its place."},
    "made": {"description": "Whose view this is, and of which moment."},
}
"""What the tables hold."""

_SQL = {"as_of": AS_OF, "why": WHY, "inbox": INBOX, "history": HISTORY, "retired": RETIRED}
_PARAMETERS = {"as_of": ["valid", "known", "words"], "why": ["belief"], "history": ["belief"]}


def queries() -> dict[str, dict[str, Any]]:
    """The questions as datasette takes them."""
    return {
        name: {
            "sql": _SQL[name].strip(),
            "title": title,
            "description": about,
            "params": _PARAMETERS.get(name, []),
            "hide_sql": True,
        }
        for name, (title, about) in TITLES.items()
    }
