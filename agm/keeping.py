"""Contractions of your own: what is kept is said, and the library works out the certificates.

A rule may be kept but for some of its instances: as a copy that has these as exceptions besides its
own, the way remainders list it. Whatever else is not a belief of the base is refused.
"""

from __future__ import annotations

from agm.changes import Change, Loss
from agm.claims import ForAll, substitute
from agm.components import instance_of
from agm.errors import AgmError, ClaimError, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim, Value
    from agm.components import Item
    from agm.factors import Factor
    from agm.grounding import Binding
    from agm.targets import Target
    from agm.vocabulary import Vocabulary

    Kept: TypeAlias = dict[
        str, frozenset[Binding]
    ]  # by id, with the instances that go all the same


class ForeignBelief(AgmError, ValueError):
    """Beliefs to be kept that the base does not hold, or not like this; `ids` lists them."""

    def __init__(self, ids: Sequence[str], base: BeliefBase) -> None:
        """Name the beliefs and the base."""
        self.ids = tuple(ids)
        super().__init__(
            f"asked to keep {shown(list(self.ids[:5]))}, {len(self.ids)} in all, which {base!r} does "
            f"not hold; keep beliefs of the very base that is contracted"
        )


def keep(
    base: BeliefBase, kept: Iterable[Belief], claim: Claim, vocabulary: Vocabulary | None = None
) -> Change:
    """The change to just these beliefs, with a certificate for each loss that has one.

    Raises ForeignBelief. The certificates raise NotDecided when they are read and not found out.
    """
    chosen = _chosen(base, kept)
    certify = _Certifying(base, claim, chosen)
    given_up: list[Loss] = []
    for belief in base:
        cut = chosen.get(belief.id)
        if cut is None:
            given_up.append(Loss(belief, certify.of(belief), against=claim))
        for binding in sorted(cut or ()):
            instance = instance_of(belief, binding, _instance(belief, binding, base))
            found = certify.of(belief, binding)
            given_up.append(Loss(instance, found, against=claim, rule=belief, binding=binding))
    return Change(base, claim, given_up=given_up, route="kept", vocabulary=vocabulary)


def _chosen(base: BeliefBase, kept: Iterable[Belief]) -> Kept:
    chosen: Kept = {}
    strangers: set[str] = set()
    for belief in kept:
        own = base.called(belief.id)
        cut = None if own is None else _cut(own, belief)
        if cut is None:
            strangers.add(belief.id)
        else:
            chosen[belief.id] = chosen.get(belief.id, cut) & cut
    if strangers:
        raise ForeignBelief(sorted(strangers), base)
    return chosen


def _cut(own: Belief, kept: Belief) -> frozenset[Binding] | None:
    """The instances that a belief which is kept leaves out; None when it is another belief."""
    if kept is own:
        return frozenset()
    more = kept.exceptions - own.exceptions
    if own.exceptions - kept.exceptions or (more and not isinstance(own.claim, ForAll)):
        return None
    fields = (field for field in own.fields if field != "exceptions")
    return more if all(getattr(kept, name) == getattr(own, name) for name in fields) else None


def _instance(rule: Belief, binding: Binding, base: BeliefBase) -> Claim:
    """What a rule says of a binding; ForeignBelief when it is a binding of no rule like this."""
    from agm.syntax import parse

    body = rule.claim
    assert isinstance(body, ForAll)
    try:
        values: dict[str, Value] = {
            name: parse(f"said({text})").args[0]  # type: ignore[attr-defined]
            for name, text in binding
        }
        return substitute(body.body, {one: values[one.name] for one in body.variables})
    except (ClaimError, KeyError, AttributeError, ValueError):
        raise ForeignBelief([rule.id], base) from None


class _Certifying:
    """Certificates for what somebody gave up; the question is read when one is asked for."""

    def __init__(self, base: BeliefBase, claim: Claim, chosen: Kept) -> None:
        self._base = base
        self._claim = claim
        self._chosen = chosen
        self._target: Target | None = None

    def of(
        self, belief: Belief, binding: Binding | None = None
    ) -> Callable[[], tuple[Belief, ...] | None]:
        """Finds the certificate of a belief or an instance; None when it is in no kernel.

        A rule that goes whole goes with all of its instances. Raises NotDecided.
        """

        def certificate() -> tuple[Belief, ...] | None:
            from agm.certificates import Certificate

            for factor in self._parts():
                mine = [item for item in factor.items if self._is_of(item, belief, binding)]
                if mine:
                    kept = [item for item in factor.items if self._is_kept(item)]
                    found = Certificate(factor, mine[0], kept, others=mine[1:]).kernel()
                    if found is not None:
                        return found
            return None

        return certificate

    def _is_of(self, item: Item, belief: Belief, binding: Binding | None) -> bool:
        whole = self._base.arena.beliefs[item.number]
        return whole is belief and (binding is None or item.binding == binding)

    def _is_kept(self, item: Item) -> bool:
        cut = self._chosen.get(self._base.arena.beliefs[item.number].id)
        return cut is not None and item.binding not in cut

    def _parts(self) -> tuple[Factor, ...]:
        if self._target is None:
            from agm.targets import Target

            self._target = Target(self._base, [self._claim])
        return self._target.parts
