"""ViT and its relatives in timm's layout: patches in, attention maps and classes out.

Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from PIL import Image
from torch import Tensor, nn

from core.attention_call import AttentionCall, read_row
from core.callers import module_paths
from core.capture import Recorder
from core.catalog import ModelCard
from core.checkpoints import read_json
from core.errors import InputError
from core.gradients import with_gradients
from core.interventions import Intervention
from core.models.equivariance import vision_equivariance
from core.models.position_tables import vision_table
from core.positions.equivariance import Equivariance, order_of
from core.positions.table import PositionTable
from core.targets import Target
from core.trace import AttentionKind, PatchGrid, Trace


@dataclass(frozen=True)
class ClassPrediction:
    """A class and its probability."""

    label: str
    probability: float


@dataclass(frozen=True)
class VisionModel:
    """A loaded picture model; like all models here it keeps nothing of past runs."""

    card: ModelCard
    module: nn.Module
    transform: Any
    paths: dict[int, str]

    def trace(
        self,
        image: Image.Image,
        *,
        interventions: Sequence[Intervention] = (),
        gradient_of: Target | None = None,
    ) -> Trace:
        """One forward pass on a picture, with every attention map, in layer order.

        gradient_of: an answer whose gradients with respect to every map are kept, too.
        """
        explicit = gradient_of is not None
        recorder = Recorder(
            self.paths, lambda _: AttentionKind.ENCODER, [interventions], explicit=explicit
        )
        with torch.inference_mode(mode=not explicit), recorder:
            logits = self.module(self._pixels(image))
        recorder.refuse_idle()
        if not recorder.calls:
            raise InputError(f"{self.card.title} makes no attention map over patches.")
        calls = recorder.calls
        if gradient_of is not None:
            calls = with_gradients(calls, logits[0], gradient_of)
        shared: dict[int, Any] = {}
        grid = self._grid()
        layers = tuple(
            replace(call.layer_of(0, shared), query_grid=grid, key_grid=grid)
            for call in calls
        )
        return Trace(
            model_id=self.card.id,
            layers={AttentionKind.ENCODER: layers},
            states={},
            logits=read_row(logits, 0),
            patches=grid,
        )

    def classify(
        self, image: Image.Image, *, top_k: int = 5, interventions: Sequence[Intervention] = ()
    ) -> tuple[ClassPrediction, ...]:
        """The most probable classes, most probable first."""
        recorder = Recorder(self.paths, lambda _: AttentionKind.ENCODER, [interventions])
        with torch.inference_mode(), recorder:
            probabilities = self.module(self._pixels(image))[0].float().softmax(-1)
        recorder.refuse_idle()
        labels = self.card.labels or tuple(str(index) for index in range(len(probabilities)))
        values, ids = probabilities.topk(min(top_k, len(labels)))
        return tuple(
            ClassPrediction(labels[int(i)], float(p)) for i, p in zip(ids, values, strict=True)
        )

    def position_table(self) -> PositionTable:
        """The model's own table of positions. Raises InputError for a model without one."""
        return vision_table(self.card, self.module, self._grid())

    def permutation_test(self, image: Image.Image, *, seed: int = 0) -> Equivariance:
        """How far the answer is from not minding the order of a picture's patches."""
        grid = self._grid()
        if grid is None:
            raise InputError(f"{self.card.title} cuts its picture into no patches.")

        def run(
            pixels: Tensor, changes: Sequence[Intervention]
        ) -> tuple[Sequence[AttentionCall], Tensor]:
            recorder = Recorder(self.paths, lambda _: AttentionKind.ENCODER, [changes])
            with torch.inference_mode(), recorder:
                logits = self.module(pixels)
            return recorder.calls, logits

        order = order_of(grid.rows * grid.columns, seed)
        return vision_equivariance(run, self._pixels(image), grid, order)

    def _pixels(self, image: Image.Image) -> Tensor:
        device = next(self.module.parameters()).device
        return self.transform(image.convert("RGB"))[None].to(device)

    def _grid(self) -> PatchGrid | None:
        embed: Any = getattr(self.module, "patch_embed", None)
        grid = getattr(embed, "grid_size", None)
        if grid is None:
            return None
        return PatchGrid(
            int(grid[0]), int(grid[1]), int(getattr(self.module, "num_prefix_tokens", 0))
        )


def load_vision_model(card: ModelCard, folder: Path, device: torch.device) -> VisionModel:
    """Open a timm checkpoint directory. Raises InputError if it is not whole."""
    import timm
    from safetensors.torch import load_file
    from timm.data.config import resolve_data_config
    from timm.data.transforms_factory import create_transform
    from timm.layers.config import set_fused_attn

    set_fused_attn(enable=True, experimental=True)  # Swin, too, must make the fused call
    config = read_json(folder / "config.json")
    try:
        module: Any = timm.create_model(
            config["architecture"],
            pretrained=False,
            num_classes=config.get("num_classes", 1000),
            **config.get("model_args", {}),
        )
        module.load_state_dict(load_file(folder / "model.safetensors"))
        settings = resolve_data_config(config.get("pretrained_cfg", {}), model=module)
        transform = create_transform(**settings)
    except Exception as error:  # whatever a broken checkpoint makes timm raise
        raise InputError(
            f"{folder} can't be opened as a timm checkpoint: {type(error).__name__}: {error}"
        ) from error
    module.eval().requires_grad_(requires_grad=False).to(device)
    paths = module_paths(module)
    attention = [path for path in paths.values() if path.endswith("attn")]
    heads = next(
        (getattr(m, "num_heads", 0) for m in module.modules() if hasattr(m, "num_heads")), 0
    )
    card = replace(
        card,
        layers=len(attention),
        heads=heads,
        d_model=int(module.num_features),
        parameters=sum(math.prod(parameter.shape) for parameter in module.parameters()),
        labels=tuple(config.get("pretrained_cfg", {}).get("label_names", ()) or card.labels),
    )
    return VisionModel(card, module, transform, paths)
