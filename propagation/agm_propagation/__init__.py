"""What follows from a change: the support graph and the flags it raises, as pure functions."""
