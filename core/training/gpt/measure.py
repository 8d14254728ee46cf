"""How well the model foresees what it never saw: bits a byte of held-out text.

A byte is a byte of UTF-8, so that models with other vocabularies can be compared.
"""

import math
from collections.abc import Sequence

import torch
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import PreTrainedModel

from core.training.gpt.tokenizer import END

WINDOWS_AT_ONCE = 16


def bits_per_byte(
    model: PreTrainedModel,
    tokenizer: Tokenizer,
    documents: Sequence[str],
    *,
    tokens: int,
    context: int,
    start: int = END,
) -> float:
    """Over whole documents, the first ones, until there are so many tokens.

    A document begins after the id `start`. Windows of the whole context overlap by half, and
    only a window's later half counts (in the first one all), so that every token but a
    document's first ones has half a context before it.
    """
    half = context // 2
    windows: list[tuple[list[int], int]] = []  # ids, and from which place on they count
    n_bytes = n_tokens = 0
    for document in documents:
        if n_tokens >= tokens:
            break
        ids = [start, *tokenizer.encode(document, add_special_tokens=False).ids]
        n_tokens += len(ids) - 1
        n_bytes += len(document.encode())
        windows.append((ids[: context + 1], 0))
        windows.extend(
            (ids[place : place + context + 1], half)
            for place in range(half, len(ids) - half - 1, half)
        )
    nats = 0.0
    windows.sort(key=lambda window: len(window[0]))
    for first in range(0, len(windows), WINDOWS_AT_ONCE):
        nats += _nats(model, windows[first : first + WINDOWS_AT_ONCE])
    return nats / math.log(2) / n_bytes


def _nats(model: PreTrainedModel, windows: Sequence[tuple[list[int], int]]) -> float:
    """The summed loss; what stands behind a window's end is END and doesn't count."""
    longest = max(len(ids) for ids, _ in windows)
    rows = torch.tensor([ids + [END] * (longest - len(ids)) for ids, _ in windows])
    places = torch.arange(longest - 1)
    counts = torch.stack(
        [(places >= first) & (places < len(ids) - 1) for ids, first in windows]
    )  # (window, place)
    rows, counts = rows.to(model.device), counts.to(model.device)
    with torch.inference_mode():
        logits = model(rows[:, :-1], use_cache=False).logits
        losses = functional.cross_entropy(
            logits.flatten(0, 1), rows[:, 1:].flatten(), reduction="none"
        )
    return float((losses * counts.flatten()).sum(dtype=torch.float64))
