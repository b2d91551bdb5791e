"""The formal laboratory: every operator against every postulate, by search; run by `run.py matrix`.

`operators` names the operators and what is published of them, `spaces` the cases that are gone
through, `searching` does it, `storing` keeps counterexamples, `pages` writes what came out, and
`matrix` is the command.
"""
