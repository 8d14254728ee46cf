"""Opens a picture model in transformers' layout: config, preprocessor_config, safetensors."""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import torch
from jaxtyping import Float
from PIL import Image
from torch import Tensor

from core.capture.module_path import module_paths
from core.catalog import ModelCard
from core.errors import InputError
from core.models.vision.classifier import VisionModel
from core.models.vision.transformers_network import TransformersNetwork
from core.outputs.vision import AnyPicture

PREPROCESSOR: Final = "preprocessor_config.json"
TOWERS: Final = {  # of a model that reads pictures and texts, the part that reads pictures
    "clip": "CLIPVisionModel",
    "siglip": "SiglipVisionModel",
}
WHOLE: Final = {"ViTMAEForPreTraining": "ViTMAEModel"}  # of an autoencoder, the encoder
PROBES: Final = ((64, 48), (48, 64))  # width, height: both must come out alike


@dataclass(frozen=True)
class Preprocessor:
    """transformers' own image processor, asked as timm's transforms are."""

    processor: Any
    transforms: tuple[Any, ...]  # what comes out: `size`; then `mean` and `std` of the colours

    size: tuple[int, int] | None = None  # another (height, width) than its own, without a crop

    def __call__(self, image: AnyPicture) -> Float[Tensor, "3 height width"]:
        given = {} if self.size is None else self._uncropped(self.size)
        return self.processor(images=image, return_tensors="pt", **given)["pixel_values"][0]

    def at(self, size: tuple[int, int]) -> "Preprocessor":
        """The same, resizing pictures to (height, width) as a whole."""
        return replace(
            self, transforms=(SimpleNamespace(size=size), *self.transforms[1:]), size=size
        )

    def _uncropped(self, size: tuple[int, int]) -> dict[str, Any]:
        shape = {"height": size[0], "width": size[1]}
        return {"size": shape, "do_resize": True, "do_center_crop": False}


def load_transformers_pictures(card: ModelCard, folder: Path, device: torch.device) -> VisionModel:
    """Open a checkpoint directory. Raises InputError for what is not whole or can't be shown."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    if not (folder / PREPROCESSOR).is_file():
        raise InputError(
            f"{card.id} has no {PREPROCESSOR}, which says how large a picture must be and how its "
            "colours are scaled. Save the image processor beside the model."
        )
    try:
        config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
        model, lacking = _opened(transformers, card, folder, config)
        network: Any = TransformersNetwork(card.id, model)
        transform = _preprocessor(transformers, card, folder)
    except InputError:
        raise
    except Exception as error:  # whatever a broken checkpoint makes transformers raise
        raise InputError(
            f"{card.id} can't be opened as a transformers checkpoint: "
            f"{type(error).__name__}: {error}"
        ) from error
    if lacking:
        raise InputError(
            f"{card.id} lacks {len(lacking)} weights of {type(model).__name__} "
            f"({', '.join(lacking[:3])}, …); they would be random. Save the whole model again."
        )
    network.eval().requires_grad_(requires_grad=False).to(device)
    card = replace(
        card,
        layers=network.promised,
        heads=network.n_heads,
        d_model=network.num_features,
        parameters=sum(math.prod(parameter.shape) for parameter in model.parameters()),
        labels=_labels(model.config, network.num_classes),
        task="image classification" if network.num_classes else "features; no classes",
    )
    return VisionModel(card, network, transform, module_paths(network))


def refuse_unshowable_pictures(card: ModelCard, folder: Path) -> None:
    """Build the model that config.json promises, without weights. Raises InputError."""
    import transformers

    config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
    kind = _class(transformers, card, config)
    with torch.device("meta"):
        try:
            model = kind(kind.config_class.from_pretrained(folder))
        except Exception:  # it needs real numbers to be built: told when it is opened
            return
    TransformersNetwork(card.id, model)


def _class(transformers: Any, card: ModelCard, config: Any) -> Any:
    """transformers' class of the part that reads the picture."""
    named = (config.architectures or [""])[0]
    name = WHOLE.get(named, named)
    if config.model_type in TOWERS and "ForImage" not in named:
        name = TOWERS[config.model_type]
    kind = getattr(transformers, name, None)
    if kind is None or not issubclass(kind, transformers.PreTrainedModel):
        raise InputError(f"{card.id}: transformers has no model class “{name}”.")
    return kind


def _opened(transformers: Any, card: ModelCard, folder: Path, config: Any) -> tuple[Any, list[str]]:
    """The module, and what its checkpoint lacks of it."""
    kind = _class(transformers, card, config)
    if hasattr(config, "mask_ratio"):
        config.mask_ratio = 0.0
    given = {} if config.model_type in TOWERS else {"config": config}
    model, report = kind.from_pretrained(
        folder,
        **given,
        dtype=torch.float32,
        use_safetensors=True,
        local_files_only=True,
        output_loading_info=True,
    )
    wrong = (str(key) for key in report["mismatched_keys"])
    return model, sorted({*report["missing_keys"], *wrong} - _unused(report["missing_keys"]))


def _unused(missing: Any) -> set[str]:
    """A pooling layer beside the answer: many checkpoints leave it out, and no map needs it."""
    return {name for name in missing if "pooler.dense" in name}


def _preprocessor(transformers: Any, card: ModelCard, folder: Path) -> Preprocessor:
    processor = transformers.AutoImageProcessor.from_pretrained(
        folder, local_files_only=True, trust_remote_code=False
    )
    sizes = {
        tuple(processor(images=Image.new("RGB", probe), return_tensors="pt")["pixel_values"].shape)
        for probe in PROBES
    }
    if len(sizes) > 1 or len(next(iter(sizes))) != 4:
        raise InputError(
            f"{card.id}: its image processor gives pictures of different sizes, so patches would "
            "not lie alike on two pictures. Set size, and crop_size, to a height and a width in "
            f"{PREPROCESSOR}."
        )
    ((_, _, height, width),) = sizes
    colours = SimpleNamespace(mean=[0.0] * 3, std=[1.0] * 3)
    if getattr(processor, "do_normalize", False):
        colours = SimpleNamespace(mean=processor.image_mean, std=processor.image_std)
    return Preprocessor(processor, (SimpleNamespace(size=(height, width)), colours))


def _labels(config: Any, n_classes: int) -> tuple[str, ...]:
    """Every class's name, in order, as the config has them."""
    named: dict[int, str] = config.id2label or {}
    return tuple(str(named.get(index, index)) for index in range(n_classes))
