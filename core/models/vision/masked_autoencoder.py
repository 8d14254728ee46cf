"""A masked autoencoder: hide patches of a picture, let the model paint them.

He et al. 2022, https://arxiv.org/abs/2111.06377. The checkpoint directory is the encoder's in
timm's layout (`trace` and positions are the encoder's, on the full picture), with the decoder
beside it: decoder.safetensors, and in config.json `"decoder": {embed_dim, depth, num_heads}`.
The model predicts pixels, not patches normalised one by one (the paper's norm_pix_loss), so a
reconstruction needs nothing from the hidden patches: no mean, no variance leaks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Float32
from torch import Tensor
from typing_extensions import override

from core.catalog import ModelCard
from core.catalog.directory_card import read_json
from core.errors import InputError
from core.models.batching import bytes_of
from core.models.vision.autoencoder_network import (
    Decoder,
    MaskedAutoencoder,
    patches_of,
    pixels_of,
)
from core.models.vision.classifier import VisionModel
from core.models.vision.denormalize import colours_of
from core.models.vision.loading import load_vision_model
from core.outputs.autoencoder import (
    ErrorByRatio,
    Reconstruction,
    mask_of,
    random_mask,
)
from core.outputs.vision import AnyPicture
from core.trace import PatchGrid

DECODER_FILE = "decoder.safetensors"


@dataclass(frozen=True)
class AutoencoderModel(VisionModel):
    """A loaded masked autoencoder; `module` is its encoder, which has no head for classes."""

    network: MaskedAutoencoder

    @property
    @override
    def nbytes(self) -> int:
        """Of encoder and decoder."""
        return bytes_of(self.network)

    def reconstruct(
        self,
        image: AnyPicture,
        mask: Bool[np.ndarray, "row column"] | None = None,
        ratio: float = 0.75,
        seed: int = 0,
    ) -> Reconstruction:
        """Hide the patches that are True in `mask`, or a random share, and paint them.

        With the same seed a larger ratio hides the same patches and more. Raises InputError for
        a mask of another shape than the grid, or a ratio outside 0 to 1.
        """
        grid = self._patches()
        hidden = random_mask(grid, ratio, seed) if mask is None else _checked(mask, grid)
        return self._painted(self._pixels(image), [hidden])[0]

    def reconstruct_hidden(self, image: AnyPicture, hidden: tuple[int, ...]) -> Reconstruction:
        """The same with the hidden patches by number. Raises InputError for one that isn't."""
        return self.reconstruct(image, mask_of(self._patches(), hidden))

    def error_by_ratio(
        self, image: AnyPicture, ratios: tuple[float, ...], seeds: tuple[int, ...]
    ) -> ErrorByRatio:
        """How the error at hidden patches grows with their share; one batch a share."""
        grid, pixels = self._patches(), self._pixels(image)
        made = [
            self._painted(pixels, [random_mask(grid, ratio, seed) for seed in seeds])
            for ratio in ratios
        ]
        return ErrorByRatio(
            ratios=ratios,
            seeds=seeds,
            errors=_by_seed([[one.error for one in batch] for batch in made]),
            flat=_by_seed([[one.flat_error for one in batch] for batch in made]),
        )

    def _painted(
        self,
        pixels: Float[Tensor, "1 3 height width"],
        masks: Sequence[Bool[np.ndarray, "row column"]],
    ) -> list[Reconstruction]:
        """One picture under masks that hide equally many patches, as one batch."""
        grid = self._patches()
        size = self.network.encoder.patch_embed.patch_size[0]
        kept = [np.flatnonzero(~mask.reshape(-1)) for mask in masks]
        visible = torch.from_numpy(np.stack(kept)).to(pixels.device)
        with torch.inference_mode():
            answer = self.network(pixels.expand(len(masks), -1, -1, -1), visible)
            predicted = colours_of(
                pixels_of(answer, (grid.rows, grid.columns), size), self.transform
            )
            seen = colours_of(pixels, self.transform)
            errors = patches_of((predicted - seen) ** 2, size).mean(dim=-1).cpu().numpy()
        picture = _channels_last(seen[0])
        return [
            Reconstruction(
                picture=picture,
                hidden=mask,
                predicted=_channels_last(painted),
                errors=error.reshape(mask.shape),
                grid=grid,
            )
            for mask, painted, error in zip(masks, predicted, errors, strict=True)
        ]


def load_masked_autoencoder(
    card: ModelCard, folder: Path, device: torch.device
) -> AutoencoderModel:
    """Open encoder and decoder. Raises InputError if the checkpoint is not whole."""
    from safetensors.torch import load_file

    model = load_vision_model(card, folder, device)
    encoder: Any = model.module
    try:
        decoder = Decoder(
            encoder_dim=encoder.embed_dim,
            grid=encoder.patch_embed.grid_size,
            patch_size=encoder.patch_embed.patch_size[0],
            **read_json(folder / "config.json")["decoder"],
        )
        decoder.load_state_dict(load_file(folder / DECODER_FILE))
    except Exception as error:  # whatever a broken checkpoint makes torch raise
        raise InputError(
            f"{folder} can't be opened as a masked autoencoder: {type(error).__name__}: {error}"
        ) from error
    network = MaskedAutoencoder(encoder, decoder.to(device))
    network.eval().requires_grad_(requires_grad=False)
    parameters = sum(parameter.numel() for parameter in network.parameters())
    return AutoencoderModel(
        replace(model.card, parameters=parameters, labels=()),
        encoder,
        model.transform,
        model.paths,
        network,
    )


def _checked(
    mask: Bool[np.ndarray, "row column"], grid: PatchGrid
) -> Bool[np.ndarray, "row column"]:
    if mask.shape != (grid.rows, grid.columns):
        raise InputError(
            f"The mask has {mask.shape} patches; this model's pictures have "
            f"{grid.rows} rows and {grid.columns} columns."
        )
    return mask


def _by_seed(errors: Sequence[Sequence[float | None]]) -> Float32[np.ndarray, "seed ratio"]:
    return np.array(errors, dtype=np.float32).T


def _channels_last(
    pixels: Float[Tensor, "3 height width"],
) -> Float32[np.ndarray, "height width 3"]:
    return pixels.permute(1, 2, 0).cpu().numpy()
