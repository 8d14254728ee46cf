"""What does a Vision Transformer see? Patches, attention, explanations, on the reader's picture."""

from typing import Final

from app.ui.page import Page
from app.views.vision import (
    attention,
    data_hunger,
    detr,
    how_far,
    mae,
    patches,
    rollout,
    swin,
    truth,
    what_if,
    why,
)
from app.views.vision.state import PAGE as NAME

PAGE: Final = Page(
    NAME,
    "What does a Vision Transformer see?",
    (
        patches.VIEW,
        attention.VIEW,
        rollout.VIEW,
        how_far.VIEW,
        why.VIEW,
        truth.VIEW,
        what_if.VIEW,
        swin.VIEW,
        mae.VIEW,
        data_hunger.VIEW,
        detr.VIEW,
    ),
)
