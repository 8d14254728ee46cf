"""mae-mini's steps: hide three patches of four, predict their pixels.

He et al. 2022, "Masked Autoencoders Are Scalable Vision Learners", https://arxiv.org/abs/2111.06377.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from core.models.vision.autoencoder_network import MaskedAutoencoder, patches_of, pixels_of
from core.training.common.precision import autocast
from core.training.common.schedule import cosine
from core.training.vision.augment import centre_crops, normalise, random_crops
from core.training.vision.moments import filters, fixed_picture
from core.training.vision.network import MEAN, STD, picture_size
from core.training.vision.prepare import Album
from core.training.vision.recipe import CLIP, PhotoRecipe, muon_and_adamw

MASK_RATIO = 0.75
BATCH_SIZE = {"cpu": 64, "cuda": 1024}
LEARNING_RATE = {"cpu": 1e-3, "cuda": 2e-3}
WARMUP = 0.05  # of the training, as in the paper's 40 of 800 epochs
BETAS = (0.9, 0.95)
WEIGHT_DECAY = 0.05
SMALLEST_CROP = 0.2  # of a photograph's area
SNAPSHOT_PHOTOS = 64  # held-out ones, for the figure of a moment
SNAPSHOT_SEED = 0


class MaskedRecipe(PhotoRecipe):
    """Random crops in, mean squared error at the hidden patches out."""

    def __init__(
        self,
        network: MaskedAutoencoder,
        album: Album,
        *,
        device: str,
        compiled: bool,
        batch_size: int | None = None,
    ) -> None:
        photos = album.training()
        self.network = network.to(device)
        super().__init__(
            network,
            muon_and_adamw(network, betas=BETAS, weight_decay=WEIGHT_DECAY),
            album,
            photos=photos,
            weights=torch.ones(len(photos)),
            batch_size=batch_size or BATCH_SIZE[device],
            device=device,
        )
        self._forward = torch.compile(network, dynamic=False) if compiled else network
        self._size = picture_size(network.encoder)
        self._patch_size: int = network.encoder.patch_embed.patch_size[0]
        self._n_patches: int = network.encoder.patch_embed.num_patches

    def step(self, fraction: float) -> float:
        pixels, _ = self.draw()
        pictures = normalise(random_crops(pixels, smallest=SMALLEST_CROP, size=self._size))
        visible, hidden = split_patches(len(pictures), self._n_patches, device=self.device)
        with autocast(self.device):
            predicted = self._forward(pictures, visible)
        loss = masked_loss(predicted.float(), patches_of(pictures, self._patch_size), hidden)
        loss.backward()
        rate = cosine(fraction, peak=LEARNING_RATE[self.device], warmup=WARMUP)
        self.optimiser.step(learning_rate=rate, clip=CLIP)
        return float(loss.detach())

    def snapshot(self) -> dict[str, Tensor]:
        """Positions, filters, one picture painted, and the error on held-out photographs."""
        self.network.eval()
        encoder = self.network.encoder
        generator = torch.Generator().manual_seed(SNAPSHOT_SEED)
        chosen = self.album.unseen()[:SNAPSHOT_PHOTOS]
        unseen = centre_crops(torch.from_numpy(self.album.pixels[chosen]), size=self._size)
        pictures = torch.cat([fixed_picture(self._size), unseen]).to(self.device)
        visible, hidden = split_patches(
            len(pictures), self._n_patches, generator, device=self.device
        )
        with torch.inference_mode():
            predicted = self.network(pictures, visible)
        std = torch.tensor(STD, device=self.device).repeat(self._patch_size**2)
        target = patches_of(pictures, self._patch_size)
        error = masked_loss(predicted[1:] * std, target[1:] * std, hidden[1:])
        target[0, hidden[0]] = predicted[0, hidden[0]]
        painted = pixels_of(target[:1], encoder.patch_embed.grid_size, self._patch_size)[0].cpu()
        colours = painted.permute(1, 2, 0) * torch.tensor(STD) + torch.tensor(MEAN)
        self.network.train()
        return {
            "positions": encoder.pos_embed[0].detach().half().cpu(),  # (token, d_model)
            "filters": filters(encoder).half(),  # (component, row, column, 3)
            "painted": (colours.clamp(0, 1) * 255).round().to(torch.uint8),  # (row, column, 3)
            "metrics": error.cpu()[None],
        }


def split_patches(
    batch: int,
    patches: int,
    generator: torch.Generator | None = None,
    *,
    device: torch.device | str = "cpu",
) -> tuple[Int[Tensor, "batch kept"], Int[Tensor, "batch dropped"]]:
    """The numbers of the visible patches and of the hidden ones, drawn for each picture.

    Drawn on the CPU, so that every device draws the same, and sorted on the device.
    """
    order = torch.rand(batch, patches, generator=generator).to(device).argsort(dim=1)
    kept = patches - round(MASK_RATIO * patches)
    return order[:, :kept], order[:, kept:]


def masked_loss(
    predicted: Float[Tensor, "batch patch number"],
    target: Float[Tensor, "batch patch number"],
    hidden: Int[Tensor, "batch dropped"],
) -> Float[Tensor, ""]:
    """Mean squared error over the hidden patches alone."""
    at = hidden[..., None].expand(-1, -1, target.shape[-1])
    return (predicted.gather(1, at) - target.gather(1, at)).square().mean()
