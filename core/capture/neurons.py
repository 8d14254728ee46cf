"""Neurons of feed-forward networks: what their last matrix reads, recorded or silenced.

A feed-forward network is σ(x W₁) W₂, or with a gate (σ(x W) ⊙ x V) W₂ (Shazeer 2020,
https://arxiv.org/abs/2002.05202). A neuron is one of the numbers that W₂ reads: its *activation*.
It is caught where W₂ is called, so that every activation function and every gate will do.
"""

from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.nn.functional import linear
from typing_extensions import override

from core.capture.module_mode import Function, ModuleMode
from core.capture.residual_stream import part_of
from core.errors import InputError
from core.interventions import SilenceNeuron
from core.trace import AttentionKind
from core.trace.residual_stream import Part

READ: Mapping[Function, int] = {linear: 0, torch.addmm: 1}  # which argument a matrix multiplies


class NeuronMode(ModuleMode):
    """Hands the activations of every feed-forward network, in layer order, to `read`."""

    watched: ClassVar[frozenset[Function] | None] = frozenset(READ)

    def __init__(self, paths: Mapping[int, str], kind_of: Callable[[str], AttentionKind]) -> None:
        super().__init__(paths)
        self._kind_of = kind_of
        self._seen: Counter[AttentionKind] = Counter()

    @abstractmethod
    def read(self, stack: AttentionKind, layer: int, activations: Tensor) -> Tensor:
        """What W₂ is given in their place. (row, position, neuron), or rows on one axis (OPT)."""

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        path, _ = self.caller()
        if part_of(path) != Part.MLP:
            return function(*args, **kwargs)
        stack, place = self._kind_of(path), READ[function]
        layer, self._seen[stack] = self._seen[stack], self._seen[stack] + 1
        given = self.read(stack, layer, args[place])
        return function(*args[:place], given, *args[place + 1 :], **kwargs)


class NeuronRecorder(NeuronMode):
    """Keeps the activations of every layer, or those of one."""

    def __init__(
        self,
        paths: Mapping[int, str],
        kind_of: Callable[[str], AttentionKind],
        only: tuple[AttentionKind, int] | None = None,
    ) -> None:
        super().__init__(paths, kind_of)
        self.activations: defaultdict[AttentionKind, list[Tensor]] = defaultdict(list)
        self._only = only

    @override
    def read(self, stack: AttentionKind, layer: int, activations: Tensor) -> Tensor:
        if self._only in (None, (stack, layer)):
            self.activations[stack].append(activations)
        return activations


class NeuronEditor(NeuronMode):
    """Silences neurons; the i-th changes act on row i of the batch."""

    def __init__(
        self,
        paths: Mapping[int, str],
        changes: Sequence[Sequence[SilenceNeuron]],
        kind_of: Callable[[str], AttentionKind],
    ) -> None:
        super().__init__(paths, kind_of)
        self._changes = changes
        self._waiting = {id(change) for of_row in changes for change in of_row}

    @override
    def read(self, stack: AttentionKind, layer: int, activations: Tensor) -> Tensor:
        acting = [
            (row, change)
            for row, of_row in enumerate(self._changes)
            for change in of_row
            if change.layer == layer and change.stack in (None, stack)
        ]
        if not acting:
            return activations
        changed = activations.clone()
        rows = changed if changed.ndim == 3 else changed.unflatten(0, (len(self._changes), -1))
        for row, change in acting:
            if not 0 <= change.neuron < rows.shape[2]:
                raise InputError(
                    f"There is no neuron {change.neuron}: they count from 0 to {rows.shape[2] - 1}."
                )
            said = rows[row, :, change.neuron]
            said[:] = said.mean() if change.fill == "mean" else 0.0
            self._waiting.discard(id(change))
        return changed

    @override
    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        """Raises InputError if a neuron was never met."""
        super().__exit__(exc_type, exc_val, exc_tb)
        if exc_type is None and self._waiting:
            raise InputError(
                "This model's layers don't show where their feed-forward networks end, so its "
                "neurons can't be silenced. Choose another model, or silence its heads."
            )
