"""What an encoder–decoder adds up before its first layer, and its sizes.

Vaswani et al. 2017, sections 3.4 and 3.5: token embeddings × √d_model + positions.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from jaxtyping import Float32, Int64

from core.trace import read_only


class Positions(StrEnum):
    """How a model knows where a token stands."""

    SINUSOIDAL = "sinusoidal"
    LEARNED = "learned"
    RELATIVE = "relative"  # nothing is added; a bias on the scores (T5)


@dataclass(frozen=True, slots=True, eq=False)
class InputSum:
    """The summands of one stack's input."""

    embeddings: Float32[np.ndarray, "position d_model"]  # rows of the table, not scaled
    scale: float  # √d_model in the paper; 1 where a model leaves it out
    positions: Float32[np.ndarray, "position d_model"] | None  # None: relative positions
    result: Float32[np.ndarray, "position d_model"]  # what the first layer receives
    normed: bool  # the sum goes through a LayerNorm first (BART)

    @property
    def total(self) -> Float32[np.ndarray, "position d_model"]:
        """embeddings × scale + positions."""
        scaled = self.embeddings * np.float32(self.scale)
        return scaled if self.positions is None else scaled + self.positions


@dataclass(frozen=True, slots=True)
class TranslatorProfile:
    """Sizes that a drawing of the model names."""

    encoder_layers: int
    decoder_layers: int
    heads: int
    d_model: int
    d_head: int
    d_ff: int
    vocabulary: int
    activation: str
    positions: Positions
    scale: float  # of the embeddings
    tied: bool  # the output's matrix is the embedding's


def input_sum(
    stack: Any,
    ids: Int64[np.ndarray, " position"],
    result: Float32[np.ndarray, "position d_model"],
) -> InputSum:
    """The summands, read from the weights of `stack`, an encoder or a decoder."""
    table: np.ndarray = _array(stack.embed_tokens.weight)
    positions = getattr(stack, "embed_positions", None)
    rows = None
    if positions is not None:
        first = getattr(positions, "offset", 0)  # BART's learned table begins at 2
        rows = read_only(_array(positions.weight)[first : first + len(ids)])
    return InputSum(
        embeddings=read_only(table[ids]),
        scale=_scale(stack),
        positions=rows,
        result=result,
        normed=getattr(stack, "layernorm_embedding", None) is not None,
    )


def profile(module: Any) -> TranslatorProfile:
    """The sizes of Marian, BART, T5 and their like, from config and weights."""
    config, encoder = module.config, module.get_encoder()
    positions = getattr(encoder, "embed_positions", None)
    kind = Positions.RELATIVE
    if positions is not None:
        sinusoidal = "Sinusoidal" in type(positions).__name__
        kind = Positions.SINUSOIDAL if sinusoidal else Positions.LEARNED
    layers = getattr(config, "encoder_layers", None) or config.num_hidden_layers
    decoder = getattr(config, "decoder_layers", None) or getattr(config, "num_decoder_layers", None)
    heads = config.num_attention_heads
    output = module.get_output_embeddings()
    return TranslatorProfile(
        encoder_layers=layers,
        decoder_layers=decoder or layers,
        heads=heads,
        d_model=config.hidden_size,
        d_head=getattr(config, "d_kv", None) or config.hidden_size // heads,
        d_ff=getattr(config, "encoder_ffn_dim", None) or config.d_ff,
        vocabulary=config.vocab_size,
        activation=getattr(config, "activation_function", None) or config.feed_forward_proj,
        positions=kind,
        scale=_scale(encoder),
        tied=output.weight.data_ptr() == encoder.embed_tokens.weight.data_ptr(),
    )


def _scale(stack: Any) -> float:
    of_stack = getattr(stack, "embed_scale", 1.0)
    return float(getattr(stack.embed_tokens, "embed_scale", of_stack) or 1.0)


def _array(weight: Any) -> np.ndarray:
    return weight.detach().float().cpu().numpy()
