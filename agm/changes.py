"""What an operator decided: beliefs kept, given up with certificates, and added.

A `Change` belongs to the base it was worked out for; its `after` is the base that results. A `Loss`
names a belief that was given up and its certificate: a minimal set of beliefs that together with it
entail what had to go. Both are found without side effect, the certificate when it is first read.
"""

from __future__ import annotations

from agm.beliefs import Frozen
from agm.errors import NotDecided
from agm.interning import set_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from agm.base import BeliefBase
    from agm.beliefs import Belief
    from agm.claims import Claim
    from agm.grounding import Binding
    from agm.values import Key, Value
    from agm.vocabulary import Vocabulary


class Loss(Frozen):
    """A belief given up, and why: `kernel` and the belief together entail the sentence in `against`.

    `certified` is False for a loss without a certificate, and `by` says how it came about: an update
    ends what the change of the world ends, and a user's own contraction may give up more than it
    must. Both raise NotDecided when it was not found out whether there is one; `reason` then says so.
    `rule` and `binding` say which instance of which rule was given up.
    """

    __slots__ = ("_against", "_kernel", "belief", "binding", "by", "rule")
    _against: object
    belief: Belief
    rule: Belief | None
    binding: Binding | None
    by: str
    _kernel: Sequence[Belief] | Callable[[], Sequence[Belief] | None] | None

    def __init__(
        self,
        belief: Belief,
        kernel: Sequence[Belief] | Callable[[], Sequence[Belief] | None] | None,
        *,
        against: Claim | Callable[[], Claim],
        rule: Belief | None = None,
        binding: Binding | None = None,
        by: str = "nothing in the base calls for it",
    ) -> None:
        set_field(self, "belief", belief)
        set_field(self, "_kernel", kernel)
        set_field(self, "_against", against)
        set_field(self, "rule", rule)
        set_field(self, "binding", binding)
        set_field(self, "by", by)

    @property
    def against(self) -> Claim:
        """The sentence that had to go; made when first asked for."""
        found: object = self._against
        if callable(found):
            found = found()
            set_field(self, "_against", found)
        return found  # type: ignore[return-value]

    @property
    def kernel(self) -> Sequence[Belief]:
        """The other beliefs of the certificate, most entrenched first."""
        return self._certificate() or ()

    @property
    def certified(self) -> bool:
        """Whether there is a certificate."""
        return self._certificate() is not None

    @property
    def reason(self) -> str:
        """The certificate in words: what the belief entails, and with what."""
        try:
            if not self.certified:
                return self.by
        except NotDecided as fault:
            return f"it was given up, and why is not known: {fault.reason}"
        support = "; ".join(f"{belief.claim} [{belief.id}]" for belief in self.kernel)
        return f"it entails {self.against}" + (f" with {support}" if support else "")

    def _certificate(self) -> Sequence[Belief] | None:
        kernel = self._kernel
        if callable(kernel):
            kernel = kernel()
            set_field(self, "_kernel", kernel)
        return kernel

    def __repr__(self) -> str:
        return f"<Loss {self.belief!r}>"


def gone(losses: Iterable[Loss]) -> set[str]:
    """The ids of the beliefs that go whole; a rule of which instances go stays."""
    return {loss.belief.id for loss in losses if loss.rule is None}


class _Fields:
    """The fields of a change that is being made: a plain class, for frozen ones are slow to fill."""

    __slots__ = (
        "_after",
        "_vocabulary",
        "added",
        "before",
        "complete",
        "given_up",
        "input",
        "rejection",
        "replaced",
        "route",
        "settled",
    )
    _after: BeliefBase | None
    _vocabulary: Vocabulary | None
    before: BeliefBase
    input: Claim
    given_up: tuple[Loss, ...]
    added: tuple[Belief, ...]
    replaced: tuple[str, ...]
    rejection: Loss | None
    route: str
    complete: bool
    settled: bool


class Change(Frozen, _Fields):
    """What an operator would do to a base; `before.apply(change)` or `after` does it.

    `route` names the cheapest way that decided; `complete` is False when a search for all kernels
    or remainders was cut off; `settled` is True when the result is known to be consistent.
    `rejection` is the loss of the newcomer itself, where an operator turned it away for what is held,
    or of the first instance of a rule that was taken in with exceptions.
    """

    __slots__ = ()

    def __new__(
        cls,
        before: BeliefBase,
        input: Claim,
        *,
        given_up: Iterable[Loss] = (),
        added: Iterable[Belief] = (),
        replaced: Iterable[str] = (),
        rejection: Loss | None = None,
        route: str,
        complete: bool = True,
        settled: bool = False,
        vocabulary: Vocabulary | None = None,
    ) -> Change:
        """Fill in the fields, then close them."""
        self = _Fields()
        self.before = before
        self.input = input
        self.given_up = tuple(given_up)
        self.added = tuple(added)
        self.replaced = tuple(replaced)
        self.rejection = rejection
        self.route = route
        self.complete = complete
        self.settled = settled
        self._vocabulary = vocabulary
        self._after = None
        self.__class__ = cls
        return self  # type: ignore[return-value]  # mypy does not follow the line above

    @property
    def kept(self) -> Sequence[Belief]:
        """The beliefs of the base that stay, most entrenched first; a rule with its exceptions."""
        fresh = {belief.id for belief in self.added}
        return tuple(belief for belief in self.after if belief.id not in fresh)

    @property
    def after(self) -> BeliefBase:
        """The base that results; made when first asked for."""
        after = self._after
        if after is None:
            after = self.before.grown(self)
            set_field(self, "_after", after)
        return after

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The vocabulary after the input was taken in; None when it binds nothing new."""
        return self._vocabulary

    def to_records(self) -> list[dict[str, object]]:
        """One flat row for each belief given up, turned away or added, for data frames."""
        from agm.displays.changes import change_records

        return change_records(self)

    def __repr__(self) -> str:
        return f"<Change by {self.route}: +{len(self.added)} -{len(self.given_up)}>"

    def __str__(self) -> str:
        """What is added and given up, a line each, with the certificate of each loss."""
        lines = [f"+ {belief.claim}  [{belief.id}, {belief.entrenchment}]" for belief in self.added]
        turned_away = () if self.rejection is None else (self.rejection,)
        for sign, losses in (("x", turned_away), ("-", self.given_up)):
            for loss in losses:
                lost = loss.belief
                lines.append(f"{sign} {lost.claim}  [{lost.id}, {lost.entrenchment}]")
                lines.append(f"    because {loss.reason}")
        return "\n".join(lines) or "nothing changes"


class Explanation(Frozen):
    """Why a sentence follows, or a way in which it does not.

    `kernels` are the minimal sets of beliefs that entail it; when there are none, `model` is a model
    of the base in which it is false. `complete` tells whether all kernels are listed.
    """

    __slots__ = ("claim", "complete", "kernels", "model")
    claim: Claim
    kernels: tuple[tuple[Belief, ...], ...]
    model: Mapping[Key, Value] | None
    complete: bool

    def __init__(
        self,
        claim: Claim,
        *,
        kernels: Iterable[tuple[Belief, ...]] = (),
        model: Mapping[Key, Value] | None = None,
        complete: bool = True,
    ) -> None:
        set_field(self, "claim", claim)
        set_field(self, "kernels", tuple(kernels))
        set_field(self, "model", model)
        set_field(self, "complete", complete)

    def __str__(self) -> str:
        """The kernels, and whether there may be more; or values under which the sentence is false."""
        if self.kernels:
            ways = [
                "\n".join(f"  {b.claim}  [{b.id}]" for b in k) or "  true" for k in self.kernels
            ]
            listed = f"{self.claim} follows from:\n" + "\nand also from:\n".join(ways)
            cut = f"\nand perhaps from others: the list was cut off after {len(self.kernels)}"
            return listed if self.complete else listed + cut
        values = ", ".join(f"{key} = {value!r}" for key, value in (self.model or {}).items())
        return f"{self.claim} does not follow; it is false when {values or 'nothing else is known'}"

    def to_records(self) -> list[dict[str, object]]:
        """One flat row for each belief of each kernel, for data frames."""
        from agm.displays.changes import explanation_records

        return explanation_records(self)

    def __repr__(self) -> str:
        found = f"{len(self.kernels)} kernels" if self.kernels else "a model without it"
        return f"<Explanation of {self.claim}: {found}>"
