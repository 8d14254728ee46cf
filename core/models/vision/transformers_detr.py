"""DETR in transformers' layout, in the words of our own small one (`detr_network`).

Carion et al. 2020, https://arxiv.org/abs/2005.12872. The network is transformers' own: layer norms
after the sublayers, a ResNet before them, object queries that start from zeros and have no
reference points. Every decoder layer is read by the same heads, as its auxiliary losses were.
"""

from pathlib import Path
from typing import Any, Final

import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn

from core.errors import InputError
from core.models.vision.detr_network import Detections

MOST_PIXELS: Final = 480  # a side: DETR's 800 ask for 625 places, and scenes are simple
CHANNELS: Final = 255.0


class TransformersDetr(nn.Module):
    """`model` (DetrForObjectDetection) with our names around it."""

    reference: None = None  # its slots begin to look nowhere in particular
    mean: Tensor
    deviation: Tensor

    def __init__(self, model: Any, picture_size: int, mean: list[float], std: list[float]) -> None:
        super().__init__()
        self.model = model
        self.picture_size = picture_size
        self.d_model = int(model.config.d_model)
        self.heads = int(model.config.decoder_attention_heads)
        self.encoder, self.decoder = model.model.encoder.layers, model.model.decoder.layers
        self.register_buffer("mean", torch.tensor(mean).reshape(1, 3, 1, 1), persistent=False)
        self.register_buffer("deviation", torch.tensor(std).reshape(1, 3, 1, 1), persistent=False)
        probe = torch.zeros(1, 3, picture_size, picture_size)
        with torch.inference_mode():
            places, _ = model.model.backbone(probe, torch.ones_like(probe[:, 0]))[-1]
        self.rows = int(places.shape[-1])

    @property
    def device(self) -> torch.device:
        return next(self.model.parameters()).device

    def prepared(
        self, pictures: UInt8[Tensor, "batch 3 height width"]
    ) -> Float[Tensor, "batch 3 height width"]:
        """Colours as the image processor scales them."""
        return (pictures.float() / CHANNELS - self.mean) / self.deviation

    def forward(self, pixels: Float[Tensor, "batch 3 height width"]) -> Detections:
        made = self.model.model(pixel_values=pixels)
        read = made.intermediate_hidden_states  # normed already
        boxes = self.model.bbox_predictor(read).sigmoid()
        return Detections(self.model.class_labels_classifier(read).float(), boxes.float())


def load_transformers_detr(folder: Path) -> tuple[TransformersDetr, tuple[str, ...]]:
    """Network and classes of a checkpoint directory.

    Raises InputError for what is not whole, and for another detector than DETR.
    """
    import transformers

    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    try:
        config = transformers.DetrConfig.from_pretrained(folder)
        config.auxiliary_loss = True  # what makes it hand out every decoder layer
        if hasattr(config, "use_pretrained_backbone"):
            config.use_pretrained_backbone = False  # its weights are the checkpoint's
        kind: Any = transformers.DetrForObjectDetection
        model, report = kind.from_pretrained(
            folder,
            config=config,
            dtype=torch.float32,
            use_safetensors=True,
            local_files_only=True,
            output_loading_info=True,
        )
        scaling = transformers.AutoImageProcessor.from_pretrained(folder, local_files_only=True)
        network = TransformersDetr(
            model.eval(),
            _side(scaling.size),
            list(scaling.image_mean),
            list(scaling.image_std),
        )
    except Exception as error:  # whatever a broken checkpoint makes transformers raise
        raise InputError(
            f"{folder} can't be opened as a DETR of transformers: {type(error).__name__}: {error}. "
            "It needs config.json, preprocessor_config.json and safetensors; a backbone of timm "
            "is read from the checkpoint alone."
        ) from error
    if lacking := sorted(report["missing_keys"]):
        raise InputError(
            f"{folder} lacks {len(lacking)} weights of DetrForObjectDetection "
            f"({', '.join(lacking[:3])}, …); they would be random. Save the whole model again."
        )
    named: Any = config.id2label or {}
    return network, tuple(
        str(named.get(index, index)) for index in range(int(config.num_labels or 0))
    )


def _side(size: Any) -> int:
    """Of the square scenes: the processor's shorter side, no more than MOST_PIXELS."""
    sides = (size.get(name) for name in ("height", "shortest_edge"))
    return min(MOST_PIXELS, *(int(side) for side in sides if side))
