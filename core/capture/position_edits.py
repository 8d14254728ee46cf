"""Position interventions on the tensors of one forward.

Models bring positions in at a handful of calls: a table that is looked up (BERT, GPT-2, BART,
Marian's sinusoids), a parameter that is added (ViT), the angles of rotary positions (Llama),
or a bias by distance (T5's buckets, Swin's windows). Each is recognised by the module that
calls, so that no model is changed and threads that share one never mix.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding
from typing_extensions import override

from core.capture.module_mode import Function, ModuleMode
from core.errors import InputError
from core.interventions import DropPositions, PermutePositions, PositionChange
from core.trace import AttentionKind

TABLES: Final = ("position_embeddings", "wpe", "embed_positions")  # absolute, looked up
ADDED: Final = ("pos_embed", "position_embeddings")  # a picture model's parameter, added
ROWS: Final = ("cls_token", "class_embedding", "distillation_token")  # have a row there
DISTANCES: Final = "relative_attention_bias"  # T5: (query, key, head)
TURNED: Final = ("EvaAttention", "AttentionRope")  # timm: angles come as sin beside cos


class PositionEditor(ModuleMode):
    """Permutes or drops positions of one forward; the i-th changes act on row i of the batch."""

    watched: ClassVar = frozenset(
        (embedding, Tensor.add, Tensor.cos, Tensor.sin, Tensor.__getitem__, Tensor.chunk)
    )

    def __init__(
        self,
        paths: Mapping[int, str],
        changes: Sequence[Sequence[PositionChange]],
        kind_of: Callable[[str], AttentionKind],
    ) -> None:
        super().__init__(paths)
        self._changes = changes
        self._kind_of = kind_of
        self._acted = False

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        path, owner = self.caller()
        name = path.rpartition(".")[2]
        if function is embedding and name in TABLES:
            return self._edited(function(*args, **kwargs), path, prefix=0)
        if function is embedding and name == DISTANCES:
            return self._edited(function(*args, **kwargs), path, prefix=0, pairs=True)
        if function is Tensor.add and (place := _added_table(args, owner)) is not None:
            edited = self._edited(args[place], path, prefix=prefix_rows(owner))
            return function(
                *(edited if i == place else arg for i, arg in enumerate(args)), **kwargs
            )
        if function in (Tensor.cos, Tensor.sin) and "rotary" in type(owner).__name__.lower():
            return function(self._edited(args[0], path, prefix=0), **kwargs)
        if function is Tensor.chunk and type(owner).__name__ in TURNED and args[0].ndim < 4:
            return function(self._turned(args[0], path), *args[1:], **kwargs)
        table = getattr(owner, "relative_position_bias_table", None)
        if function is Tensor.__getitem__ and args[0] is table and table is not None:
            return self._without_offsets(function(*args, **kwargs))
        return function(*args, **kwargs)

    @override
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        """Raises InputError if the forward brought in no positions that could be changed."""
        super().__exit__(exc_type, exc_val, exc_tb)
        if exc_type is None and any(self._changes) and not self._acted:
            raise InputError(
                "This model brings in no positions that can be changed here. Choose one that adds "
                "a table (BERT, GPT-2, ViT) or turns queries and keys (Llama)."
            )

    def _edited(self, positions: Tensor, path: str, *, prefix: int, pairs: bool = False) -> Tensor:
        """Positions (…, position, width), or by pairs (query, key, head), after all changes."""
        kind = self._kind_of(path)
        acting = [
            [change for change in changes if change.kind in (None, kind)]
            for changes in self._changes
        ]
        if not any(acting):
            return positions
        self._acted = True
        if len(acting) == 1:
            return _changed(positions, acting[0], kind, prefix, pairs=pairs)
        if pairs:
            raise InputError("Distances of several texts can't be changed at once. Ask one by one.")
        if positions.ndim == 2:
            positions = positions[None]
        rows = positions.expand(len(acting), *positions.shape[1:])
        return torch.stack(
            [
                _changed(row, changes, kind, prefix)
                for row, changes in zip(rows, acting, strict=True)
            ]
        )

    def _turned(self, turns: Tensor, path: str) -> Tensor:
        """sin | cos of every patch (patch, angle) after all changes; no turn at all is 0 | 1."""
        sines, cosines = torch.tensor_split(turns, 2, -1)
        still = torch.cat([torch.zeros_like(sines), torch.ones_like(cosines)], -1)
        return self._edited(turns - still, path, prefix=0) + still

    def _without_offsets(self, bias: Tensor) -> Tensor:
        changes = [change for row in self._changes for change in row]
        if any(isinstance(change, PermutePositions) for change in changes):
            raise InputError(
                "This model knows only offsets within a window: they can be dropped, not permuted."
            )
        self._acted = True
        return torch.zeros_like(bias)


def prefix_rows(owner: nn.Module | None) -> int:
    """Rows of a picture model's table that belong to class and register tokens."""
    if getattr(owner, "no_embed_class", False):
        return 0
    if hasattr(owner, "patch_embeddings") or hasattr(owner, "patch_embedding"):
        tokens = (getattr(owner, name, None) for name in ROWS)  # transformers: registers have none
        return sum(isinstance(token, Tensor) for token in tokens)
    return int(getattr(owner, "num_prefix_tokens", 0))


def _added_table(args: Sequence[Any], owner: nn.Module | None) -> int | None:
    """Which argument of an addition is the model's own table of positions."""
    tables = [table for name in ADDED if isinstance(table := getattr(owner, name, None), Tensor)]
    places = (i for i, arg in enumerate(args) if any(arg is table for table in tables))
    return next(places, None)


def _changed(
    positions: Tensor,
    changes: Sequence[PositionChange],
    kind: AttentionKind,
    prefix: int,
    *,
    pairs: bool = False,
) -> Tensor:
    for change in changes:
        if isinstance(change, DropPositions):
            positions = torch.zeros_like(positions)
            continue
        n_positions = positions.shape[0 if pairs else -2] - prefix
        _refuse_misfit(change, n_positions, kind)
        order = torch.tensor(change.order, device=positions.device)
        if pairs:
            positions = positions[order][:, order]
            continue
        kept = torch.arange(prefix, device=positions.device)
        positions = positions.index_select(-2, torch.cat([kept, order + prefix]))
    return positions


def _refuse_misfit(change: PermutePositions, n_positions: int, kind: AttentionKind) -> None:
    if sorted(change.order) != list(range(n_positions)):
        raise InputError(
            f"An order of {len(change.order)} positions came, but the {kind} has {n_positions}. "
            f"Give each of 0 to {n_positions - 1} once."
        )
