"""A masked autoencoder: hide patches of a picture, let the model paint them.

He et al. 2022, https://arxiv.org/abs/2111.06377. The checkpoint directory is the encoder's in
timm's layout (`trace` and positions are the encoder's, on the full picture), with the decoder
beside it: decoder.safetensors, and in config.json `"decoder": {embed_dim, depth, num_heads}`.
The model predicts pixels, not patches normalised one by one (the paper's norm_pix_loss), so a
reconstruction needs nothing from the hidden patches: no mean, no variance leaks.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float32
from PIL import Image
from torch import Tensor
from typing_extensions import override

from core.catalog import ModelCard
from core.checkpoints import read_json
from core.errors import InputError
from core.models.mae_network import Decoder, MaskedAutoencoder, patches_of, pixels_of
from core.models.vision import VisionModel
from core.models.vision_loading import load_vision_model
from core.trace import PatchGrid, Trace, read_only
from core.vision_values import ClassPrediction

DECODER_FILE = "decoder.safetensors"


@dataclass(frozen=True, slots=True, eq=False)
class Reconstruction:
    """A picture as the model saw it, what was hidden, and what the model says; colours 0 to 1."""

    picture: Float32[np.ndarray, "height width 3"]  # resized and cropped for the model
    hidden: Bool[np.ndarray, "row column"]
    predicted: Float32[np.ndarray, "height width 3"]  # every patch, visible ones too; unclipped
    errors: Float32[np.ndarray, "row column"]  # mean squared error of each patch
    grid: PatchGrid

    def __post_init__(self) -> None:
        for name in ("picture", "hidden", "predicted", "errors"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def pasted(self) -> Float32[np.ndarray, "height width 3"]:
        """The visible patches as they are, the predictions in the hidden ones."""
        patch = (len(self.picture) // self.grid.rows, self.picture.shape[1] // self.grid.columns)
        mask = np.kron(self.hidden, np.ones(patch, dtype=bool))[..., None]
        return np.where(mask, self.predicted, self.picture)

    @property
    def error(self) -> float | None:
        """Mean squared error over the hidden patches; None where none is hidden."""
        return float(self.errors[self.hidden].mean()) if self.hidden.any() else None

    @property
    def nbytes(self) -> int:
        arrays = (self.picture, self.hidden, self.predicted, self.errors)
        return sum(array.nbytes for array in arrays)


@dataclass(frozen=True)
class AutoencoderModel(VisionModel):
    """A loaded masked autoencoder; `module` is its encoder."""

    network: MaskedAutoencoder

    def reconstruct(
        self,
        image: Image.Image,
        mask: Bool[np.ndarray, "row column"] | None = None,
        ratio: float = 0.75,
        seed: int = 0,
    ) -> Reconstruction:
        """Hide the patches that are True in `mask`, or a random share, and paint them.

        With the same seed a larger ratio hides the same patches and more. Raises InputError for
        a mask of another shape than the grid, or a ratio outside 0 to 1.
        """
        grid = self._patch_grid
        hidden = random_mask(grid, ratio, seed) if mask is None else _checked(mask, grid)
        size = self.network.encoder.patch_embed.patch_size[0]
        pixels = self._pixels(image)
        visible = torch.from_numpy(np.flatnonzero(~hidden.reshape(-1)))[None].to(pixels.device)
        with torch.inference_mode():
            predicted = self._colours(
                pixels_of(self.network(pixels, visible), (grid.rows, grid.columns), size)
            )
            seen = self._colours(pixels)
            errors = patches_of((predicted - seen) ** 2, size).mean(dim=-1)
        return Reconstruction(
            picture=_channels_last(seen),
            hidden=hidden,
            predicted=_channels_last(predicted),
            errors=errors.reshape(hidden.shape).cpu().numpy(),
            grid=grid,
        )

    @override
    def trace(self, image: Image.Image, **options: Any) -> Trace:
        """The encoder's attention on the full picture, nothing hidden."""
        return replace(super().trace(image, **options), logits=None)  # features, not answers

    @override
    def classify(self, image: Image.Image, **_: Any) -> tuple[ClassPrediction, ...]:
        raise InputError(
            f"{self.card.title} knows no classes: it paints hidden patches. "
            "Ask a model that was fine-tuned, such as vit-mini."
        )

    @property
    def _patch_grid(self) -> PatchGrid:
        grid = self._grid()
        if grid is None:
            raise ValueError("an encoder without patches")
        return grid

    def _colours(self, pixels: Tensor) -> Tensor:
        """Normalised pixels back to colours from 0 to 1."""
        normalise = self.transform.transforms[-1]
        mean, std = (
            torch.as_tensor(values, device=pixels.device).reshape(3, 1, 1)
            for values in (normalise.mean, normalise.std)
        )
        return pixels * std + mean


def random_mask(grid: PatchGrid, ratio: float, seed: int) -> Bool[np.ndarray, "row column"]:
    """So large a share of the patches, rounded to whole ones, drawn without replacement."""
    if not 0.0 <= ratio <= 1.0:
        raise InputError(f"The share of hidden patches is {ratio:g}; give one from 0 to 1.")
    order = np.random.default_rng(seed).permutation(grid.rows * grid.columns)
    hidden = np.zeros(order.size, dtype=bool)
    hidden[order[: round(ratio * order.size)]] = True
    return hidden.reshape(grid.rows, grid.columns)


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


def _channels_last(pixels: Tensor) -> Float32[np.ndarray, "height width 3"]:
    return pixels[0].permute(1, 2, 0).cpu().numpy()
