"""A picture model of transformers in timm's words, which everything here speaks.

The network is transformers' own and does its own forward; what is added is where to find its
patches, its prefix tokens, its blocks and, where the answer is read from tokens by a norm, a
pooling and a head, those.
"""

from inspect import signature
from types import SimpleNamespace
from typing import Any, Final

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.capture.position_edits import prefix_rows
from core.errors import InputError

RESAMPLES: Final = "interpolate_pos_encoding"
Pixels = Float[Tensor, "row 3 height width"]
Tokens = Float[Tensor, "row token d_model"]


class TransformersNetwork(nn.Module):
    """`model` with timm's names around it; `title` is what a refusal calls it."""

    def __init__(self, title: str, model: Any) -> None:
        super().__init__()
        self.model = model
        self._tower = _tower(title, model)
        config = self._tower.config
        cut = _projection(title, self._tower.embeddings)
        norm = getattr(self._tower.embeddings, "norm", None)
        self.patch_embed = SimpleNamespace(proj=cut, norm=norm or nn.Identity())
        self.cls_token, self.dist_token, self.reg_token = _prefix(self._tower.embeddings)
        prefix = (self.cls_token, self.dist_token, self.reg_token)
        self.num_prefix_tokens = sum(token.shape[-2] for token in prefix if token is not None)
        self.num_features = int(config.hidden_size)
        depths = getattr(config, "depths", None)
        self.promised = int(sum(depths) if depths else config.num_hidden_layers)
        heads = getattr(config, "num_heads", None) if depths else config.num_attention_heads
        self.n_heads = int(heads[0] if isinstance(heads, (list, tuple)) else heads or 0)
        self.num_classes = 0
        if not depths:
            self.blocks = next(
                part for part in self._tower.modules()
                if isinstance(part, nn.ModuleList) and len(part) == self.promised
            )  # fmt: skip
        if (table := _positions(self._tower.embeddings)) is not None:
            self.pos_embed = table
        self._resamples = False
        self._name_the_answer()

    @property
    def takes_sizes(self) -> bool:
        """Whether transformers can interpolate the model's positions for other pictures."""
        turned = any("rope" in name for name, _ in self.named_modules())  # at any size
        return turned or hasattr(self.embeddings, RESAMPLES)

    def take_size(self, size: tuple[int, int]) -> None:
        """From now on for pictures of (height, width); its positions are interpolated."""
        self._resamples = RESAMPLES in signature(self.embeddings.forward).parameters
        table = _positions(self.embeddings)
        if table is None:
            return
        steps = self.patch_embed.proj.stride
        n_patches = (size[0] // steps[0]) * (size[1] // steps[1])
        rows = n_patches + prefix_rows(self.embeddings)
        empty = table.new_zeros(1, rows, table.shape[-1])
        fitted = self.embeddings.interpolate_pos_encoding(empty, *size)
        self.pos_embed = nn.Parameter(fitted.detach(), requires_grad=False)

    def forward(self, pixels: Pixels) -> Tensor:
        """(row, class) logits; without a head, the tokens."""
        made = self.model(pixel_values=pixels, **self._given(pixels))
        return made.logits if self.num_classes else made.last_hidden_state

    def forward_features(self, pixels: Pixels) -> Tokens:
        """The last tokens, after the last norm."""
        return self._tower(pixel_values=pixels, **self._given(pixels)).last_hidden_state

    @property
    def embeddings(self) -> Any:
        """Where positions are added."""
        return self._tower.embeddings

    def _given(self, pixels: Pixels) -> dict[str, Any]:
        """Beside the pixels. A masked autoencoder has nothing hidden, and nothing shuffled."""
        given = {RESAMPLES: True} if self._resamples else {}
        if not hasattr(self._tower.config, "mask_ratio"):
            return given
        sides = zip(pixels.shape[2:], self.patch_embed.proj.stride, strict=True)
        rows, columns = (size // step for size, step in sides)
        places = torch.arange(rows * columns, device=pixels.device, dtype=torch.float32)
        return given | {"noise": places.expand(len(pixels), -1)}

    def _name_the_answer(self) -> None:
        """timm's names for norm, pooling and head, where the answer is read by nothing else."""
        model, tower = self.model, self._tower
        if isinstance(head := getattr(model, "cls_classifier", None), nn.Linear):
            self.head_dist = model.distillation_classifier
        else:
            head = getattr(model, "classifier", None)
        if not isinstance(head, nn.Linear):
            return
        self.num_classes = head.out_features
        if head.in_features != self.num_features or not hasattr(tower, "layernorm"):
            return  # DINOv2 reads the class token beside the patches' mean
        self.norm, self.head = tower.layernorm, head
        pooler: Any = getattr(tower, "pooler", None)
        if isinstance(averaged := getattr(pooler, "layernorm", None), nn.LayerNorm):  # BEiT
            self.fc_norm = averaged
        mean = self.cls_token is None or hasattr(self, "fc_norm")
        self.global_pool = "avg" if mean else "token"

    def __getattr__(self, name: str) -> Any:
        """`forward_head` is there only where the answer is read by nothing else."""
        if name == "forward_head" and "head" in self._modules:
            return self._answer
        return super().__getattr__(name)

    def _answer(self, tokens: Tokens) -> Tensor:
        """Logits of normed tokens."""
        if hasattr(self, "head_dist"):
            return (self.head(tokens[:, 0]) + self.head_dist(tokens[:, 1])) / 2
        if self.global_pool == "token":
            return self.head(tokens[:, 0])
        mean = tokens[:, self.num_prefix_tokens :].mean(1)
        return self.head(self.fc_norm(mean) if hasattr(self, "fc_norm") else mean)


def _tower(title: str, model: Any) -> Any:
    """The stack that reads the picture."""
    for part in (getattr(model, "vision_model", None), model.base_model, model):
        config = getattr(part, "config", None)
        if hasattr(part, "embeddings") and hasattr(config, "hidden_size"):
            return part
    raise InputError(
        f"{title} is a {type(model).__name__}, which doesn't cut its picture into patches once and "
        "for all, as ViT and Swin do, so its maps can't be laid on the picture. Choose a ViT, a "
        "DeiT, a DINOv2, a BEiT, a Swin or a CLIP; for a detector, detr-mini."
    )


def _projection(title: str, embeddings: Any) -> nn.Conv2d:
    cut = next((part for part in embeddings.modules() if isinstance(part, nn.Conv2d)), None)
    if cut is None:
        raise InputError(
            f"{title} does not cut its picture into patches by one linear projection. Choose a ViT "
            "or a Swin."
        )
    return cut


def _positions(embeddings: Any) -> nn.Parameter | None:
    """A table that is added: a parameter, or CLIP's rows that are looked up."""
    table = getattr(embeddings, "position_embeddings", None)
    looked_up = getattr(embeddings, "position_embedding", None)
    if isinstance(looked_up, nn.Embedding):
        table = looked_up.weight
    return table if isinstance(table, nn.Parameter) else None


def _prefix(embeddings: Any) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """Class token, distillation token and registers, (…, token, d_model) each."""
    token = getattr(embeddings, "cls_token", None)
    if token is None and isinstance(alone := getattr(embeddings, "class_embedding", None), Tensor):
        token = nn.Parameter(alone[None], requires_grad=False)  # CLIP
    registers = getattr(embeddings, "register_tokens", None)
    return token, getattr(embeddings, "distillation_token", None), registers
