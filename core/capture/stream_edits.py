"""Patches of the residual stream, and of what sublayers add to it, in one forward.

A sublayer's output is caught at its last matrix, before it is added and normed. What a layer
reads is changed as its first operation is given it: nothing has read it before.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn.functional import linear
from typing_extensions import override

from core.capture.module_mode import Function, ModuleMode
from core.capture.residual_stream import LAYER, part_of
from core.errors import InputError
from core.interventions import RESIDUAL, PatchStream
from core.trace import AttentionKind

MATRICES: Final = frozenset((linear, torch.addmm))


class StreamEditor(ModuleMode):
    """Puts vectors into the residual stream; the i-th changes act on row i of the batch."""

    def __init__(
        self,
        paths: Mapping[int, str],
        changes: Sequence[Sequence[PatchStream]],
        kind_of: Callable[[str], AttentionKind],
    ) -> None:
        super().__init__(paths)
        self._changes = changes
        self._kind_of = kind_of
        self._layers: dict[AttentionKind, list[str]] = {}  # paths, in the order of the forward
        self._waiting = {id(change) for of_row in changes for change in of_row}

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        path, _ = self.caller()
        found = LAYER.match(path)
        if found is None:
            return function(*args, **kwargs)
        stack = self._kind_of(f"{found[1]}.")
        stack = AttentionKind.DECODER if stack == AttentionKind.CROSS else stack
        layers = self._layers.setdefault(stack, [])
        if found[1] not in layers:
            layers.append(found[1])
            if args and isinstance(args[0], Tensor):
                self._patch(args[0], stack, layers.index(found[1]), RESIDUAL)
        result = function(*args, **kwargs)
        if function in MATRICES and (part := part_of(path)) is not None:
            self._patch(result, stack, layers.index(found[1]), part)
        return result

    @override
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        """Raises InputError if a patch found no place."""
        super().__exit__(exc_type, exc_val, exc_tb)
        if exc_type is None and self._waiting:
            raise InputError(
                "This model's layers don't show where their sublayers end, so the residual stream "
                "can't be patched in it. Choose another model, or patch its heads."
            )

    def _patch(self, stream: Tensor, stack: AttentionKind, layer: int, part: str) -> None:
        """In place: a module's own result, or what nothing else has read yet."""
        n_rows = len(self._changes)
        rows = stream if stream.ndim == 3 else stream.unflatten(0, (n_rows, -1))
        for row, of_row in enumerate(self._changes):
            for change in of_row:
                here = (change.layer, change.part) == (layer, part)
                if here and change.stack in (None, stack):
                    _refuse_misfit(change, rows.shape[1], rows.shape[2])
                    rows[row, change.position] = torch.tensor(change.value).to(rows)
                    self._waiting.discard(id(change))


def _refuse_misfit(change: PatchStream, positions: int, width: int) -> None:
    if not 0 <= change.position < positions:
        raise InputError(
            f"There is no position {change.position}: they count from 0 to {positions - 1}."
        )
    if change.value.shape != (width,):
        raise InputError(
            f"The patch has {len(change.value)} numbers, but the residual stream here has {width}."
        )
