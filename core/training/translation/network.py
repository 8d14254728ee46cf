"""The Transformer of 2017 in Marian's layout, and its loss.

Vaswani et al., "Attention Is All You Need", https://arxiv.org/abs/1706.03762: post-LN, ReLU,
sinusoidal positions (fixed), one embedding matrix for both languages and the output, its
rows times √d_model at the input. An unmodified `transformers.MarianMTModel`.
"""

import torch
from torch import Tensor
from torch.nn import functional
from transformers import MarianConfig, MarianMTModel

from core.training.translation.batches import NO_QUESTION
from core.training.translation.tokenizer import END, PAD, START

LAYERS = 4  # of the encoder, and of the decoder
HEADS = 8
D_MODEL = 256
D_FF = 512
MAX_POSITIONS = 256
VOCABULARY_SIZE = 8_000
LABEL_SMOOTHING = 0.1
P_DROP = 0.1  # of the embeddings with their positions, which is all that a CPU has time to drop
P_DROP_EVERYWHERE = 0.2  # of them and every sub-layer's output, where pairs are read many times
BEAMS, LENGTH_PENALTY = 4, 0.6  # of the search: section 6.1 of the paper
NEW_TOKENS_LIMIT = 50  # beyond the input's length: likewise


def build_model(
    *,
    vocabulary_size: int = VOCABULARY_SIZE,
    layers: int = LAYERS,
    heads: int = HEADS,
    d_model: int = D_MODEL,
    d_ff: int = D_FF,
    drop_everywhere: bool = False,
) -> MarianMTModel:
    """A freshly initialised model; matrices and embeddings are normal with d_model^-0.5."""
    model = MarianMTModel(
        MarianConfig(
            vocab_size=vocabulary_size,
            d_model=d_model,
            encoder_layers=layers,
            decoder_layers=layers,
            encoder_attention_heads=heads,
            decoder_attention_heads=heads,
            encoder_ffn_dim=d_ff,
            decoder_ffn_dim=d_ff,
            max_position_embeddings=MAX_POSITIONS,
            activation_function="relu",
            scale_embedding=True,
            dropout=P_DROP_EVERYWHERE if drop_everywhere else 0.0,
            init_std=d_model**-0.5,
            pad_token_id=PAD,
            eos_token_id=END,
            bos_token_id=START,
            decoder_start_token_id=START,
            forced_eos_token_id=None,
        )
    )
    if not drop_everywhere:
        model.model.encoder.dropout = model.model.decoder.dropout = P_DROP
    settings = model.generation_config
    settings.num_beams, settings.length_penalty = BEAMS, LENGTH_PENALTY
    settings.max_length = MAX_POSITIONS
    return model


def smoothed_loss(
    model: MarianMTModel, source: Tensor, decoder_input: Tensor, labels: Tensor
) -> Tensor:
    """Mean label-smoothed cross-entropy (section 5.4) of the target's tokens; all (pair, token)."""
    hidden = model.model(
        input_ids=source,
        attention_mask=(source != PAD).long(),
        decoder_input_ids=decoder_input,
        use_cache=False,
    )[0]
    return functional.cross_entropy(
        model.lm_head(hidden).float().flatten(0, 1),
        labels.flatten(),
        ignore_index=NO_QUESTION,
        label_smoothing=LABEL_SMOOTHING,
    )


def as_tensors(*arrays: object, device: str) -> tuple[Tensor, ...]:
    return tuple(torch.as_tensor(array, device=device) for array in arrays)
