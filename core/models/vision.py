"""ViT and its relatives in timm's layout: patches in, attention maps and classes out.

Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import torch
from jaxtyping import Float, Float32
from PIL import Image
from torch import Tensor, nn

from core.attention_call import AttentionCall, read_row
from core.capture import Recorder
from core.catalog import ModelCard
from core.errors import InputError
from core.gradients import with_gradients
from core.interventions import AttentionChange, HidePatches, Intervention
from core.models.block_outputs import block_outputs, read_states
from core.models.equivariance import vision_equivariance
from core.models.patch_embedding import patch_embedding
from core.models.patching import hide_patches, patches_of, prefix_of
from core.models.picture_layers import layers_of
from core.models.position_tables import vision_table
from core.models.vision_lens import patch_logits
from core.models.vision_pixels import colours_of, input_size
from core.patch_values import PatchEmbedding
from core.positions.equivariance import Equivariance, order_of
from core.positions.table import PositionTable
from core.targets import ClassTarget, Target
from core.trace import AttentionKind, PatchGrid, Trace, read_only
from core.vision_values import ClassPrediction, PatchLogits, SeenPicture

BATCH: Final = 8  # pictures a forward in `measure`
POOL: Final = "attn_pool"  # where SigLIP's one latent query reads all patches out


@dataclass(frozen=True)
class VisionModel:
    """A loaded picture model; like all models here it keeps nothing of past runs."""

    card: ModelCard
    module: nn.Module
    transform: Any
    paths: dict[int, str]

    def seen(self, image: Image.Image) -> SeenPicture:
        """The picture as the model gets it, and how it is cut into patches."""
        pixels = self._pixels(image)
        grid = self._patches()
        colours = colours_of(pixels, self.transform)[0].permute(1, 2, 0).cpu().numpy()
        return SeenPicture(
            picture=np.round(colours.clip(0, 1) * 255).astype(np.uint8),
            grid=grid,
            patch_pixels=(pixels.shape[-2] // grid.rows, pixels.shape[-1] // grid.columns),
            prefix=prefix_of(self.module),
        )

    def trace(
        self,
        image: Image.Image,
        *,
        interventions: Sequence[Intervention] = (),
        gradient_of: Target | None = None,
    ) -> Trace:
        """One forward pass on a picture, with every attention map, in layer order.

        `gradient_of` fills each layer's gradients of that answer. Raises InputError for a model
        without maps over patches, and for interventions that name what isn't there.
        """
        explicit = gradient_of is not None
        recorder = self._recorder([interventions], explicit=explicit)
        with torch.inference_mode(mode=not explicit), recorder, block_outputs() as states:
            logits = self.module(self._shown(self._pixels(image), [interventions]))
        recorder.refuse_idle()
        calls: Sequence[AttentionCall] = recorder.calls
        if gradient_of is not None:
            calls = with_gradients(calls, logits[0] if self.n_classes else None, gradient_of)
        patches = self._grid()
        pooling = [call for call in calls if call.kind == AttentionKind.CROSS]
        looking = [call for call in calls if call.kind == AttentionKind.ENCODER]
        return Trace(
            model_id=self.card.id,
            layers={
                AttentionKind.ENCODER: layers_of(self.card.title, self.module, looking, patches)
            },
            states={AttentionKind.ENCODER: read_states(states)},
            logits=read_row(logits, 0) if self.n_classes else None,
            patches=patches,
            pool=replace(pooling[-1].layer_of(0, {}), key_grid=patches) if pooling else None,
        )

    def classify(
        self, image: Image.Image, *, top_k: int = 5, interventions: Sequence[Intervention] = ()
    ) -> tuple[ClassPrediction, ...]:
        """The most probable classes, most probable first."""
        probabilities = self._probabilities(self._pixels(image), [interventions])[0]
        labels = self.labels
        values, ids = probabilities.topk(min(top_k, len(labels)))
        return tuple(
            ClassPrediction(labels[int(i)], float(p)) for i, p in zip(ids, values, strict=True)
        )

    def measure(
        self,
        image: Image.Image,
        variants: Sequence[Sequence[Intervention]],
        quantity: ClassTarget,
    ) -> Float32[np.ndarray, " variant"]:
        """A class's probability under each of many changes, in batches; no map is kept."""
        if not 0 <= quantity.index < self.n_classes:
            raise InputError(
                f"There is no class {quantity.index}: {self.card.title} has {self.n_classes}, "
                "counted from 0."
            )
        pixels = self._pixels(image)
        found = [
            self._probabilities(pixels.expand(len(batch), -1, -1, -1), batch)[:, quantity.index]
            for batch in (variants[i : i + BATCH] for i in range(0, len(variants), BATCH))
        ]
        return read_only(torch.cat(found).cpu().numpy() if found else np.zeros(0, np.float32))

    def patch_logits(
        self, image: Image.Image, *, interventions: Sequence[Intervention] = ()
    ) -> PatchLogits:
        """What the model's head says of every layer's tokens. Raises InputError if it can't."""
        self._refuse_without_classes()
        recorder = self._recorder([interventions])
        with torch.inference_mode():
            with recorder, block_outputs() as states:
                logits = self.module(self._shown(self._pixels(image), [interventions]))
            recorder.refuse_idle()
            return patch_logits(
                self.card.title,
                self.module,
                states,
                logits,
                patches=self._patches(),
                prefix=prefix_of(self.module),
                labels=self.labels,
            )

    def patch_embedding(self, image: Image.Image) -> PatchEmbedding:
        """How patches become tokens. Raises InputError without one linear projection."""
        return patch_embedding(self.card, self.module, self._pixels(image), self._grid())

    def position_table(self) -> PositionTable:
        """The model's own table of positions. Raises InputError for a model without one."""
        return vision_table(self.card, self.module, self._grid())

    def permutation_test(self, image: Image.Image, *, seed: int = 0) -> Equivariance:
        """How far the answer is from not minding the order of a picture's patches."""
        grid = self._patches()

        def run(
            pixels: Tensor, changes: Sequence[Intervention]
        ) -> tuple[Sequence[AttentionCall], Tensor]:
            recorder = self._recorder([changes])
            with torch.inference_mode(), recorder:
                logits = self.module(pixels)
            return recorder.calls, logits

        order = order_of(grid.rows * grid.columns, seed)
        return vision_equivariance(run, self._pixels(image), grid, order)

    @property
    def n_classes(self) -> int:
        """0 for a model without a head."""
        return int(getattr(self.module, "num_classes", 0))

    @property
    def labels(self) -> tuple[str, ...]:
        """Every class's name; its number where the checkpoint names none."""
        named = len(self.card.labels) == self.n_classes
        return self.card.labels if named else tuple(map(str, range(self.n_classes)))

    def _recorder(
        self, interventions: Sequence[Sequence[Intervention]], *, explicit: bool = False
    ) -> Recorder:
        """Heads count within the blocks unless a kind is named: a pooling is no layer of them."""
        addressed = [[_addressed(change) for change in changes] for changes in interventions]
        return Recorder(self.paths, _kind_of, addressed, explicit=explicit)

    def _probabilities(
        self,
        pixels: Float[Tensor, "row 3 height width"],
        interventions: Sequence[Sequence[Intervention]],
    ) -> Float[Tensor, "row class"]:
        self._refuse_without_classes()
        with torch.inference_mode():
            shown = self._shown(pixels, interventions)
            if all(isinstance(change, HidePatches) for row in interventions for change in row):
                return self.module(shown).float().softmax(-1)
            recorder = self._recorder(interventions)
            with recorder:
                logits = self.module(shown)
        recorder.refuse_idle()
        return logits.float().softmax(-1)

    def _shown(
        self,
        pixels: Float[Tensor, "row 3 height width"],
        interventions: Sequence[Sequence[Intervention]],
    ) -> Float[Tensor, "row 3 height width"]:
        """The pixels of each row with its hidden patches."""
        hidden = [
            tuple(i for c in changes if isinstance(c, HidePatches) for i in c.indices)
            for changes in interventions
        ]
        if not any(hidden):
            return pixels
        grid = self._patches()
        rows = zip(pixels, hidden, strict=True)
        return torch.stack([hide_patches(row, grid, indices) for row, indices in rows])

    def _pixels(self, image: Image.Image) -> Float[Tensor, "1 3 height width"]:
        device = next(self.module.parameters()).device
        return self.transform(image.convert("RGB"))[None].to(device)

    def _grid(self) -> PatchGrid | None:
        return patches_of(self.module, input_size(self.transform))

    def _patches(self) -> PatchGrid:
        grid = self._grid()
        if grid is None:
            raise InputError(f"{self.card.title} cuts its picture into no patches.")
        return grid

    def _refuse_without_classes(self) -> None:
        if not self.n_classes:
            raise InputError(
                f"{self.card.title} knows no classes: its checkpoint has no head. Its attention "
                "can be seen; for classes ask a model that was trained on them, such as vit-mini."
            )


def _kind_of(path: str) -> AttentionKind:
    return AttentionKind.CROSS if POOL in path else AttentionKind.ENCODER


def _addressed(change: Intervention) -> Intervention:
    if isinstance(change, AttentionChange) and change.kind is None:
        return replace(change, kind=AttentionKind.ENCODER)
    return change
