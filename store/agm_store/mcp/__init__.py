"""The verbs of a store as tools of a model, over the Model Context Protocol; needs the extra ``mcp``.

Read `arguments` (what a model may say), `tools` (what becomes of it), `answers` (what it is told), then
`serving` and `pipes`, the two files that meet the SDK.  Whose beliefs they are, who speaks and how much that counts
is fixed before the first word of a model is read, and is no argument of any tool.
"""

from __future__ import annotations

from agm_store.mcp.serving import serve, server
from agm_store.mcp.tools import Tools

__all__ = ["Tools", "serve", "server"]
