"""One text under many changes: how many fit into a forward, and what each gives."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from core.capture import Recorder
from core.long_work import checkpoint
from core.models.batching import Changes, in_parts, rows_at_once
from core.models.text.replaced_tokens import Prepared, replaced
from core.trace import read_only

if TYPE_CHECKING:
    from core.models.text.base import TextModel

AT_ONCE = 16  # variants a forward
LOGITS_AT_ONCE = 2**28  # bytes


def logits_of(output: Any) -> Tensor | None:
    """(row, position, token) of what a model's class returned; None without a head."""
    for name in ("logits", "prediction_logits"):
        if getattr(output, name, None) is not None:
            return output[name]
    return None


def rows_that_fit(module: nn.Module, positions: int, *, most: int) -> int:
    """How many rows of so many positions a forward takes, so that their logits fit."""
    embeddings: Any = module.get_input_embeddings()  # pyright: ignore[reportCallIssue]
    a_row = 4 * positions * embeddings.weight.shape[0]
    return max(1, min(most, LOGITS_AT_ONCE // a_row))


def under_each(
    model: "TextModel",
    prepared: Prepared,
    variants: Changes,
    read: Callable[[Tensor | None], np.ndarray],
) -> np.ndarray:
    """(variant, …): what `read` makes of the logits under each of them, in batches."""
    model.check_interventions(variants, replacing=True)

    def run(changes: Changes) -> np.ndarray:
        checkpoint()
        rows = replaced(model.tokenizer, [prepared] * len(changes), changes)
        with torch.inference_mode(), Recorder(model.paths, model.kind_of, changes):
            return read(logits_of(model.module(**model.tensors(rows))))

    source, target = prepared
    return each_variant(
        run, variants, rows_that_fit(model.module, len(target or source), most=AT_ONCE)
    )


def each_variant(
    run: Callable[[Changes], np.ndarray], variants: Changes, at_once: int
) -> np.ndarray:
    """(variant, …): what `run` gives for all of them, in batches."""
    parts = in_parts(variants, rows_at_once(variants, at_once), run)
    return read_only(np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32))
