"""The interceptor: sees every attention call of an unmodified model, and may change it.

Every modern model in `transformers` and `timm` ends in one function,
`torch.nn.functional.scaled_dot_product_attention`. Its q, k, v, mask and scale are seen while
the fast kernel runs as always. A model that writes out its softmax (DeBERTa, Swin v2) is caught
at the softmax instead.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, ClassVar, Final

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from torch.nn.functional import softmax as functional_softmax
from typing_extensions import override

from core.capture.attention_call import AttentionCall, sum_to_one
from core.capture.attention_edits import (
    change_output,
    edit_weights,
    refuse_blind,
    replace_weights,
    silence_weights,
    zero_columns,
    zero_values,
)
from core.capture.attention_masks import AdditiveMasks
from core.capture.module_mode import Function, ModuleMode
from core.capture.module_path import is_packed
from core.capture.neurons import NeuronEditor
from core.capture.position_edits import PositionEditor
from core.capture.shifted_windows import calling_partition, in_windows
from core.capture.stream_edits import StreamEditor
from core.errors import InputError
from core.interventions import (
    AttentionChange,
    BlockEdge,
    Intervention,
    PatchStream,
    PositionChange,
    ReplaceWeights,
    SilenceNeuron,
    refuse_misfit,
)
from core.trace import MASKED, AttentionKind
from core.trace.windows import WindowPartition

SINKS: Final = "sinks"  # a parameter: every head's score of one key more, which is no token
SOFTMAXES = (functional_softmax, torch.softmax, Tensor.softmax)
ATTENTION_CALLS: Final = frozenset((scaled_dot_product_attention, *SOFTMAXES))


class Recorder(ModuleMode):
    """Records the attention calls of one forward pass, in layer order, in `calls`.

    paths: the name of every module, by `id` (see `module_paths`).
    kind_of: which kind of attention a module path computes.
    interventions: the i-th sequence acts on row i of the batch.
    explicit: write out every softmax, so that gradients of an answer can be taken with respect
        to the maps that the model used (`core.capture.gradients`); slower, and not in inference
        mode.
    """

    watched: ClassVar[frozenset[Function] | None] = ATTENTION_CALLS

    def __init__(
        self,
        paths: Mapping[int, str],
        kind_of: Callable[[str], AttentionKind],
        interventions: Sequence[Sequence[Intervention]] = (),
        *,
        explicit: bool = False,
    ) -> None:
        super().__init__(paths)
        self._explicit = explicit
        self.calls: list[AttentionCall] = []
        self._kind_of = kind_of
        self._interventions = [
            [change for change in changes if isinstance(change, AttentionChange)]
            for changes in interventions
        ]
        moved = [[c for c in changes if isinstance(c, PositionChange)] for changes in interventions]
        patched = [[c for c in changes if isinstance(c, PatchStream)] for changes in interventions]
        silent = [[c for c in changes if isinstance(c, SilenceNeuron)] for changes in interventions]
        self._riders: list[ModuleMode] = [
            *([PositionEditor(paths, moved, kind_of)] if any(moved) else []),
            *([StreamEditor(paths, patched, kind_of)] if any(patched) else []),
            *([NeuronEditor(paths, silent, kind_of)] if any(silent) else []),
        ]
        self._seen: Counter[AttentionKind] = Counter()
        self._masks = AdditiveMasks()
        self._windowed = True  # until a call says otherwise

    @override
    def __enter__(self) -> "Recorder":
        super().__enter__()
        for rider in self._riders:
            rider.__enter__()
        return self

    @override
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        with ExitStack() as last_first:
            last_first.callback(super().__exit__, exc_type, exc_val, exc_tb)
            for rider in self._riders:
                last_first.callback(rider.__exit__, exc_type, exc_val, exc_tb)

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if function is scaled_dot_product_attention:
            return self._attend(*args, **kwargs)
        weights = function(*args, **kwargs)
        if weights.ndim == 3:
            return self._after_flat_softmax(weights)
        return self._after_softmax(weights) if weights.ndim == 4 else weights

    def _attend(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Tensor:
        path, owner = self.caller()
        if query.ndim != 4:
            raise InputError(
                f"{path} attends with {query.ndim} axes instead of four (input, head, query, key): "
                "within blocks or units of its input, which aren't put together to a whole map. "
                "This model can't be shown; choose another."
            )
        kind, layer = self._next(path)
        given_shape = query.shape
        if packed := is_packed(query, owner):
            query = query.reshape(query.shape[0], -1, 1, query.shape[-1])
        windows = self._partition()
        acting = self._acting(kind, layer, windows)
        for _, change in acting:
            refuse_misfit(change, query.shape[1], query.shape[2], key.shape[2], value.shape[3])
        factor = query.shape[-1] ** -0.5 if scale is None else scale
        bias = self._masks.of(attn_mask, is_causal, query, key)
        mask, causal = attn_mask, is_causal
        blocked = [(row, change) for row, change in acting if isinstance(change, BlockEdge)]
        if blocked:
            shape = (*query.shape[:3], key.shape[2])
            bias = query.new_zeros(shape) if bias is None else bias.expand(shape).clone()
            for row, edge in blocked:
                bias[row, edge.head, edge.query, edge.key] = -torch.inf
                refuse_blind(edge, bias[row, edge.head, edge.query] > MASKED)
            mask, causal = bias, False
        shared, given = key, value
        key, value = zero_values(key, value, acting, query.shape[1])
        replaced = [(row, change) for row, change in acting if isinstance(change, ReplaceWeights)]
        if replaced or self._explicit:
            groups = query.shape[1] // key.shape[1]
            scores = query @ key.repeat_interleave(groups, 1).mT * factor
            weights = (scores if bias is None else scores + bias).softmax(-1)
            weights = self._with_graph(replace_weights(weights, replaced))
            output = weights @ value.repeat_interleave(groups, 1)
        else:
            weights = None
            output = scaled_dot_product_attention(
                query,
                key,
                value,
                mask,
                dropout_p,
                causal,
                scale=scale,
                enable_gqa=enable_gqa or packed,
            )
        self.calls.append(
            AttentionCall(kind, layer, factor, query, shared, given, bias, weights, windows=windows)
        )
        output = change_output(output, acting, value, bias)
        return output.reshape(*given_shape[:3], -1) if packed else output

    def _after_flat_softmax(self, weights: Tensor) -> Tensor:
        """Of a batch whose heads lie beside its rows on one axis: XGLM, MVP, TrOCR, FSMT."""
        path, owner = self.caller()
        heads = getattr(owner, "num_heads", 0)
        if "att" not in path.lower() or not heads or weights.shape[0] % heads:
            return weights
        return self._after_softmax(weights.unflatten(0, (-1, heads))).flatten(0, 1)

    def _after_softmax(self, weights: Tensor) -> Tensor:
        path, owner = self.caller()
        if "att" not in path.lower():  # a router or an output layer, not attention
            return weights
        if not sum_to_one(weights):
            raise InputError(
                f"The softmax of {path} does not run over the keys: its rows don't sum to one. "
                "This model can't be shown; choose another."
            )
        kind, layer = self._next(path)
        windows = self._partition()
        acting = self._acting(kind, layer, windows)
        sink = getattr(owner, SINKS, None) is not None
        heads, queries, columns = weights.shape[1:]
        for _, change in acting:
            refuse_misfit(change, heads, queries, columns - sink)
        recorded = self._with_graph(edit_weights(weights, acting) if acting else weights)
        caught = (1.0, None, None, None, None, recorded)
        self.calls.append(AttentionCall(kind, layer, *caught, windows=windows, sink=sink))
        passed = silence_weights(recorded, weights, acting, columns - sink)
        return zero_columns(passed, acting)

    def refuse_idle(self) -> None:
        """Raises InputError for an intervention on a layer that the forward never came to."""
        for change in (change for changes in self._interventions for change in changes):
            kinds = self._seen if change.kind is None else (change.kind,)
            layers = max((self._seen[kind] for kind in kinds), default=0)
            if not 0 <= change.layer < layers:
                raise InputError(
                    f"There is no layer {change.layer}: layers count from 0 to {layers - 1}."
                )

    def _with_graph(self, weights: Tensor) -> Tensor:
        """The first map of a frozen model begins the graph; the others depend on it."""
        if self._explicit and not weights.requires_grad:
            weights.requires_grad_()
        return weights

    def _partition(self) -> WindowPartition | None:
        """How the calling block cut its picture. Who cuts none at first never does: every frame
        up to the model would be asked again at every call.
        """
        if not self._windowed:
            return None
        found = calling_partition(self._paths)
        self._windowed = found is not None
        return found

    def _next(self, path: str) -> tuple[AttentionKind, int]:
        kind = self._kind_of(path)
        self._seen[kind] += 1
        return kind, self._seen[kind] - 1

    def _acting(
        self, kind: AttentionKind, layer: int, windows: WindowPartition | None
    ) -> list[tuple[int, AttentionChange]]:
        """Changes to this call, each with its row; of a picture in windows, to every window."""
        acting = [
            (row, change)
            for row, changes in enumerate(self._interventions)
            for change in changes
            if change.layer == layer and change.kind in (None, kind)
        ]
        return acting if windows is None else in_windows(acting, windows)
