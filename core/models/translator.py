"""Encoder–decoder models: the Transformer of Vaswani et al. 2017 (Marian), BART, T5.

https://arxiv.org/abs/1706.03762. Three kinds of attention: the encoder's, the decoder's
(causal), and the cross-attention from the decoder's tokens to the encoder's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from typing_extensions import override

from core.capture import read_row
from core.models.encoding import encode, encode_ids
from core.models.text import Prepared, TextModel, id_tensors, refuse_unknown
from core.trace import AttentionKind, Encoding

CROSS_NAMES = ("encoder_attn", "EncDecAttention", "crossattention", "cross_attn")
NEW_TOKENS_LIMIT = 50  # beyond the input's length: Vaswani et al. 2017, section 6.1


@dataclass(frozen=True)
class Translator(TextModel):
    """A text goes in; the target is given (teacher forcing) or decoded greedily first."""

    @override
    def prepare(self, text: str, **given: str | None) -> Prepared:
        refuse_unknown(self.card, given, allowed={"target"})
        source = encode(self.tokenizer, text, limit=self.token_limit)
        if (target := given.get("target")) is not None:
            encode(self.tokenizer, target, limit=self.token_limit, name="target")  # may refuse it
            ended = self.tokenizer(text_target=target)["input_ids"]
            ids = ended[:-1]  # the end is predicted, not fed
        else:
            ids = self._greedy(source)
        config: Any = self.module.config
        return source, encode_ids(self.tokenizer, [config.decoder_start_token_id, *ids])

    @override
    def promised_maps(self) -> Mapping[AttentionKind, int]:
        config: Any = self.module.config
        encoder = getattr(config, "encoder_layers", config.num_hidden_layers)
        decoder = getattr(config, "decoder_layers", getattr(config, "num_decoder_layers", encoder))
        return {
            AttentionKind.ENCODER: encoder,
            AttentionKind.DECODER: decoder,
            AttentionKind.CROSS: decoder,
        }

    @override
    def kind_of(self, path: str) -> AttentionKind:
        if any(name in path for name in CROSS_NAMES):
            return AttentionKind.CROSS
        return AttentionKind.DECODER if "decoder" in path else AttentionKind.ENCODER

    @override
    def tensors(self, batch: Sequence[Prepared]) -> dict[str, Any]:
        targets = [target for _, target in batch if target is not None]
        return {
            "input_ids": id_tensors([source for source, _ in batch], self.device),
            "decoder_input_ids": id_tensors(targets, self.device),
            "use_cache": False,
        }

    @override
    def states_of(self, output: Any, row: int) -> Mapping[AttentionKind, tuple[np.ndarray, ...]]:
        return {
            AttentionKind.ENCODER: tuple(read_row(s, row) for s in output.encoder_hidden_states),
            AttentionKind.DECODER: tuple(read_row(s, row) for s in output.decoder_hidden_states),
        }

    def _greedy(self, source: Encoding) -> list[int]:
        """The greedy translation's ids, without the start and the end."""
        module: Any = self.module
        config: Any = module.config
        with torch.inference_mode():
            made = module.generate(
                input_ids=id_tensors([source], self.device),
                num_beams=1,
                do_sample=False,
                max_length=None,
                # transformers sizes T5's cache by the encoder's layers
                use_cache=getattr(config, "num_decoder_layers", config.num_hidden_layers)
                == config.num_hidden_layers,
                max_new_tokens=min(len(source) + NEW_TOKENS_LIMIT, self.token_limit - 1),
            )
        ids = made[0, 1:].tolist()
        return ids[:-1] if ids and ids[-1] == config.eos_token_id else ids
