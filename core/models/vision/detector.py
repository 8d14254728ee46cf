"""DETR on generated scenes and pictures: boxes and classes for every query, with all attention.

Carion et al. 2020, https://arxiv.org/abs/2005.12872. A checkpoint directory holds
model.safetensors and config.json: `"detector"` has the network's shape, `"labels"` the classes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from jaxtyping import Float32, UInt8
from torch import Tensor

from core.capture import Recorder
from core.capture.attention_call import read_row
from core.capture.fitting_layers import layers_by_row
from core.capture.module_path import module_paths
from core.catalog import ModelCard
from core.catalog.directory_card import read_json
from core.data.images import centre_square
from core.data.synthetic_scenes import LARGEST_SEED, Scene, make_scene
from core.errors import InputError
from core.interventions import Intervention
from core.models.batching import (
    Changes,
    bytes_of,
    checked_changes,
    in_parts,
    probability,
    rows_at_once,
)
from core.models.vision.detr_network import Detections, DetrNetwork
from core.models.vision.transformers_detr import TransformersDetr, load_transformers_detr
from core.outputs.detection import Detection, SlotBoxes
from core.outputs.vision import AnyPicture
from core.targets import LogitTarget
from core.trace import AttentionKind, AttentionLayer, PatchGrid, Trace, read_only

Seeable = Scene | int | AnyPicture
MOST_SCENES = 2000  # of one statistic
SCENES_AT_ONCE = 64


@dataclass(frozen=True)
class DetectorModel:
    """A loaded detector; it keeps nothing of past runs.

    A scene may be given by its seed; of a picture it sees the square around the middle.
    """

    card: ModelCard
    module: DetrNetwork | TransformersDetr
    paths: dict[int, str]

    batched: ClassVar = frozenset({"scene", "interventions"})

    @property
    def nbytes(self) -> int:
        """Bytes of parameters and buffers."""
        return bytes_of(self.module)

    def detect(self, scene: Seeable, *, interventions: Sequence[Intervention] = ()) -> Detection:
        """One forward pass: a box and class probabilities for every slot, layer by layer."""
        picture = self._picture(scene)
        found, _ = self._run([picture], [interventions])
        begin = self.module.reference
        return Detection(
            picture=read_only(picture),
            layer_boxes=read_only(found.boxes[:, 0].cpu().numpy()),
            layer_probabilities=read_only(found.logits[:, 0].softmax(-1).cpu().numpy()),
            references=None if begin is None else read_only(begin.sigmoid().cpu().numpy()),
        )

    def trace(self, scene: Seeable, *, interventions: Sequence[Intervention] = ()) -> Trace:
        """Every attention map: places to places, slots to slots, slots to places."""
        return self.trace_many([scene], [interventions])[0]

    def trace_many(
        self,
        inputs: Sequence[Seeable],
        interventions: Sequence[Sequence[Intervention]] | None = None,
    ) -> tuple[Trace, ...]:
        """Traces of many scenes in one forward; the i-th interventions act on the i-th scene."""
        changes = checked_changes(len(inputs), interventions)

        def traced(rows: Sequence[tuple[Seeable, Sequence[Intervention]]]) -> list[Trace]:
            pictures = [self._picture(scene) for scene, _ in rows]
            found, recorder = self._run(pictures, [change for _, change in rows])
            layers = layers_by_row(
                self.card.title,
                self.module,
                recorder.calls,
                self._promised_maps(),
                rows=len(pictures),
            )
            return [self._trace(found, of_row, row) for row, of_row in enumerate(layers)]

        rows = list(zip(inputs, changes, strict=True))
        return tuple(chain(*in_parts(rows, rows_at_once(changes, SCENES_AT_ONCE), traced)))

    def measure(
        self,
        scene: Seeable,
        variants: Sequence[Sequence[Intervention]],
        quantity: LogitTarget,
    ) -> Float32[np.ndarray, " variant"]:
        """A class's (token's) probability at a slot (position) under each of many changes.

        Raises InputError for a class or a slot that isn't there.
        """
        picture = self._picture(scene)

        def run(changes: Changes) -> np.ndarray:
            found, _ = self._run([picture] * len(changes), changes)
            return probability(found.logits[-1], quantity)

        parts = in_parts(variants, rows_at_once(variants, SCENES_AT_ONCE), run)
        return read_only(np.concatenate([np.zeros(0, np.float32), *parts]))

    def _promised_maps(self) -> dict[AttentionKind, int]:
        deep = len(self.module.decoder)
        return {
            AttentionKind.ENCODER: len(self.module.encoder),
            AttentionKind.DECODER: deep,
            AttentionKind.CROSS: deep,
        }

    def _trace(
        self,
        found: Detections,
        layers: Mapping[AttentionKind, tuple[AttentionLayer, ...]],
        row: int,
    ) -> Trace:
        grid = PatchGrid(self.module.rows, self.module.rows, 0)
        return Trace(
            model_id=self.card.id,
            layers={
                kind: tuple(
                    replace(
                        layer,
                        query_grid=grid if kind == AttentionKind.ENCODER else None,
                        key_grid=None if kind == AttentionKind.DECODER else grid,
                    )
                    for layer in of_kind
                )
                for kind, of_kind in layers.items()
            },
            states={},
            logits=read_row(found.logits[-1], row),
            patches=grid,
        )

    def slot_boxes(self, scenes: int = 500, first: int = 0) -> SlotBoxes:
        """The answers for the scenes of the seeds from `first` on: the paper's figure 7."""
        if not 1 <= scenes <= MOST_SCENES or not 0 <= first <= LARGEST_SEED - scenes:
            raise InputError(f"{scenes} scenes were asked for; up to {MOST_SCENES} can be counted.")
        boxes: list[np.ndarray] = []
        probabilities: list[np.ndarray] = []

        def answered(seeds: Sequence[int]) -> None:
            with torch.inference_mode():
                found = self.module(self._pixels([self._picture(seed) for seed in seeds]))
            boxes.append(found.boxes[-1].cpu().numpy())
            probabilities.append(found.logits[-1].softmax(-1).cpu().numpy())

        in_parts(range(first, first + scenes), SCENES_AT_ONCE, answered)
        return SlotBoxes(read_only(np.concatenate(boxes)), read_only(np.concatenate(probabilities)))

    def _run(
        self,
        pictures: Sequence[UInt8[np.ndarray, "height width 3"]],
        changes: Sequence[Sequence[Intervention]],
    ) -> tuple[Detections, Recorder]:
        recorder = Recorder(self.paths, kind_of, changes)
        with torch.inference_mode(), recorder:
            found = self.module(self._pixels(pictures))
        recorder.refuse_idle()
        return found, recorder

    def _picture(self, scene: Seeable) -> UInt8[np.ndarray, "height width 3"]:
        side = self.module.picture_size
        if isinstance(scene, int):
            return make_scene(scene).draw(side)
        if isinstance(scene, Scene):
            return scene.draw(side)
        return centre_square(scene.convert("RGB"), side)

    def _pixels(self, pictures: Sequence[np.ndarray]) -> Tensor:
        stacked = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2)
        return self.module.prepared(stacked.to(self.module.device))


def kind_of(path: str) -> AttentionKind:
    """Which attention a module computes, ours or transformers'."""
    if path.startswith(("encoder", "model.model.encoder")):
        return AttentionKind.ENCODER
    crosses = "cross_attention" in path or "encoder_attn" in path
    return AttentionKind.CROSS if crosses else AttentionKind.DECODER


def load_detector(card: ModelCard, folder: Path, device: torch.device) -> DetectorModel:
    """Open a checkpoint directory. Raises InputError if it is not whole."""
    config = read_json(folder / "config.json")
    if "detector" in config:
        module, labels = _own(folder, config)
    else:
        module, labels = load_transformers_detr(folder)
    module.eval().requires_grad_(requires_grad=False).to(device)
    card = replace(
        card,
        layers=len(module.decoder),
        heads=module.heads,
        d_model=module.d_model,
        parameters=sum(parameter.numel() for parameter in module.parameters()),
        labels=labels,
    )
    return DetectorModel(card, module, module_paths(module))


def _own(folder: Path, config: Mapping[str, Any]) -> tuple[DetrNetwork, tuple[str, ...]]:
    """What our own training wrote."""
    from safetensors.torch import load_file

    try:
        labels = tuple(map(str, config["labels"]))
        module = DetrNetwork(classes=len(labels), **config["detector"])
        module.load_state_dict(load_file(folder / "model.safetensors"))
    except Exception as error:  # whatever a broken checkpoint makes torch raise
        raise InputError(
            f"{folder} can't be opened as a detector: {type(error).__name__}: {error}"
        ) from error
    return module, labels
