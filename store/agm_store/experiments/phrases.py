"""The words of the conversations: what is spoken of, its values, and how each thing is said.

Every way of saying names the attribute, the entity and the value; a reference is worded (its words speak of
the past), dated (they name a moment as well) or bare (nothing in the words says so).
"""

from __future__ import annotations

ENTITIES = ("checkout", "billing", "search", "gateway", "mailer", "orders")
VALUES = {
    "timeout": ("20", "30", "45", "60", "90", "120", "180", "240"),
    "database": ("postgres", "mysql", "sqlite", "oracle", "mongodb", "redis", "cassandra", "duckdb"),
    "region": ("oslo", "dublin", "paris", "madrid", "tokyo", "sydney", "toronto", "nairobi"),
    "keeper": ("ann", "bob", "cid", "dot", "eve", "fay", "gus", "hal"),
    "port": ("8000", "8080", "8443", "9000", "9090", "9443", "7000", "7443"),
}  # fmt: skip
CHATTER = (
    "The build was green again this morning.",
    "Can somebody look at the slow tests before Friday?",
    "Lunch is at noon, in the small room today.",
    "I moved the planning to Thursday.",
    "The new colleague starts next week.",
    "Thanks, that was helpful.",
    "Let us keep the retrospective short.",
    "The printer on the second floor is out of paper.",
)
SAID: dict[str, tuple[str, ...]] = {
    "told": (
        "The {a} of {e} is {v}.",
        "For {e} we set the {a} to {v}.",
        "{e} has {v} as its {a}.",
    ),
    "update": (
        "The {a} of {e} is now {v}.",
        "We changed the {a} of {e} to {v} today.",
        "From today on {e} has {v} as its {a}.",
    ),
    "mention": (
        "With {v} as the {a} of {e} the load looks fine.",
        "I noted {v} as the {a} for {e} in the plan.",
        "The {a} of {e}, {v}, works well.",
    ),
    "worded": (
        "Back when the {a} of {e} was {v}, we had fewer alarms.",
        "The {a} of {e} used to be {v}, do you remember?",
        "That incident was in the days when {e} had {v} as its {a}.",
    ),
    "dated": (
        "On {d} the {a} of {e} was still {v}.",
        "In the minutes of {d} the {a} of {e} was {v}.",
    ),
    "bare": (
        "The first handbook gives {v} as the {a} of {e}.",
        "My slides from the kick-off say that the {a} of {e} is {v}.",
        "Look at the old ticket: {a} of {e}, {v}.",
    ),
    "correction": (
        "I misread it: the {a} of {e} never was {o}, it is {v}.",
        "Correction: {v} is the {a} of {e}, {o} was a mistake of mine.",
    ),
    "override": (
        "I guess the {a} of {e} is {v}, no?",
        "Is the {a} of {e} not {v}? I think it is {v}.",
    ),
    "late": (
        "I forgot to say: from {d} on the {a} of {e} was {v} for a while.",
        "For the record, the {a} of {e} was set to {v} on {d}.",
    ),
    "back": (
        "We went back to {v} as the {a} of {e}.",
        "The {a} of {e} is {v} again since this morning.",
    ),
}  # fmt: skip
"""How each thing is said, of a value ``v`` of the attribute ``a`` of the entity ``e``; ``o`` is the value before."""
PAST = ("worded", "dated", "late")
"""The ways of saying whose words speak of the past."""
ASKED = "What is the {a} of {e}?"
