"""What GPT and its relatives can be asked."""

from collections.abc import Sequence
from typing import Protocol

from core.interventions import Intervention
from core.outputs.decoder import (
    ContinuationScore,
    FineTuningStart,
    Generation,
    NextStep,
    TokenInventory,
)
from core.outputs.encoder import TokenPrediction
from core.outputs.families.text import LanguageModel
from core.trace import Trace


class Decoder(LanguageModel, Protocol):
    """GPT and its relatives: every position predicts the next token."""

    def inventory(self) -> TokenInventory:
        """The tokens that a text may be made of, and what may stand before it."""
        ...

    def ids_of(self, text: str) -> tuple[int, ...]:
        """A piece of text as ids, no special tokens added."""
        ...

    def trace_ids(
        self, ids: tuple[int, ...], *, interventions: Sequence[Intervention] = ()
    ) -> Trace:
        """A trace of token ids as they are, for sequences that no text makes."""
        ...

    def next_token(
        self,
        text: str,
        *,
        top_k: int = 10,
        temperature: float = 1.0,
        interventions: Sequence[Intervention] = (),
    ) -> tuple[TokenPrediction, ...]:
        """The most probable next tokens under a temperature; 0 gives one token all."""
        ...

    def next_step(
        self,
        text: str,
        *,
        continuation: tuple[int, ...] = (),
        interventions: Sequence[Intervention] = (),
    ) -> NextStep:
        """One pass over the prompt and the ids that were chosen after it."""
        ...

    def generate(
        self,
        text: str,
        *,
        max_new_tokens: int = 20,
        temperature: float = 1.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        interventions: Sequence[Intervention] = (),
    ) -> Generation:
        """Write on; temperature 0, top_k 1 or top_p 0 is greedy decoding."""
        ...

    def score_continuation(self, text: str, continuation: str) -> ContinuationScore:
        """log P of a continuation after a prompt, each tokenized by itself."""
        ...

    def fine_tuning_inputs(
        self, task: str, texts: tuple[str, ...], *, seed: int = 0
    ) -> FineTuningStart:
        """A task of Radford et al. 2018, figure 1, before the first update: see `Task`."""
        ...
