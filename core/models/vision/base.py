"""What every question to a picture model needs: pixels in, changes applied, probabilities out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.capture import Recorder
from core.capture.hidden_states import StateRecorder
from core.catalog import ModelCard
from core.errors import InputError
from core.interventions import AttentionChange, HidePatches, Intervention, ReplaceTokens
from core.models.batching import bytes_of
from core.models.vision.denormalize import input_size
from core.models.vision.layer_grids import without_maps
from core.models.vision.patch_grid import hide_patches, patches_of
from core.outputs.vision import AnyPicture
from core.trace import AttentionKind, PatchGrid

POOL: Final = "attn_pool"  # where SigLIP's one latent query reads all patches out


@dataclass(frozen=True)
class PictureModel:
    """An opened timm model with its transform; `paths` names every module by `id`."""

    card: ModelCard
    module: nn.Module
    transform: Any
    paths: dict[int, str]

    batched: ClassVar = frozenset({"image", "interventions"})

    @property
    def nbytes(self) -> int:
        """Bytes of parameters and buffers."""
        return bytes_of(self.module)

    @property
    def n_classes(self) -> int:
        """0 for a model without a head."""
        return int(getattr(self.module, "num_classes", 0))

    @property
    def labels(self) -> tuple[str, ...]:
        """Every class's name; its number where the checkpoint names none."""
        named = len(self.card.labels) == self.n_classes
        return self.card.labels if named else tuple(map(str, range(self.n_classes)))

    def _recorder(self, interventions: Sequence[Sequence[Intervention]]) -> Recorder:
        return Recorder(self.paths, _kind_of, _addressed(interventions))

    def _state_recorder(
        self, interventions: Sequence[Sequence[Intervention]], *, explicit: bool = False
    ) -> StateRecorder:
        return StateRecorder(
            self.module, self.paths, _kind_of, _addressed(interventions), explicit=explicit
        )

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
        if any(isinstance(change, ReplaceTokens) for row in interventions for change in row):
            raise InputError(f"{self.card.title} sees pictures: it has no tokens to replace.")
        hiding = [[c for c in changes if isinstance(c, HidePatches)] for changes in interventions]
        if not any(hiding):
            return pixels
        grid = self._patches()
        rows = list(pixels)
        for row, changes in enumerate(hiding):
            for change in changes:
                rows[row] = hide_patches(rows[row], grid, change.indices, change.fill)
        return torch.stack(rows)

    def _pixels(self, image: AnyPicture) -> Float[Tensor, "1 3 height width"]:
        device = next(self.module.parameters()).device
        return self.transform(image.convert("RGB"))[None].to(device)

    def _grid(self) -> PatchGrid | None:
        return patches_of(self.module, input_size(self.transform))

    def _patches(self) -> PatchGrid:
        grid = self._grid()
        if grid is None:
            raise without_maps(self.card.title, self.module)
        return grid

    def _refuse_without_classes(self) -> None:
        if not self.n_classes:
            raise InputError(
                f"{self.card.title} knows no classes: its checkpoint has no head. Its attention "
                "can be seen; for classes ask a model that was trained on them, such as vit-mini."
            )


def _kind_of(path: str) -> AttentionKind:
    return AttentionKind.CROSS if POOL in path else AttentionKind.ENCODER


def _addressed(interventions: Sequence[Sequence[Intervention]]) -> list[list[Intervention]]:
    """Heads count within the blocks unless a kind is named: a pooling is no layer of them."""
    return [
        [
            replace(change, kind=AttentionKind.ENCODER)
            if isinstance(change, AttentionChange) and change.kind is None
            else change
            for change in changes
        ]
        for changes in interventions
    ]
