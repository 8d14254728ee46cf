"""GPT and its relatives: causal self-attention, every position predicts the next token.

Radford et al. 2018, https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor
from typing_extensions import override

from core.capture import read_row
from core.models.encoding import encode
from core.models.lens import LanguageModel
from core.models.text import Prepared, id_tensors, refuse_unknown
from core.trace import AttentionKind


@dataclass(frozen=True)
class TextDecoder(LanguageModel):
    """A causal language model: one text, no pair."""

    @override
    def prepare(self, text: str, **given: str | None) -> Prepared:
        refuse_unknown(self.card, given, allowed=set())
        return encode(self.tokenizer, text, limit=self.token_limit), None

    @override
    def promised_maps(self) -> Mapping[AttentionKind, int]:
        config: Any = self.module.config
        return {AttentionKind.DECODER: config.num_hidden_layers}

    @override
    def kind_of(self, path: str) -> AttentionKind:
        return AttentionKind.DECODER

    @override
    def tensors(self, batch: Sequence[Prepared]) -> dict[str, Any]:
        ids: Tensor = id_tensors([source for source, _ in batch], self.device)
        return {"input_ids": ids, "use_cache": False}

    @override
    def states_of(self, output: Any, row: int) -> Mapping[AttentionKind, tuple[np.ndarray, ...]]:
        return {
            AttentionKind.DECODER: tuple(read_row(state, row) for state in output.hidden_states)
        }
