"""The masked autoencoder's two halves as one module: a timm ViT that sees few patches, a decoder.

He et al. 2022, https://arxiv.org/abs/2111.06377, section 3: the encoder reads the visible
patches alone; the decoder reads its outputs and, at every hidden patch, one shared mask token.
Axes: patches count row by row; a patch's numbers are (row, column, colour) within it.
"""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class Decoder(nn.Module):
    """A few blocks of its own narrower width, used for reconstruction only."""

    positions: Tensor

    def __init__(
        self,
        *,
        encoder_dim: int,
        grid: tuple[int, int],
        patch_size: int,
        embed_dim: int,
        depth: int,
        num_heads: int,
    ) -> None:
        super().__init__()
        from timm.layers.pos_embed_sincos import build_sincos2d_pos_embed
        from timm.models.vision_transformer import Block

        self.embed = nn.Linear(encoder_dim, embed_dim)
        self.mask_token = nn.Parameter(torch.zeros(embed_dim))
        patches = build_sincos2d_pos_embed([*grid], embed_dim)
        table = torch.cat([torch.zeros(1, embed_dim), patches])  # the class token has no place
        self.register_buffer("positions", table, persistent=False)
        self.blocks = nn.Sequential(
            *(Block(embed_dim, num_heads, qkv_bias=True) for _ in range(depth))
        )
        self.norm = nn.LayerNorm(embed_dim)
        self.predict = nn.Linear(embed_dim, 3 * patch_size**2)
        self._initialise()

    def _initialise(self) -> None:
        """Xavier uniform, as in the paper's appendix A.1; the mask token normal, 0.02."""
        nn.init.normal_(self.mask_token, std=0.02)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                nn.init.zeros_(module.bias)

    def forward(
        self,
        encoded: Float[Tensor, "batch token encoder_dim"],
        visible: Int[Tensor, "batch kept"],
    ) -> Float[Tensor, "batch patch number"]:
        """`encoded` is the class token, then the visible patches in the order of `visible`."""
        tokens = self.embed(encoded)
        batch, _, width = tokens.shape
        n_patches = len(self.positions) - 1
        places = visible[..., None].expand(-1, -1, width)
        patches = self.mask_token.to(tokens.dtype).expand(batch, n_patches, width)
        patches = patches.scatter(1, places, tokens[:, 1:])
        sequence = torch.cat([tokens[:, :1], patches], dim=1) + self.positions
        return self.predict(self.norm(self.blocks(sequence)))[:, 1:]


class MaskedAutoencoder(nn.Module):
    """A timm VisionTransformer with a class token, and the decoder."""

    def __init__(self, encoder: nn.Module, decoder: Decoder) -> None:
        super().__init__()
        self.encoder: Any = encoder
        self.decoder = decoder

    def forward(
        self,
        pixels: Float[Tensor, "batch 3 height width"],
        visible: Int[Tensor, "batch kept"],
    ) -> Float[Tensor, "batch patch number"]:
        """What the decoder says of every patch, the visible ones too, in normalised pixels."""
        return self.decoder(self.encode(pixels, visible), visible)

    def encode(
        self,
        pixels: Float[Tensor, "batch 3 height width"],
        visible: Int[Tensor, "batch kept"],
    ) -> Float[Tensor, "batch token d_model"]:
        """The class token and the visible patches after the encoder's last norm."""
        positions = self.encoder.pos_embed  # (1, class token and patches, d_model)
        patches = self.encoder.patch_embed(pixels) + positions[:, 1:]
        kept = patches.gather(1, visible[..., None].expand(-1, -1, patches.shape[-1]))
        first = (self.encoder.cls_token + positions[:, :1]).expand(len(kept), -1, -1)
        tokens = torch.cat([first.to(kept.dtype), kept], dim=1)
        return self.encoder.norm(self.encoder.blocks(tokens))


def patches_of(
    pixels: Float[Tensor, "batch 3 height width"], patch_size: int
) -> Float[Tensor, "batch patch number"]:
    """Cut pictures into patches: what the decoder's output is compared with."""
    batch, colours, height, width = pixels.shape
    rows, columns = height // patch_size, width // patch_size
    cut = pixels.reshape(batch, colours, rows, patch_size, columns, patch_size)
    return cut.permute(0, 2, 4, 3, 5, 1).reshape(batch, rows * columns, -1)


def pixels_of(
    patches: Float[Tensor, "batch patch number"], grid: tuple[int, int], patch_size: int
) -> Float[Tensor, "batch 3 height width"]:
    """Put patches together: the inverse of `patches_of`."""
    rows, columns = grid
    cut = patches.reshape(len(patches), rows, columns, patch_size, patch_size, 3)
    together = cut.permute(0, 5, 1, 3, 2, 4)
    return together.reshape(len(patches), 3, rows * patch_size, columns * patch_size)
