"""What does each part of a Transformer do? One view a part, each computed live."""

from typing import Final

from app.ui.page import Page
from app.views.blocks import (
    activations,
    attention,
    cost,
    norms,
    objectives,
    optimisation,
    tuning,
)

PAGE: Final = Page(
    "blocks",
    "What does each part of a Transformer do?",
    (
        attention.VIEW,
        activations.VIEW,
        norms.VIEW,
        optimisation.VIEW,
        cost.VIEW,
        tuning.VIEW,
        objectives.VIEW,
    ),
    entered=cost.entered,
)
