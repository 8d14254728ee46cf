"""DETR on generated scenes: boxes and classes for every object query, with all its attention.

Carion et al. 2020, https://arxiv.org/abs/2005.12872. A checkpoint directory holds
model.safetensors and config.json: `"detector"` has the network's shape, `"labels"` the classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Float32, UInt8
from torch import Tensor

from core.capture import Recorder
from core.capture.attention_call import read_row
from core.capture.module_path import module_paths
from core.catalog import ModelCard
from core.catalog.checkpoints import read_json
from core.data.synthetic_scenes import LARGEST_SEED, Scene, make_scene
from core.errors import InputError
from core.interventions import Intervention
from core.models.vision.detr_network import Detections, DetrNetwork, normalised
from core.trace import AttentionKind, PatchGrid, Trace, read_only

MOST_SCENES = 2000  # of one statistic
SCENES_AT_ONCE = 64


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """What every decoder layer says of a scene; the last layer is the answer.

    The last class is “no object”. Boxes are centre x, centre y, width, height, in 0..1.
    """

    picture: UInt8[np.ndarray, "height width 3"]  # as the model saw it
    layer_boxes: Float32[np.ndarray, "layer slot 4"]
    layer_probabilities: Float32[np.ndarray, "layer slot class"]
    references: Float32[np.ndarray, "slot 2"]  # where each slot begins to look: x, y

    @property
    def boxes(self) -> Float32[np.ndarray, "slot 4"]:
        return self.layer_boxes[-1]

    @property
    def probabilities(self) -> Float32[np.ndarray, "slot class"]:
        return self.layer_probabilities[-1]

    @property
    def nbytes(self) -> int:
        return self.picture.nbytes + self.layer_boxes.nbytes + self.layer_probabilities.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class SlotBoxes:
    """The last layer's answers for many scenes."""

    boxes: Float32[np.ndarray, "scene slot 4"]
    probabilities: Float32[np.ndarray, "scene slot class"]

    @property
    def claims(self) -> Bool[np.ndarray, "scene slot"]:
        """Where a slot says that there is an object: “no object” is not its likeliest class."""
        return self.probabilities.argmax(-1) < self.probabilities.shape[-1] - 1

    @property
    def claim_shares(self) -> Float[np.ndarray, " slot"]:
        """In how large a share of the scenes a slot claims an object."""
        return self.claims.mean(axis=0)

    @property
    def nbytes(self) -> int:
        return self.boxes.nbytes + self.probabilities.nbytes


@dataclass(frozen=True)
class DetectorModel:
    """A loaded detector; it keeps nothing of past runs. A scene may be given by its seed."""

    card: ModelCard
    module: DetrNetwork
    paths: dict[int, str]

    def detect(
        self, scene: Scene | int, *, interventions: Sequence[Intervention] = ()
    ) -> Detection:
        """One forward pass: a box and class probabilities for every slot, layer by layer."""
        picture = self._picture(scene)
        found, _ = self._run(picture, interventions)
        return Detection(
            picture=read_only(picture),
            layer_boxes=read_only(found.boxes[:, 0].cpu().numpy()),
            layer_probabilities=read_only(found.logits[:, 0].softmax(-1).cpu().numpy()),
            references=read_only(self.module.reference.sigmoid().cpu().numpy()),
        )

    def trace(self, scene: Scene | int, *, interventions: Sequence[Intervention] = ()) -> Trace:
        """Every attention map: places to places, slots to slots, slots to places."""
        found, recorder = self._run(self._picture(scene), interventions)
        grid = PatchGrid(self.module.rows, self.module.rows, 0)
        shared: dict[int, Any] = {}
        layers: dict[AttentionKind, list[Any]] = {kind: [] for kind in AttentionKind}
        for call in recorder.calls:
            layers[call.kind].append(
                replace(
                    call.layer_of(0, shared),
                    query_grid=grid if call.kind == AttentionKind.ENCODER else None,
                    key_grid=None if call.kind == AttentionKind.DECODER else grid,
                )
            )
        promised = (len(self.module.encoder), *(len(self.module.decoder),) * 2)
        if tuple(map(len, layers.values())) != promised:
            raise InputError(f"{self.card.title} did not make the attention maps it promises.")
        return Trace(
            model_id=self.card.id,
            layers={kind: tuple(maps) for kind, maps in layers.items()},
            states={},
            logits=read_row(found.logits[-1], 0),
            patches=grid,
        )

    def slot_boxes(self, scenes: int = 500, first: int = 0) -> SlotBoxes:
        """The answers for the scenes of the seeds from `first` on: the paper's figure 7."""
        if not 1 <= scenes <= MOST_SCENES or not 0 <= first <= LARGEST_SEED - scenes:
            raise InputError(f"{scenes} scenes were asked for; up to {MOST_SCENES} can be counted.")
        boxes: list[np.ndarray] = []
        probabilities: list[np.ndarray] = []
        for start in range(first, first + scenes, SCENES_AT_ONCE):
            seeds = range(start, min(start + SCENES_AT_ONCE, first + scenes))
            with torch.inference_mode():
                found = self.module(self._pixels([self._picture(seed) for seed in seeds]))
            boxes.append(found.boxes[-1].cpu().numpy())
            probabilities.append(found.logits[-1].softmax(-1).cpu().numpy())
        return SlotBoxes(read_only(np.concatenate(boxes)), read_only(np.concatenate(probabilities)))

    def _run(
        self, picture: UInt8[np.ndarray, "height width 3"], changes: Sequence[Intervention]
    ) -> tuple[Detections, Recorder]:
        recorder = Recorder(self.paths, kind_of, [changes])
        with torch.inference_mode(), recorder:
            found = self.module(self._pixels([picture]))
        recorder.refuse_idle()
        return found, recorder

    def _picture(self, scene: Scene | int) -> UInt8[np.ndarray, "height width 3"]:
        drawn = make_scene(scene) if isinstance(scene, int) else scene
        return drawn.draw(self.module.picture_size)

    def _pixels(self, pictures: Sequence[np.ndarray]) -> Tensor:
        stacked = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2)
        return normalised(stacked.to(self.module.reference.device))


def kind_of(path: str) -> AttentionKind:
    """Which attention a module computes."""
    if path.startswith("encoder"):
        return AttentionKind.ENCODER
    return AttentionKind.CROSS if "cross_attention" in path else AttentionKind.DECODER


def load_detector(card: ModelCard, folder: Path, device: torch.device) -> DetectorModel:
    """Open a checkpoint directory. Raises InputError if it is not whole."""
    from safetensors.torch import load_file

    config = read_json(folder / "config.json")
    try:
        labels = tuple(map(str, config["labels"]))
        module = DetrNetwork(classes=len(labels), **config["detector"])
        module.load_state_dict(load_file(folder / "model.safetensors"))
    except Exception as error:  # whatever a broken checkpoint makes torch raise
        raise InputError(
            f"{folder} can't be opened as a detector: {type(error).__name__}: {error}"
        ) from error
    module.eval().requires_grad_(requires_grad=False).to(device)
    shape = config["detector"]
    card = replace(
        card,
        layers=shape["decoder_layers"],
        heads=shape["heads"],
        d_model=shape["d_model"],
        parameters=sum(parameter.numel() for parameter in module.parameters()),
        labels=labels,
    )
    return DetectorModel(card, module, module_paths(module))
