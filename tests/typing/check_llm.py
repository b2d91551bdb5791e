"""Adapters fit the protocols they are for, and their settings are typed; read by mypy only."""

from decimal import Decimal

from agm.directives import Entailment, Extractor, Judge, Reconstructor, Resynthesiser
from agm.llm import (
    AnthropicEntailment,
    AnthropicExtractor,
    AnthropicJudge,
    AnthropicReconstructor,
    AnthropicResynthesiser,
    Breaker,
    Prices,
    ScriptedEntailment,
    ScriptedExtractor,
    ScriptedJudge,
    ScriptedReconstructor,
    ScriptedResynthesiser,
)

prices = Prices(input=Decimal(3), output=Decimal(15))
extractors: list[Extractor] = [
    AnthropicExtractor(model="m", deadline=10.0, prices=prices, breaker=Breaker()),
    ScriptedExtractor([{"facts": []}]),
]
entailments: list[Entailment] = [AnthropicEntailment(model="m"), ScriptedEntailment([])]
judges: list[Judge] = [AnthropicJudge(model="m"), ScriptedJudge(lambda *_, reason: reason)]
writers: list[Resynthesiser] = [AnthropicResynthesiser(model="m"), ScriptedResynthesiser({})]
readers: list[Reconstructor] = [AnthropicReconstructor(model="m"), ScriptedReconstructor({})]

AnthropicExtractor(model="m", deadline="30")  # type: ignore[arg-type]
AnthropicExtractor(model="m", temperature=0)  # type: ignore[call-arg]
AnthropicExtractor()  # type: ignore[call-arg]
Prices(input=3.0, output=Decimal(15))  # type: ignore[arg-type]
