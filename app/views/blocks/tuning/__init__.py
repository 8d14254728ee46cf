"""Fine-tuning cheaply: a low-rank update, 8-bit weights, adapters, on a model tuned here."""

from typing import Final

from app.ui import params
from app.ui.export_bar import Export
from app.views.blocks.parts import choose_part
from app.views.blocks.tuning import adapters, int8, lora

LEAD: Final = "A fine-tuning moves every weight a little. How much of that has to be stored?"
NAMES: Final = {"lora": "LoRA", "int8": "8-bit weights", "adapters": "Adapters"}
PARTS: Final = {"lora": lora, "int8": int8, "adapters": adapters}
PART: Final = params.choice("ft", list(NAMES))
PARAMS: Final = (PART, *(param for part in PARTS.values() for param in part.PARAMS))


def render() -> Export | None:
    """The chosen part."""
    return PARTS[choose_part(PART, NAMES)].render()
