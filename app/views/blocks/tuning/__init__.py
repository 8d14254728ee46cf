"""Fine-tuning cheaply: a low-rank update, 8-bit weights, adapters, on a model tuned here."""

from typing import Final

from app.ui.page import View
from app.views.blocks.tuning import adapters, int8, lora

VIEW: Final = View("tuning", "Fine-tuning cheaply", parts=(lora.VIEW, int8.VIEW, adapters.VIEW))
