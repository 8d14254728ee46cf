"""A tiny random checkpoint of every family."""

from collections.abc import Callable
from pathlib import Path

from core.catalog import Family
from tests.tiny import save_tiny
from tests.tiny_autoencoder import save_autoencoder
from tests.tiny_detector import save_tiny_detector
from tests.tiny_pictures import save_picture_model

SAVED: dict[Family, Callable[[Path], Path]] = {
    Family.TEXT_ENCODER: lambda folder: save_tiny("bert", folder),
    Family.TEXT_DECODER: lambda folder: save_tiny("gpt2", folder),
    Family.TRANSLATOR: lambda folder: save_tiny("marian", folder),
    Family.VISION: lambda folder: save_picture_model("vit", folder),
    Family.MASKED_AUTOENCODER: save_autoencoder,
    Family.DETECTOR: save_tiny_detector,
}
