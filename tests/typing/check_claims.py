"""Terms carry the type of their values: what compares, and what a type checker refuses."""

from decimal import Decimal
from typing import assert_type

from agm import Claim, Term, attr, forall, prop, relation
from agm.claims import Quantity, Value

ttl = attr("cache", "ttl", of=int)
assert_type(ttl, Term[int])
assert_type(attr("cache", "ttl", of=int, scope="eu"), Term[int])
assert_type(attr("cache", "owner"), Term[Value])
assert_type(attr("cache", "owner", scope="eu"), Term[Value])

assert_type(ttl == 300, Claim)
assert_type(300 <= ttl, Claim)  # noqa: SIM300  the reflected operator is meant
assert_type(ttl < attr("page", "ttl", of=int), Claim)
assert_type(ttl + attr("page", "ttl", of=int) <= 900, Claim)
assert_type(ttl.isin(300, 600), Claim)
assert_type(attr("cache", "owner") == "anna", Claim)
assert_type(attr("cache", "size", of=Quantity) >= Quantity(5, "MB"), Claim)
assert_type(attr("tea", "price", of=Decimal) == Decimal("1.5"), Claim)
assert_type(prop("p") & ~prop("q") | prop("r") >> prop("s"), Claim)
assert_type(forall(lambda x: relation("penguin", x) >> ~relation("flies", x)), Claim)

# mypy lets any == stand, by the rules of object, but it is no claim and goes nowhere as one.
wrong_text: Claim = ttl == "300"  # type: ignore[assignment]
wrong_float: Claim = attr("cache", "price") == 1.5  # type: ignore[assignment]
ttl < "300"  # type: ignore[operator]
ttl.isin("300")  # type: ignore[arg-type]
prop("p") & True  # type: ignore[operator]
