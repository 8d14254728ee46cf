"""Follows one patch from its token through one layer and head to a class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from core.capture.hidden_states import block_paths
from core.errors import InputError
from core.explain.attribution.direct_logits import direct_logits, through_heads
from core.models.vision.block_parts import BlockParts, block_parts
from core.models.vision.frozen_readout import FrozenReadout, frozen_readout
from core.outputs.patch_path import PatchPath, PathToLogit
from core.targets import ClassTarget
from core.trace import AttentionLayer, PatchGrid, Trace

TOLERANCE: Final = 1e-3  # between the model's logit and the sum of its terms


@dataclass(frozen=True)
class PathFinder:
    """A model and its trace of a picture; every block is checked to be what is printed of it.

    Raises InputError for a model whose blocks do more than a norm, an attention and an MLP.
    """

    title: str
    module: nn.Module
    colours: Any  # the transform's last step, with `mean` and `std`
    trace: Trace

    def path(self, layer: int, head: int, patch: int, target: ClassTarget | None) -> PatchPath:
        """One patch's way. Raises InputError for a layer, head, patch or class that isn't there."""
        grid, blocks = self._grid(), self._blocks()
        of_layer = self._layer(layer, head, patch, grid)
        answer, why_not = self._answer(grid, target)
        token = grid.prefix_tokens + patch
        reads = bool(grid.prefix_tokens) if answer is None else bool(answer.shares[0] > 0)
        asking = 0 if reads and grid.prefix_tokens else token
        parts, own = blocks[layer], self._tensor(self.trace.hidden_states()[layer][token])
        normed, k = parts.norm(own), parts.qkv[1]
        size = len(k.weight) // of_layer.n_heads
        rows = slice(head * size, (head + 1) * size)
        return PatchPath(
            layer=layer,
            head=head,
            token=token,
            asking=asking,
            colour_mean=_three(self.colours.mean),
            colour_deviation=_three(self.colours.std),
            stream=np.stack([state[token] for state in self.trace.hidden_states()[: layer + 1]]),
            mean=float(own.mean()),
            spread=float((own.var(unbiased=False) + parts.norm.eps).sqrt()),
            gain=_array(parts.norm.weight),
            offset=_array(parts.norm.bias),
            normed=_array(normed),
            key_weight=_array(k.weight[rows]),
            key_bias=_array(k.bias[rows]),
            projected_key=_array(k.weight[rows] @ normed + k.bias[rows]),
            write=_writes(parts, of_layer)[head],
            answer=None if answer is None else self._to_logit(answer, blocks, layer, head, asking),
            why_not=why_not,
        )

    def _grid(self) -> PatchGrid:
        grid, states = self.trace.patches, self.trace.hidden_states() if self.trace.states else ()
        if grid is None or not states or any(len(state) != grid.n_tokens for state in states):
            raise InputError(
                f"{self.title} merges its patches on the way, so none of them goes through it as "
                "one token. Choose a ViT, a DeiT or a DINOv2."
            )
        return grid

    def _blocks(self) -> list[BlockParts]:
        paths = block_paths(name for name, _ in self.module.named_modules())
        blocks = [block_parts(self.title, self.module.get_submodule(path)) for path in paths]
        states = self.trace.hidden_states()
        for index, (parts, layer) in enumerate(zip(blocks, self._layers(), strict=True)):
            if layer.values is None:
                raise InputError(
                    f"{self.title} hides the values of its attention, so a patch can't be followed "
                    "through it with numbers. Its maps are exact all the same."
                )
            made = np.einsum("hqk,hkd->qhd", layer.weights, layer.values)
            before, values, after = (
                self._tensor(array)
                for array in (states[index], made.reshape(len(made), -1), states[index + 1])
            )
            parts.check(self.title, before, values, after)
        return blocks

    def _layers(self) -> tuple[AttentionLayer, ...]:
        return self.trace.layers[self.trace.kinds[0]]

    def _layer(self, layer: int, head: int, patch: int, grid: PatchGrid) -> AttentionLayer:
        layers = self._layers()
        asked = (("layer", layer, len(layers)), ("patch", patch, grid.n_patches))
        for name, index, count in asked:
            _refuse_absent(self.title, name, index, count)
        _refuse_absent(self.title, "head", head, layers[layer].n_heads)
        return layers[layer]

    def _answer(
        self, grid: PatchGrid, target: ClassTarget | None
    ) -> tuple[FrozenReadout | None, str]:
        """How the class is read, or why that is no plain sum."""
        logits = self.trace.logits
        if target is None or logits is None:
            return None, f"{self.title} knows no classes, so the way ends here."
        _refuse_absent(self.title, "class", target.index, len(logits))
        last = self._tensor(self.trace.hidden_states()[-1])
        try:
            found = frozen_readout(self.title, self.module, last, grid, target.index)
        except InputError as error:
            return None, str(error)
        read = float((found.directions * last).sum()) + found.constant
        if abs(read - float(logits[target.index])) > TOLERANCE * max(1, float(abs(logits).max())):
            return None, (
                f"{self.title} does more between its last layer and its classes than a norm, a "
                "pooling and a head, so what a head adds to a class is no plain sum."
            )
        return found, ""

    def _to_logit(
        self,
        answer: FrozenReadout,
        blocks: Sequence[BlockParts],
        layer: int,
        head: int,
        asking: int,
    ) -> PathToLogit:
        layers, directions = self._layers(), _array(answer.directions)
        writes = [_writes(parts, one) for parts, one in zip(blocks, layers, strict=True)]
        terms = direct_logits(
            layers,
            self.trace.hidden_states(),
            writes,
            [_array(parts.bias) for parts in blocks],
            directions,
            answer.constant,
        )
        return PathToLogit(
            share=float(answer.shares[asking]),
            spread=float(answer.spreads[asking]),
            gain=_array(answer.gain),
            classifier=_array(answer.classifier[asking]),
            centred=answer.centred,
            terms=terms,
            through=through_heads(layers[layer], writes[layer], directions)[head],
        )

    def _tensor(self, array: np.ndarray) -> Tensor:
        device = next(self.module.parameters()).device
        return torch.from_numpy(np.array(array)).to(device)


def _refuse_absent(title: str, name: str, index: int, count: int) -> None:
    if not 0 <= index < count:
        raise InputError(
            f"There is no {name} {index}: {title} has {count} here, counted from 0 to {count - 1}."
        )


def _writes(parts: BlockParts, layer: AttentionLayer) -> np.ndarray:
    """(head, d_value, d_model)"""
    write = _array(parts.write)
    return write.reshape(layer.n_heads, -1, write.shape[-1])


def _three(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()
