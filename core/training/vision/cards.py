"""What the three cards say: sources, settings named as in the papers, departures from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.catalog import Family
from core.training.common.card import (
    Card,
    Example,
    Run,
    Source,
)
from core.training.vision import masked, recipe
from core.training.vision.augment import ERASED
from core.training.vision.classify import Settings
from core.training.vision.measure import AUTOENCODER_MEANING, AUTOENCODER_UNITS, CLASSIFIER_MEANING
from core.training.vision.network import DECODER

LICENCE = "CC BY-SA 4.0"
SOURCES = (
    Source(
        "Caltech-101, photographs of 136 pixels (one in ten held out)",
        "CC BY 4.0",
        "Li, Andreeto, Ranzato, Perona (2022), CaltechDATA, https://doi.org/10.22002/D1.20086",
    ),
    Source(
        "479 photographs of the Oxford-IIIT Pet dataset (one in ten held out)",
        "CC BY-SA 4.0",
        "Parkhi, Vedaldi, Zisserman, Jawahar (2012), https://www.robots.ox.ac.uk/~vgg/data/pets/",
    ),
)
BALANCED = "All classes are drawn equally often."
OTHERS = (
    "A share of the pictures (in the settings) shows other categories of Caltech-101; they have "
    "outputs of their own while the model is trained, which are cut off afterwards."
)
TIMED = "The training is a share of its planned time, not a number of epochs."
MUON = (
    "Muon instead of AdamW for the matrices inside the blocks; AdamW for everything else; "
    f"Muon's learning rate is {recipe.MATRICES_FACTOR:g} times the other one."
)


@dataclass(frozen=True, slots=True)
class About:
    """What is told of a model before it is trained."""

    id: str
    title: str
    family: Family
    task: str
    paper: str
    meaning: Mapping[str, str]
    departures: Sequence[str]
    units: Mapping[str, str] = field(
        default_factory=dict[str, str]
    )  # of figures that are no shares


MAE = About(
    id="mae-mini",
    title="MAE mini (trained here)",
    family=Family.MASKED_AUTOENCODER,
    task="hidden patches of a picture",
    paper="He et al. 2022, https://arxiv.org/abs/2111.06377",
    meaning=AUTOENCODER_MEANING,
    units=AUTOENCODER_UNITS,
    departures=(
        "norm_pix_loss is off: the targets are pixels, normalised by one mean and deviation for "
        "all pictures and not patch by patch, so that a reconstruction has its own colours.",
        "Learned 1-D positions in the encoder, so that they can be watched; the paper's are "
        "sinusoids. The decoder's are sinusoids in two dimensions, as in the paper.",
        f"A decoder of {DECODER['depth']} blocks, half as wide as the encoder (the paper: 8).",
        MUON,
        TIMED,
    ),
)
VIT = About(
    id="vit-mini",
    title="ViT mini (trained here)",
    family=Family.VISION,
    task="27 classes of photographs",
    paper="Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929",
    meaning=CLASSIFIER_MEANING,
    departures=(
        "It starts from mae-mini's encoder (He et al. 2022) and is fine-tuned with DeiT's "
        "augmentation (Touvron et al. 2021), as 3,700 photographs are few.",
        BALANCED,
        OTHERS,
        TIMED,
    ),
)
SWIN = About(
    id="swin-mini",
    title="Swin mini (trained here)",
    family=Family.VISION,
    task="27 classes of photographs",
    paper="Liu et al. 2021, https://arxiv.org/abs/2103.14030",
    meaning=CLASSIFIER_MEANING,
    departures=(
        "Three stages instead of four (grids of 28, 14 and 7 patches), 64 to 256 wide.",
        BALANCED,
        OTHERS,
        MUON,
        TIMED,
    ),
)


def masked_settings(device: str) -> dict[str, str]:
    """Named as in table 8 of the paper's appendix."""
    return {
        "optimizer momentum": f"β1, β2 = {masked.BETAS[0]}, {masked.BETAS[1]}",
        "learning rate": f"{masked.LEARNING_RATE[device]:g}",
        "learning rate schedule": "cosine decay",
        "warmup": f"over the first {masked.WARMUP:.0%} of the training",
        "weight decay": f"{masked.WEIGHT_DECAY}",
        "batch size": f"{masked.BATCH_SIZE[device]}",
        "augmentation": f"RandomResizedCrop ({masked.SMALLEST_CROP} to 1), mirrored half the time",
        "masking ratio": f"{masked.MASK_RATIO:.0%}",
        "norm_pix_loss": "off",
        "gradient clipping": f"{recipe.CLIP}",
        "seed": f"{recipe.SEED}",
    }


def classifier_settings(settings: Settings) -> dict[str, str]:
    """Named as in table 9 of DeiT and in the appendices of MAE and Swin."""
    told = {
        "optimizer momentum": f"β1, β2 = {settings.betas[0]}, {settings.betas[1]}",
        "learning rate": f"{settings.learning_rate:g}",
        "learning rate schedule": "cosine decay",
        "warmup": f"over the first {settings.warmup:.0%} of the training",
        "weight decay": f"{settings.weight_decay}",
        "layer-wise lr decay": f"{settings.layer_decay}",
        "batch size": f"{settings.batch_size}",
        "augmentation": f"RandomResizedCrop ({settings.smallest_crop} to 1), mirrored half the "
        f"time, RandAugment (2, {settings.magnitude})",
        "random erasing": f"{ERASED}",
        "mixup": f"{settings.mixup}",
        "cutmix": f"{settings.cutmix}",
        "share of mixed batches": f"{settings.mixing}",
        "share of other categories": f"{settings.others}",
        "label smoothing": f"{settings.label_smoothing}",
        "drop path": f"{settings.drop_path}",
        "patches left out": f"{settings.patch_drop or None}",
        "gradient clipping": f"{recipe.CLIP}",
        "seed": f"{recipe.SEED}",
    }
    return {name: value for name, value in told.items() if value != "None"}


def make(
    about: About,
    run: Run,
    *,
    shape: tuple[int, int, int, int],
    settings: Mapping[str, str],
    metrics: Mapping[str, float],
    examples: Sequence[Example],
    notes: Mapping[str, str],
    curve: Sequence[tuple[float, float]],
) -> Card:
    """`shape` is layers, heads, d_model and parameters."""
    layers, heads, d_model, parameters = shape
    return Card(
        id=about.id,
        title=about.title,
        family=about.family.value,
        task=about.task,
        layers=layers,
        heads=heads,
        d_model=d_model,
        parameters=parameters,
        licence=LICENCE,
        paper=about.paper,
        metrics=metrics,
        metrics_meaning=about.meaning,
        metrics_units=about.units,
        **run.of(about.id),
        data=SOURCES,
        settings=settings,
        departures=about.departures,
        examples=examples,
        notes=run.noted(notes),
        loss_curve=curve,
    )
