"""Which heads show a known pattern: the token before, itself, the first, and induction.

Olsson et al., "In-context Learning and Induction Heads", 2022,
https://arxiv.org/abs/2209.11895: on a repeated random sequence an induction head looks at
the token after the last occurrence of the present one.
"""

import numpy as np
import torch
from jaxtyping import Float32
from transformers import PreTrainedModel

from core.training.common.head_habits import describe, describe_flat, evenness
from core.training.gpt.corpus import Tokens

SEQUENCES, LENGTH = 16, 128  # of held-out text; random sequences have half the length, twice
SEED = 0
Map = Float32[np.ndarray, "layer head query key"]
PerHead = Float32[np.ndarray, "layer head"]


def attention(model: PreTrainedModel, rows: np.ndarray) -> list[Map]:
    """Every head's map on each row of ids (sequence, token)."""
    model.set_attn_implementation("eager")  # the one that returns its weights
    found: list[Map] = []
    for row in torch.from_numpy(rows):
        with torch.inference_mode():
            maps = model(row[None], output_attentions=True).attentions
        found.append(torch.cat(maps).float().numpy(force=True))
    return found


def habits(maps: list[Map]) -> dict[str, PerHead]:
    """Mean weights on text, over the tokens from the third on."""
    return {
        "the token before": _mean([np.diagonal(m, -1, 2, 3)[:, :, 1:] for m in maps]),
        "the token itself": _mean([np.diagonal(m, 0, 2, 3)[:, :, 2:] for m in maps]),
        "the first token": _mean([m[:, :, 2:, 0] for m in maps]),
    }


def induction(model: PreTrainedModel) -> dict[str, PerHead]:
    """Mean weight on the token after the present one's first occurrence, random tokens twice."""
    half = np.random.default_rng(SEED).integers(
        1, model.config.vocab_size, size=(SEQUENCES, LENGTH // 2)
    )
    maps = attention(model, np.concatenate([half, half], axis=1))
    offset = 1 - LENGTH // 2  # the second occurrence is at t, its successor's first at t + offset
    seen = [np.diagonal(m, offset, 2, 3)[:, :, 1:] for m in maps]
    return {"the successor in a repeated random sequence (induction)": _mean(seen)}


def report(model: PreTrainedModel, text: Tokens) -> dict[str, str]:
    """The card's notes on the heads; `text` is a piece of held-out text, long enough."""
    rows = text[: SEQUENCES * LENGTH].reshape(-1, LENGTH).astype(np.int64)
    maps = attention(model, rows)
    keys = np.arange(1, LENGTH + 1, dtype=np.float32)
    even = np.mean([evenness(m, keys) for m in maps], axis=0)
    return {
        "heads": describe(habits(maps) | induction(model)),
        "flat heads": describe_flat({"attention": even}),
    }


def _mean(weights: list[Float32[np.ndarray, "layer head query"]]) -> PerHead:
    return np.mean([each.mean(axis=-1) for each in weights], axis=0)
