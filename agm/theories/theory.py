"""Theories: belief sets closed under consequence, each the set of worlds it leaves possible.

More worlds are fewer beliefs: K ⊆ K' when the worlds of K' are among those of K, the theory common
to both has the worlds of either, and expansion keeps the worlds of both (Grove 1988; Katsuno and
Mendelzon 1991).
"""

from __future__ import annotations

from agm.beliefs import Frozen
from agm.interning import set_field
from agm.numbering import members
from agm.signature import NotOfWorlds, OtherSignature, Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agm.claims import Claim
    from agm.signature import Input, WorldSet


def signature_of(theory: Theory) -> Signature:
    """The signature of a theory; raises NotOfWorlds for what is none, as a base."""
    if not isinstance(theory, Theory):
        raise NotOfWorlds(theory, "Theory")
    return theory.signature


class Theory(Frozen):
    """All that follows from some claims over a signature, as `worlds`, the set of their models.

    Raises OutsideSignature for a claim or a set of worlds that the signature cannot tell.

    >>> from agm import prop
    >>> p, q = prop("p"), prop("q")
    >>> K = Theory.of(p, p >> q)
    >>> K.entails(q), str(K.claim), str(K.expand(~q).claim)
    (True, 'p & q', 'false')
    """

    __slots__ = ("signature", "worlds")

    signature: Signature
    worlds: WorldSet

    def __init__(self, signature: Signature, claim: Input) -> None:
        set_field(self, "signature", signature)
        set_field(self, "worlds", signature.worlds(claim))

    @classmethod
    def of(cls, *claims: Claim, over: Signature | None = None) -> Theory:
        """The theory of these claims, over a signature of their own unless one is given."""
        signature = over if over is not None else Signature(claims)
        worlds = signature.everywhere
        for claim in claims:
            worlds &= signature.worlds(claim)
        return cls(signature, worlds)

    @property
    def consistent(self) -> bool:
        """Whether some world is left possible."""
        return self.worlds != 0

    @property
    def complete(self) -> bool:
        """Whether just one world is left possible, so that every claim or its denial follows."""
        return self.worlds.bit_count() == 1

    @property
    def claim(self) -> Claim:
        """A claim from which just this theory follows."""
        return self.signature.claim(self.worlds)

    def entails(self, claim: Input) -> bool:
        """Whether the claim is in the theory."""
        return not self.worlds & ~self.signature.worlds(claim)

    def includes(self, other: Theory) -> bool:
        """Whether every sentence of the other theory is in this one."""
        return not self.worlds & ~other.over(self.signature).worlds

    def expand(self, claim: Input) -> Theory:
        """What follows from the theory with the claim, whatever it contradicts (K + α)."""
        return self.with_worlds(self.worlds & self.signature.worlds(claim))

    def common(self, other: Theory) -> Theory:
        """The sentences of both theories (K ∩ K')."""
        return self.with_worlds(self.worlds | other.over(self.signature).worlds)

    def with_worlds(self, worlds: WorldSet) -> Theory:
        """The theory of other worlds over the same signature."""
        made = Theory.__new__(Theory)
        set_field(made, "signature", self.signature)
        set_field(made, "worlds", worlds)
        return made

    def over(self, signature: Signature) -> Theory:
        """The theory itself; raises OtherSignature when it is not over this signature."""
        if self.signature is not signature and self.signature != signature:
            raise OtherSignature(signature, self.signature)
        return self

    def texts(self) -> list[str]:
        """The worlds left possible, each as a row of digits in the order of the simple claims."""
        return sorted(map(self.signature.text, members(self.worlds)))

    def __eq__(self, other: object) -> bool:
        """Theories are the same when they have the same worlds over the same signature."""
        return (
            isinstance(other, Theory)
            and self.worlds == other.worlds
            and (self.signature is other.signature or self.signature == other.signature)
        )

    def __hash__(self) -> int:
        return hash((Theory, self.worlds))

    def __reduce__(self) -> tuple[object, ...]:
        """Travel by signature and worlds."""
        return Theory, (self.signature, self.worlds)

    def __repr__(self) -> str:
        return f"<Theory {self.signature.shown(self.worlds)}>"
