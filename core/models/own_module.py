"""A module of one's own, in memory: its attention recorded, its forward passes traced.

    with core.record(module) as calls:
        module(x)
    calls[0].weights                     # (head, query, key) of the batch's first row

    model = core.wrap(module, tokenizer)   # or a transform of pictures
    core.explain.attention_rollout(model.trace("The cat sat."))

Seen is what calls `scaled_dot_product_attention` (in eager mode, not `torch.compile`d) or
multiplies by a softmax over its last axis, (batch, head, query, key) or (batch, query, key).
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from typing_extensions import override

from core.capture.any_module import AnyModuleRecorder, kind_by_name
from core.capture.attention_call import AttentionCall, read_row
from core.capture.module_path import module_paths
from core.errors import InputError
from core.models.text.tokenize import encode
from core.trace import AttentionKind, AttentionLayer, Encoding, PatchGrid, Trace

KindOf = Callable[[str], AttentionKind]


class Recording(Sequence[AttentionLayer]):
    """The attention calls of a batch's first row, in their order; `trace` for another row."""

    def __init__(self, recorder: AnyModuleRecorder, name: str) -> None:
        self._recorder = recorder
        self._name = name

    @property
    def paths(self) -> tuple[str, ...]:
        """The module that made each call, as `named_modules` calls it."""
        return tuple(self._recorder.callers)

    @override
    def __len__(self) -> int:
        return len(self._recorder.calls)

    @override
    def __getitem__(self, index: Any) -> Any:
        calls = self._recorder.calls[index]  # only these are copied out of the model's tensors
        return _read(calls, 0) if isinstance(calls, list) else _read([calls], 0)[0]

    def trace(self, row: int = 0) -> Trace:
        """One row of the batch, as every explainer takes it.

        Raises InputError where no attention was seen, and for a row that no batch has.
        """
        layers = _read(self._recorder.calls, row)
        if not layers:
            raise InputError(
                "No attention was seen. It is seen where a module calls "
                "scaled_dot_product_attention, or multiplies by a softmax over its last axis, "
                "while it is recorded; not in kernels of other libraries, nor in compiled code."
            )
        kinds = [kind for kind in AttentionKind if any(layer.kind == kind for layer in layers)]
        of_kind = {kind: tuple(one for one in layers if one.kind == kind) for kind in kinds}
        return Trace(model_id=self._name, layers=of_kind, states={})


def _read(calls: Sequence[AttentionCall], row: int) -> tuple[AttentionLayer, ...]:
    for call in calls:
        seen = call.weights if call.queries is None else call.queries
        if seen is not None and not 0 <= row < seen.shape[0]:
            raise InputError(f"There is no row {row}: the batch had {seen.shape[0]}.")
    shared: dict[int, np.ndarray] = {}
    return tuple(call.layer_of(row, shared) for call in calls)


@contextmanager
def record(
    module: nn.Module, *, kind_of: KindOf = kind_by_name, name: str | None = None
) -> Generator[Recording]:
    """Record the attention of every forward that this thread makes of `module` in the block.

    kind_of: which kind of attention a module's path computes.
    """
    recorder = AnyModuleRecorder(module_paths(module), kind_of)
    with recorder:
        yield Recording(recorder, name or type(module).__name__)


@dataclass(frozen=True)
class OwnModel:
    """A module with what makes its input; it is never changed."""

    module: nn.Module
    prepare: Any  # a tokenizer, a transform, or None: inputs are tensors as they are
    grid: PatchGrid | None
    kind_of: KindOf
    name: str

    def trace(self, given: Any, row: int = 0) -> Trace:
        """One forward pass with every attention map.

        Raises InputError in training mode, and where no attention was seen.
        """
        if self.module.training:
            raise InputError(
                "The module is in training mode: dropout would change its maps at every call. "
                "Call module.eval() first."
            )
        encoding, arguments, named = self._input(given)
        with (
            torch.inference_mode(),
            record(self.module, kind_of=self.kind_of, name=self.name) as calls,
        ):
            output = self.module(*arguments, **named)
        logits = output if isinstance(output, Tensor) else getattr(output, "logits", None)
        trace = calls.trace(row)
        pictured = self.grid is None and any(map(_is_picture, arguments))
        return replace(
            trace,
            encoding=encoding,
            logits=read_row(logits, row) if isinstance(logits, Tensor) else None,
            patches=_square_grid(trace) if pictured else self.grid,
        )

    def _input(self, given: Any) -> tuple[Encoding | None, tuple[Any, ...], Mapping[str, Any]]:
        """What a reader gave as an encoding, and the forward's arguments."""
        if hasattr(self.prepare, "convert_ids_to_tokens"):  # a tokenizer of transformers
            encoding = encode(self.prepare, given)
            made = self.prepare(given, return_tensors="pt")
            return encoding, (), {name: made[name].to(self._device) for name in made}
        if hasattr(self.prepare, "id_to_token"):  # of tokenizers
            encoding = _encoding_of(self.prepare.encode(given))
            return encoding, (torch.tensor(encoding.ids, device=self._device)[None],), {}
        made = given if self.prepare is None else self.prepare(given)
        if isinstance(made, Mapping):
            return None, (), made
        if isinstance(made, (tuple, list)):
            return None, tuple(made), {}
        if not isinstance(made, Tensor):
            raise InputError(
                f"A module is called with tensors, not with {type(made).__name__}: give wrap() "
                "the tokenizer or the transform that makes them."
            )
        alone = made.ndim == 1 or _is_picture(made[None])  # ids or a picture without a batch
        return None, ((made[None] if alone else made).to(self._device),), {}

    @property
    def _device(self) -> torch.device:
        return next((one.device for one in self.module.parameters()), torch.device("cpu"))


def wrap(
    module: nn.Module,
    tokenizer_or_transform: Any = None,
    *,
    grid: PatchGrid | None = None,
    kind_of: KindOf = kind_by_name,
    name: str | None = None,
) -> OwnModel:
    """A module of your own as a model whose `trace` every explainer takes.

    tokenizer_or_transform: transformers' tokenizer (the module gets all that it makes, by name),
    one of the library tokenizers (it gets the ids), or a function that makes a tensor of what
    `trace` is given (a picture), a tuple, or a dict; None for tensors as they are.
    grid: of a picture's patches; where it is left out, a square after at most one class token.
    """
    return OwnModel(module, tokenizer_or_transform, grid, kind_of, name or type(module).__name__)


def _is_picture(value: Any) -> bool:
    """(row, channel, height, width)"""
    return isinstance(value, Tensor) and value.ndim == 4 and value.shape[1] in (1, 3)


def _square_grid(trace: Trace) -> PatchGrid | None:
    layer = next(iter(trace.layers.values()))[0]
    n_tokens = layer.map_shape[1]
    for prefix in (0, 1):
        side = isqrt(n_tokens - prefix)
        if side * side == n_tokens - prefix:
            return PatchGrid(side, side, prefix)
    return None


def _encoding_of(made: Any) -> Encoding:
    return Encoding(
        tokens=tuple(made.tokens),
        ids=np.array(made.ids, dtype=np.int64),
        offsets=np.array(made.offsets, dtype=np.int64).reshape(-1, 2),
        words=np.array([-1 if one is None else one for one in made.word_ids], dtype=np.int64),
        special=np.array(made.special_tokens_mask, dtype=bool),
        segments=np.array(made.type_ids, dtype=np.int64),
    )
