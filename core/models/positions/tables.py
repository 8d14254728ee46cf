"""A model's own table of absolute positions, read from its weights.

Text models look a position up in an embedding; some keep rows before the first position
(RoBERTa's padding, BART's and OPT's offset), which are left out. Picture models add a
parameter, with rows for prefix tokens or without.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from torch import Tensor, nn

from core.capture.position_edits import TABLES, prefix_rows
from core.catalog import ModelCard
from core.errors import InputError
from core.positions.table import PositionTable
from core.trace import PatchGrid, read_only


def text_table(card: ModelCard, module: nn.Module) -> PositionTable:
    """The table of a text model, of the encoder if there are two. Raises InputError without one."""
    for path, table in module.named_modules():
        if path.rpartition(".")[2] in TABLES and isinstance(table, nn.Embedding):
            padding = -1 if table.padding_idx is None else table.padding_idx
            first = int(getattr(table, "offset", padding + 1))
            return PositionTable(
                vectors=_array(table.weight[first:]),
                learned="Sinusoidal" not in type(table).__name__,
                source=f"{path}.weight",
            )
    raise InputError(f"{card.title} has no table of positions: {_instead(module)}")


def vision_table(card: ModelCard, module: nn.Module, grid: PatchGrid | None) -> PositionTable:
    """The table of a picture model. Raises InputError without one."""
    table: Any = getattr(module, "pos_embed", None)
    if not isinstance(table, Tensor):
        raise InputError(f"{card.title} has no table of positions: {_instead(module)}")
    vectors = _array(table.flatten(0, -2))
    own: Any = getattr(module, "embeddings", None)  # transformers keep the table there
    prefix = prefix_rows(module if own is None else own)
    fits = grid is not None and len(vectors) - prefix == grid.n_patches
    return PositionTable(
        vectors=vectors,
        learned=True,
        source="pos_embed",
        prefix_tokens=prefix,
        grid=grid if fits else None,
    )


def refuse_mixed_positions(card: ModelCard, paths: Iterable[str]) -> None:
    """Raises InputError for DeBERTa's kind: its distances would outlive a dropped table."""
    if any(path.endswith("rel_embeddings") for path in paths):
        raise InputError(
            f"{card.title} mixes distances into its scores, where they can't be changed. Choose a "
            "model that adds its positions (BERT, GPT-2, ViT) or rotates (Llama)."
        )


def _array(weight: Tensor) -> np.ndarray:
    return read_only(weight.detach().float().cpu().numpy())


def _instead(module: nn.Module) -> str:
    names = " ".join(name for name, _ in (*module.named_modules(), *module.named_parameters()))
    names += " " + " ".join({type(part).__name__ for part in module.modules()})
    names = names.lower()
    if "rotary" in names or "rope" in names:
        return "it turns queries and keys instead (rotary positions)."
    if "relative" in names or "rel_embeddings" in names:
        return "it knows distances instead (relative positions)."
    return "none was found in its weights."
