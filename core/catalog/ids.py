"""The catalog's ids by family, for type checkers: `core.load("bert-mini")` is an Encoder."""

from typing import Literal

EncoderId = Literal[
    "minilm-l6",
    "minilm-mlm",
    "bert-mini",
    "bert-base-uncased",
    "bert-base-multilingual",
    "roberta-base",
    "distilbert-base-uncased",
]
DecoderId = Literal["gpt-mini", "minilm-clm", "gpt2", "smollm2-135m"]
TranslatorId = Literal["transformer-en-de", "t5-small"]
VisionId = Literal[
    "vit-mini",
    "swin-mini",
    "vit-base-16",
    "vit-base-16-google",
    "deit-base-distilled",
    "swin-tiny",
    "dino-small-16",
    "dinov2-small-registers",
    "siglip-base-16",
]
AutoencoderId = Literal["mae-mini"]
DetectorId = Literal["detr-mini", "detr-resnet-50"]
