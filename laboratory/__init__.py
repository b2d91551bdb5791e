"""The laboratory: every operator against every postulate and its definition, and the store against cases.

`run.py matrix`: `operators` names the operators and what is published of them, `spaces` the cases
that are gone through, `searching` does it, `storing` keeps counterexamples, `pages` writes what came
out, and `matrix` is the command.

`run.py oracles`: `definitions` has each operator by brute force, `asking` draws questions,
`comparing` lists what is held against what, and `oracles` is the command.

`run.py cases`: `casebook` plays recorded histories and attacks on a store, and `cases` is the command.

`run.py reference`: `sources` reads public names off the source text, `reference` writes their pages
and is the command.
"""
