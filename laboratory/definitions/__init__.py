"""The operators by their definitions: brute force on truth tables, and nothing of the library.

`bases` has what all others stand on: a base as rows of a truth table, all its parts, kernels and
remainders by going through every part. `contraction`, `revision` and `explanations` are about
bases; `worlds` about theories, updates and merging; `orders` about preorders of worlds, journals
and entrenchment. `choices` makes arbitrary choices that both sides of a comparison can repeat.

These are slow on purpose, and none of them does what the library does to be fast. A test sees to it
that no file here imports the library.
"""
