"""The edge towards language models: adapters for the protocols of `agm.directives`, failing closed.

In which order to read: `kinds` (how a call can fail), `asking` (the one place that calls the SDK),
`envelopes` and `reading` (from bytes to a value), `prompts`, then the adapters: `extracting`,
`judging`, `rewriting`, `batches`, and `scripted`, which answers from a script by the same readers.

Nothing in `agm` imports this package, and importing it loads no SDK. An answer that is not
understood is a `NotRun`, never a guess; what a model writes is data until it is validated.
"""

from agm.llm.accounting import Prices
from agm.llm.breaker import Breaker
from agm.llm.errors import InvalidSetting, NoKey, ScriptEnded
from agm.llm.extracting import AnthropicExtractor
from agm.llm.judging import AnthropicEntailment, AnthropicJudge
from agm.llm.kinds import KINDS
from agm.llm.rewriting import AnthropicReconstructor, AnthropicResynthesiser
from agm.llm.scripted import (
    ScriptedEntailment,
    ScriptedExtractor,
    ScriptedJudge,
    ScriptedReconstructor,
    ScriptedResynthesiser,
)

__all__ = [
    "KINDS",
    "AnthropicEntailment",
    "AnthropicExtractor",
    "AnthropicJudge",
    "AnthropicReconstructor",
    "AnthropicResynthesiser",
    "Breaker",
    "InvalidSetting",
    "NoKey",
    "Prices",
    "ScriptEnded",
    "ScriptedEntailment",
    "ScriptedExtractor",
    "ScriptedJudge",
    "ScriptedReconstructor",
    "ScriptedResynthesiser",
]
