"""Shows a model the whole of a picture that is not square, where its positions can be resampled.

The short side stays what the model was trained with, so things look as large to it as ever; the
long side gets more patches. A table of positions is interpolated for them, as Dosovitskiy et al.
2021 do for other resolutions (https://arxiv.org/abs/2010.11929, section 3.2), by timm's or
transformers' own code. The weights are the opened model's: a copy shares them.
"""

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from torch import nn
from torchvision.transforms import Compose, Resize

from core.capture.module_path import module_paths
from core.errors import InputError
from core.models.vision.denormalize import input_size
from core.models.vision.patch_grid import patches_of
from core.models.vision.transformers_network import TransformersNetwork
from core.outputs.vision import AnyPicture, Resampled
from core.trace import PatchGrid

MOST_OBLONG: Final = 4  # times as long as wide: so many times the tokens
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def at_its_size(method: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """A question about one picture, asked of the model as it is for a picture of that size."""

    @wraps(method)
    def asked(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        model, *rest = args
        image: Any = kwargs["image"] if "image" in kwargs else rest[0]
        ask: Any = method
        return ask(fitting(model, image), *rest, **kwargs)

    return asked


def fitting(model: Any, image: AnyPicture) -> Any:
    """`model`, or its like for all of `image`, if that is a `WholePicture`.

    Raises InputError for a model that only takes pictures of the size it was trained on, and for
    a picture more than MOST_OBLONG times as long as wide.
    """
    if not getattr(image, "whole", False):
        return model
    own = input_size(model.transform)
    cut = patches_of(model.module, own)
    if cut is None:
        raise _fixed(model.card.title, "it cuts no patches")
    size = whole_size(image.convert("RGB").size, own, cut)
    if size == own:
        return model
    _refuse_fixed(model.card.title, model.module)
    module = _resized(model.module, size, cut)
    return replace(
        model, module=module, paths=module_paths(module), transform=_uncropped(model, size)
    )


def whole_size(picture: tuple[int, int], own: tuple[int, int], cut: PatchGrid) -> tuple[int, int]:
    """(height, width) for a picture of (width, height): the short side the model's, the long one
    as the picture's, to the nearest whole patch."""
    wide, high = picture
    if max(picture) > MOST_OBLONG * min(picture):
        raise InputError(
            f"The picture is {high} × {wide} pixels, one side {max(picture) / min(picture):.1f} "
            f"times the other. A whole picture may be up to {MOST_OBLONG} times as long as wide, "
            "since every patch more is looked at by every other: crop it, or show its centre."
        )
    patch = own[0] // cut.rows, own[1] // cut.columns
    short = min(own)
    longer = short * max(picture) / min(picture)
    if high > wide:
        return max(1, round(longer / patch[0])) * patch[0], short
    return short, max(1, round(longer / patch[1])) * patch[1]


def resampled(module: nn.Module) -> Resampled | None:
    """What was made to fit another size than the model's own; None if nothing had to be."""
    trained: PatchGrid | None = getattr(module, "trained_grid", None)
    if trained is None:
        return None
    names = " ".join(name for name, _ in (*module.named_modules(), *module.named_parameters()))
    return Resampled(
        trained,
        table=getattr(module, "pos_embed", None) is not None,
        offsets="relative_position_bias" in names or "rel_pos" in names,
        angles="rope" in names,
    )


def _resized(module: Any, size: tuple[int, int], cut: PatchGrid) -> Any:
    """A copy for pictures of `size` that shares the weights."""
    sized: Any = copy.deepcopy(module, {id(one): one for one in module.parameters()})
    if isinstance(module, TransformersNetwork):
        sized.take_size(size)
    else:
        sized.set_input_size(img_size=size)
    sized.trained_grid = getattr(module, "trained_grid", replace(cut, prefix_tokens=0))
    return sized.eval().requires_grad_(requires_grad=False)


def _uncropped(model: Any, size: tuple[int, int]) -> Any:
    """The model's own preparation, with the picture resized as a whole and no crop."""
    if hasattr(model.transform, "at"):  # transformers' own processor
        return model.transform.at(size)
    steps = model.transform.transforms
    how = next(step.interpolation for step in steps if hasattr(step, "interpolation"))
    return Compose(
        [Resize(size, interpolation=how), *(step for step in steps if not hasattr(step, "size"))]
    )


def _refuse_fixed(title: str, module: Any) -> None:
    parts = list(module.modules())
    if any(hasattr(part, "window_size") and hasattr(part, "shift_size") for part in parts):
        raise _fixed(
            title, "its windows tile pictures of the trained size, and no others without padding"
        )
    if isinstance(module, TransformersNetwork):
        if not module.takes_sizes:
            raise _fixed(title, "transformers has no way to interpolate this model's positions")
    elif not hasattr(module, "set_input_size"):
        raise _fixed(title, "its positions belong to one grid of patches")


def _fixed(title: str, why: str) -> InputError:
    return InputError(
        f"{title} can't be shown the whole of a picture that is not square: {why}. Choose a ViT, "
        "or turn “Whole picture” off."
    )
