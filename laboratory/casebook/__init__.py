"""Recorded cases played on a store, whatever file they come from.

`found` says how a case may come out, `vocabulary` what the words of a history mean.  `stage` plays its
events through the public verbs, `answering` the answers of models among them, and `judging` holds what
the store says against what is expected; `attacks` plays hostile input, `calls` single calls of it.
`playing` takes one line of a file, whichever form it has; `laboratory.cases` is the command.  Nothing is
looked up by the id of a case.
"""
