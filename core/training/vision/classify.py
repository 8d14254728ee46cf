"""The steps of vit-mini and swin-mini: name the class of a varied picture.

Strong augmentation, as small data need it: Touvron et al. 2021 (DeiT, table 9),
https://arxiv.org/abs/2012.12877; mixup: Zhang et al. 2018, https://arxiv.org/abs/1710.09412;
CutMix: Yun et al. 2019, https://arxiv.org/abs/1905.04899. On a CPU a ViT sees half of the patches
in most of its steps, which takes half the time: Li et al. 2023, https://arxiv.org/abs/2212.00794.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from jaxtyping import Float, Int
from timm.layers.patch_dropout import PatchDropout
from torch import Tensor, nn
from torch.nn import functional
from torchvision.transforms import v2

from core.training.common.precision import autocast
from core.training.common.schedule import cosine
from core.training.vision.augment import centre_crops, random_crops, varied
from core.training.vision.classes import LABELS
from core.training.vision.network import picture_size
from core.training.vision.prepare import Album
from core.training.vision.recipe import CLIP, PhotoRecipe, Steps

PICTURES_AT_ONCE = 64  # when held-out ones are measured
WHOLE_PICTURES_FROM = 0.8  # of the training
Moment = Callable[[nn.Module], dict[str, Tensor]]  # what a snapshot keeps beside the figures


@dataclass(frozen=True, slots=True)
class Settings:
    """Named as in the papers; learning rate and batch size are the device's."""

    batch_size: int
    learning_rate: float
    warmup: float  # of the training
    smallest_crop: float  # of a photograph's area
    magnitude: int  # of RandAugment
    mixing: float  # share of the batches that are mixed, half by mixup and half by CutMix
    others: float  # share of the pictures that show another category than the 27
    mixup: float = 0.8  # α
    cutmix: float = 1.0  # α
    label_smoothing: float = 0.1
    drop_path: float = 0.1
    patch_drop: float = 0.0  # share of a picture's patches left out, until the last part
    betas: tuple[float, float] = (0.9, 0.999)
    weight_decay: float = 0.05
    layer_decay: float | None = None  # None: every layer has the same learning rate


class ClassifierRecipe(PhotoRecipe):
    """Every class equally often, cross-entropy with soft labels.

    The model has outputs for the other categories too: they are learned beside the 27, since
    4,000 photographs are few, and are cut off when it is shipped.
    """

    def __init__(
        self,
        model: nn.Module,
        optimiser: Steps,
        album: Album,
        settings: Settings,
        *,
        moment: Moment,
        device: str,
        compiled: bool,
        size: int | None = None,
    ) -> None:
        """`size`: pixels a side of the pictures, where the model does not tell."""
        photos = album.training(of_a_category=True)
        super().__init__(
            model,
            optimiser,
            album,
            photos=photos,
            weights=equally_often(album.outputs[photos], others=settings.others),
            batch_size=settings.batch_size,
            device=device,
        )
        self.settings = settings
        self._size = size or picture_size(model)
        self._moment = moment
        self._forward = torch.compile(model, dynamic=False) if compiled else model
        mixed = (
            v2.MixUp(alpha=settings.mixup, num_classes=album.n_outputs),
            v2.CutMix(alpha=settings.cutmix, num_classes=album.n_outputs),
        )
        self._mix = v2.RandomChoice([*mixed])

    def step(self, fraction: float) -> float:
        settings = self.settings
        if settings.patch_drop and fraction >= WHOLE_PICTURES_FROM:
            cast("PatchDropout", self.model.get_submodule("patch_drop")).prob = 0.0
        pixels, labels = self.draw()
        crops = random_crops(pixels, smallest=settings.smallest_crop, size=self._size)
        pictures = varied(crops, magnitude=settings.magnitude)
        targets = torch.from_numpy(labels).to(self.device)
        if float(torch.rand(())) < settings.mixing:
            pictures, targets = self._mix(pictures, targets)
        with autocast(self.device):
            logits = self._forward(pictures)
        loss = functional.cross_entropy(
            logits.float(), targets, label_smoothing=settings.label_smoothing
        )
        loss.backward()
        rate = cosine(fraction, peak=settings.learning_rate, warmup=settings.warmup)
        self.optimiser.step(learning_rate=rate, clip=CLIP)
        return float(loss.detach())

    def snapshot(self) -> dict[str, Tensor]:
        """What the model's kind shows, and its accuracy on the held-out photographs."""
        self.model.eval()
        kept = self._moment(self.model)
        right = self._right()
        self.model.train()
        return kept | {"metrics": right.float().mean()[None]}

    def _right(self) -> Float[Tensor, " photo"]:
        unseen = self.album.unseen(of_a_class=True)
        answers: list[Tensor] = []
        with torch.inference_mode():
            for part in np.array_split(unseen, -(-len(unseen) // PICTURES_AT_ONCE)):
                pixels = torch.from_numpy(self.album.pixels[part]).to(self.device)
                pictures = centre_crops(pixels, size=self._size)
                answers.append(self.model(pictures)[:, : len(LABELS)].argmax(dim=1).cpu())
        return (torch.cat(answers) == torch.from_numpy(self.album.labels[unseen])).float()


def equally_often(
    outputs: Int[np.ndarray, " chosen"], *, others: float
) -> Float[Tensor, " chosen"]:
    """Weights to draw photographs by: every class equally often, and every other category too.

    `others` is the other categories' share of all that is drawn.
    """
    weights = 1.0 / np.bincount(outputs)[outputs]
    is_other = outputs >= len(LABELS)
    for chosen, share in ((~is_other, 1.0 - others), (is_other, others)):
        if chosen.any():
            weights[chosen] *= share / weights[chosen].sum()
    return torch.from_numpy(weights).float()
