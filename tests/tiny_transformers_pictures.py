"""Picture models of a few kilobytes in transformers' layout, random weights, as checkpoints."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers as hf

torch.set_num_threads(1)

CLASSES = ("cat", "dog", "car", "tree", "house")
NAMED = {"id2label": dict(enumerate(CLASSES)), "label2id": {n: i for i, n in enumerate(CLASSES)}}
TOWER = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "image_size": 32,
    "patch_size": 8,
}
PLAIN = TOWER | NAMED
WINDOWS = NAMED | {
    "image_size": 32,
    "patch_size": 2,
    "embed_dim": 16,
    "depths": [2, 2],
    "num_heads": [2, 4],
    "window_size": 4,
}
TEXT = {key: TOWER[key] for key in ("hidden_size", "num_attention_heads", "intermediate_size")}
PICTURES: dict[str, Callable[[], Any]] = {
    "vit": lambda: hf.ViTForImageClassification(hf.ViTConfig(**PLAIN)),
    "deit": lambda: hf.DeiTForImageClassification(hf.DeiTConfig(**PLAIN)),
    "distilled": lambda: hf.DeiTForImageClassificationWithTeacher(hf.DeiTConfig(**PLAIN)),
    "dinov2": lambda: hf.Dinov2ForImageClassification(hf.Dinov2Config(**PLAIN)),
    "registers": lambda: hf.Dinov2WithRegistersModel(hf.Dinov2WithRegistersConfig(**PLAIN)),
    "dinov3": lambda: hf.DINOv3ViTModel(hf.DINOv3ViTConfig(**PLAIN, num_register_tokens=2)),
    "beit": lambda: hf.BeitForImageClassification(
        hf.BeitConfig(**PLAIN, use_relative_position_bias=True, use_mean_pooling=True)
    ),
    "data2vec": lambda: hf.Data2VecVisionForImageClassification(hf.Data2VecVisionConfig(**PLAIN)),
    "msn": lambda: hf.ViTMSNForImageClassification(hf.ViTMSNConfig(**PLAIN)),
    "ijepa": lambda: hf.IJepaForImageClassification(hf.IJepaConfig(**PLAIN)),
    "swin": lambda: hf.SwinForImageClassification(hf.SwinConfig(**WINDOWS)),
    "swinv2": lambda: hf.Swinv2ForImageClassification(hf.Swinv2Config(**WINDOWS)),
    "mae": lambda: hf.ViTMAEForPreTraining(
        hf.ViTMAEConfig(
            **PLAIN,
            decoder_hidden_size=16,
            decoder_num_hidden_layers=1,
            decoder_num_attention_heads=2,
            decoder_intermediate_size=24,
        )
    ),
    "clip": lambda: hf.CLIPModel(
        hf.CLIPConfig(text_config=TEXT | {"num_hidden_layers": 1}, vision_config=TOWER)
    ),
    "clip-vision": lambda: hf.CLIPVisionModel(hf.CLIPVisionConfig(**TOWER)),
    "siglip-vision": lambda: hf.SiglipVisionModel(hf.SiglipVisionConfig(**TOWER)),
}
DETECTORS: dict[str, Callable[[], Any]] = {
    "detr": lambda: hf.DetrForObjectDetection(
        hf.DetrConfig(
            use_timm_backbone=False,
            backbone_config=hf.ResNetConfig(
                embedding_size=8, hidden_sizes=[8, 8, 8, 16], depths=[1] * 4
            ),
            d_model=16,
            encoder_layers=2,
            decoder_layers=2,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=16,
            decoder_ffn_dim=16,
            num_queries=4,
            **NAMED,
        )
    ),
}
DECLINED: dict[str, Callable[[], Any]] = {
    "yolos": lambda: hf.YolosForObjectDetection(
        hf.YolosConfig(**PLAIN | {"image_size": [32, 32]}, num_detection_tokens=3)
    ),
    "segformer": lambda: hf.SegformerForImageClassification(
        hf.SegformerConfig(depths=[1] * 4, hidden_sizes=[8, 16, 16, 16], **NAMED)
    ),
    "pvt": lambda: hf.PvtForImageClassification(
        hf.PvtConfig(
            depths=[1] * 4,
            hidden_sizes=[8, 16, 16, 16],
            num_attention_heads=[1, 2, 2, 2],
            image_size=32,
            **NAMED,
        )
    ),
    "resnet": lambda: hf.ResNetForImageClassification(
        hf.ResNetConfig(embedding_size=8, hidden_sizes=[8, 8, 8, 16], depths=[1] * 4, **NAMED)
    ),
    "convnext": lambda: hf.ConvNextForImageClassification(
        hf.ConvNextConfig(hidden_sizes=[8, 8, 8, 16], depths=[1] * 4, **NAMED)
    ),
    "levit": lambda: hf.LevitForImageClassification(
        hf.LevitConfig(
            hidden_sizes=[16, 16, 16],
            num_attention_heads=[2, 2, 2],
            depths=[1, 1, 1],
            key_dim=[8, 8, 8],
            image_size=64,
            **NAMED,
        )
    ),
}


def save_transformers_pictures(name: str, folder: Path, processor: Any = None) -> Path:
    """A checkpoint directory; weights are spread: attention is not uniform."""
    torch.manual_seed(0)
    module = {**PICTURES, **DETECTORS, **DECLINED}[name]()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim > 1:
                parameter.normal_(0, 0.2)
    module.save_pretrained(folder)
    processor = processor or hf.ViTImageProcessor(size={"height": 32, "width": 32})
    processor.save_pretrained(folder)
    return folder
