"""Names that look alike: flagged for people, never merged.

A name of another script, or with characters nobody sees, is another name; whoever reads both on
a screen cannot tell. The table holds the letters that common fonts draw the same (after the
`intentional` and prototype data of Unicode TR 39, the part for Latin look-alikes).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_ALIKE = str.maketrans(
    # Cyrillic, then Greek, then digits and letters that differ by a serif.
    "авекмнорстухіјѕһԁԛԝАВЕЗКМНОРСТУХІЈЅԌ" + "αικνορτυχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "01I|Сс",
    "aBeKMHopcTyxijshdqwABE3KMHOPCTYXIJSG" + "aiKvoptuxyABEZHlKMNOPTYX" + "OlllCc",
)


def confusable(name: str, others: Iterable[str]) -> tuple[str, ...]:
    r"""Those of the other names that look like this one and are not it, sorted.

    >>> confusable("\u0441heckout", ["checkout", "cart"])
    ('checkout',)
    """
    shape = skeleton(name)
    return tuple(sorted({other for other in others if other != name and skeleton(other) == shape}))


def skeleton(name: str) -> str:
    """What a name looks like: names with one skeleton are confusable. For indexes; not a name."""
    if not name.isascii():
        from unicodedata import category, normalize

        name = normalize("NFKC", name)
        name = "".join(c for c in name if category(c) not in {"Cf", "Mn"})
    return " ".join(name.translate(_ALIKE).split())


def unseen(name: str) -> tuple[str, ...]:
    """The code points of the name that show nothing or turn the writing around, as `U+202E`."""
    if name.isascii():
        return ()
    from unicodedata import category

    return tuple(f"U+{ord(c):04X}" for c in name if category(c) in {"Cf", "Zl", "Zp"})
