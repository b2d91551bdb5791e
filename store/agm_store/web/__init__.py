"""The web view: what one principal may see of a store, in a browser on the same machine.

Read in this order: `resolved` works out what was believed over which stretches of both time axes,
`gathering` takes everything else from the public verbs, `file` writes it all into a temporary file,
`queries` holds the questions that may be asked of it, `serving` shows it on the loopback.  The page
never meets the store: what is not in the file cannot be shown.
"""
