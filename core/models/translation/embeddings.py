"""What an encoder–decoder adds up before its first layer, and its sizes.

Vaswani et al. 2017, sections 3.4 and 3.5: token embeddings × √d_model + positions.
"""

from typing import Any

import numpy as np
from jaxtyping import Float32, Int64

from core.outputs.decoding import InputSum, Positions, TranslatorProfile
from core.trace import read_only


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
