"""What an encoder adds up at its input, caught in an unmodified forward.

Seen are the look-ups in the three embedding tables and the LayerNorm after them, with the very
rows that the model took: RoBERTa's positions, which begin behind the padding
index, need no second implementation here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from torch import Tensor, nn
from torch.nn.functional import embedding, layer_norm
from typing_extensions import override

from core.capture.attention_call import copy_row
from core.capture.module_mode import Function, ModuleMode
from core.outputs.encoder import EmbeddingPart, EmbeddingParts
from core.trace import Encoding

TABLES = {  # the last part of a table's name: what its rows stand for
    "word_embeddings": "token",
    "position_embeddings": "position",
    "token_type_embeddings": "segment",
}
LAYER_NORM = ("input", "normalized_shape", "weight", "bias", "eps")  # layer_norm's own order


class EmbeddingRecorder(ModuleMode):
    """Records look-ups in the named tables, and the first LayerNorm, of one forward."""

    watched: ClassVar = frozenset((embedding, layer_norm))

    def __init__(self, module: nn.Module) -> None:
        super().__init__({})
        self.found: dict[str, tuple[Tensor, Tensor, tuple[int, int]]] = {}
        self.norm: tuple[Tensor, Tensor, float, Tensor] | None = None
        self._tables = {
            id(part.weight): TABLES[name.rsplit(".", 1)[-1]]
            for name, part in module.named_modules()
            if isinstance(part, nn.Embedding) and name.rsplit(".", 1)[-1] in TABLES
        }

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        output = function(*args, **kwargs)
        if self.norm is not None:
            return output
        if function is layer_norm:
            given = dict(zip(LAYER_NORM, args, strict=False)) | dict(kwargs)
            self.norm = (given["weight"], given["bias"], float(given["eps"]), output)
        elif (name := self._tables.get(id(args[1]))) is not None:
            self.found[name] = (args[0], output, tuple(args[1].shape))
        return output


def caught_parts(
    recorder: EmbeddingRecorder, encoding: Encoding, d_model: int
) -> EmbeddingParts | None:
    """The recorder's tensors as arrays; None for a model that adds no positions and normalises."""
    if recorder.norm is None or "token" not in recorder.found:
        return None
    gain, offset, epsilon, normalised = recorder.norm
    parts: list[EmbeddingPart] = []
    for name in TABLES.values():
        if name not in recorder.found:
            continue
        index, rows, table = recorder.found[name]
        index = index.expand(1, -1) if index.ndim == 2 else index[None]
        parts.append(
            EmbeddingPart(
                name,
                index[0].detach().cpu().numpy().astype(np.int64),
                copy_row(rows if rows.ndim == 3 else rows[None], 0),
                table,
            )
        )
    return EmbeddingParts(
        encoding=encoding,
        parts=tuple(parts),
        gain=copy_row(gain[None], 0),
        offset=copy_row(offset[None], 0),
        epsilon=epsilon,
        normalised=copy_row(normalised, 0),
        d_model=d_model,
    )
