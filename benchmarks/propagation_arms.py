"""Three truth maintenance systems behind one set of verbs: ours, ltms and ftl-reasons.

The published packages have no verb that takes a justification away again, or only for some of them. For
their sake each justification of theirs has one more premise, a switch, and goes with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from agm_propagation import Justification, SupportGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchmarks.propagation_nets import Rule


class Arm(Protocol):
    """Beliefs by number: some are held, others follow by rules."""

    def hold(self, belief: int) -> None:
        """Let a base belief stand by itself."""

    def retire(self, belief: int) -> None:
        """Let a base belief no longer stand by itself."""

    def add(self, rule: Rule) -> None:
        """One more justification."""

    def remove(self, rule: Rule) -> None:
        """The same one less."""

    def believed(self) -> set[int]:
        """What is IN."""


class Ours:
    """Labels of a support graph."""

    def __init__(self, base: int, derived: int, rules: Iterable[Rule]) -> None:
        names = [str(number) for number in range(base + derived)]
        graph = SupportGraph.of(map(self._justification, rules), beliefs=names)
        self.labels = graph.labels(names[:base])

    @staticmethod
    def _justification(rule: Rule) -> Justification:
        return Justification(conclusion=str(rule[0]), premises=frozenset(map(str, rule[1])))

    def hold(self, belief: int) -> None:
        """Let a base belief stand by itself."""
        self.labels.hold([str(belief)])

    def retire(self, belief: int) -> None:
        """Let it no longer stand by itself."""
        self.labels.retire([str(belief)])

    def add(self, rule: Rule) -> None:
        """Add a justification."""
        self.labels.add(self._justification(rule))

    def remove(self, rule: Rule) -> None:
        """Take it away again."""
        self.labels.remove(self._justification(rule))

    def believed(self) -> set[int]:
        """List what is IN."""
        return set(map(int, self.labels.believed))


class Ltms:
    """The JTMS of ltms: base beliefs and switches are assumptions. ImportError where it is not installed."""

    def __init__(self, base: int, derived: int, rules: Iterable[Rule]) -> None:
        from ltms.jtms import JTMS

        self.system = JTMS()
        self.nodes = [
            self.system.create_node(number, assumption=number < base)
            for number in range(base + derived)
        ]
        self._switches: dict[Rule, Any] = {}
        for number in range(base):
            self.hold(number)
        for rule in rules:
            self.add(rule)

    def hold(self, belief: int) -> None:
        """Let a base belief stand by itself."""
        self.system.enable_assumption(self.nodes[belief])

    def retire(self, belief: int) -> None:
        """Let it no longer stand by itself."""
        self.system.retract_assumption(self.nodes[belief])

    def add(self, rule: Rule) -> None:
        """Add a justification."""
        if rule not in self._switches:
            switch = self._switches[rule] = self.system.create_node(rule, assumption=True)
            premises = [self.nodes[number] for number in rule[1]]
            self.system.justify_node("rule", self.nodes[rule[0]], [switch, *premises])
        self.system.enable_assumption(self._switches[rule])

    def remove(self, rule: Rule) -> None:
        """Take it away again."""
        self.system.retract_assumption(self._switches[rule])

    def believed(self) -> set[int]:
        """List what is IN."""
        return {number for number, node in enumerate(self.nodes) if node.is_in}


class Ftl:
    """The network of ftl-reasons; ImportError where it is not installed.

    A node without justifications is a premise there and IN, so each derived belief begins with one that
    never fires.
    """

    def __init__(self, base: int, derived: int, rules: Iterable[Rule]) -> None:
        from reasons import Justification as Reason
        from reasons.network import Network

        self._reason = Reason
        self.network = Network()
        self.network.add_node("never", "")
        self.network.retract("never")
        for number in range(base + derived):
            never = [Reason("SL", ["never"])] if number >= base else []
            self.network.add_node(str(number), "", never)
        self._count = base + derived
        self._switches: dict[Rule, str] = {}
        for rule in rules:
            self.add(rule)

    def hold(self, belief: int) -> None:
        """Let a base belief stand by itself."""
        self.network.assert_node(str(belief))

    def retire(self, belief: int) -> None:
        """Let it no longer stand by itself."""
        self.network.retract(str(belief))

    def add(self, rule: Rule) -> None:
        """Add a justification."""
        if rule in self._switches:
            self.network.assert_node(self._switches[rule])
            return
        switch = self._switches[rule] = f"switch {len(self._switches)}"
        self.network.add_node(switch, "")
        premises = [switch, *map(str, rule[1])]
        self.network.add_justification(str(rule[0]), self._reason("SL", premises))

    def remove(self, rule: Rule) -> None:
        """Take it away again."""
        self.network.retract(self._switches[rule])

    def believed(self) -> set[int]:
        """List what is IN."""
        nodes = self.network.nodes
        return {number for number in range(self._count) if nodes[str(number)].truth_value == "IN"}


ARMS: dict[str, Callable[[int, int, Iterable[Rule]], Arm]] = {
    "agm": Ours,
    "ltms": Ltms,
    "ftl-reasons": Ftl,
}
