"""Cost: operations, memory, pictures, time on this machine, parameters."""

from typing import Final

from app.ui import params
from app.ui.export_bar import Export
from app.views.blocks.cost import layers, measured, memory, parameters, pictures
from app.views.blocks.parts import choose_part

LEAD: Final = "Every token looks at every token: what does that cost, and from where on too much?"
NAMES: Final = {
    "layers": "Layer types",
    "memory": "Memory",
    "pictures": "Pictures",
    "measured": "Measured here",
    "parameters": "Parameters",
}
PARTS: Final = {
    "layers": layers,
    "memory": memory,
    "pictures": pictures,
    "measured": measured,
    "parameters": parameters,
}
PART: Final = params.choice("cost", list(NAMES))
PARAMS: Final = (PART, *(param for part in PARTS.values() for param in part.PARAMS))


def render() -> Export | None:
    """The chosen part."""
    return PARTS[choose_part(PART, NAMES)].render()
