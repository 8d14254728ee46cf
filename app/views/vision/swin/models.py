"""Which models attend in shifted windows, and what to do if none is on board."""

from functools import cache
from typing import Final

import streamlit as st

from app import inference, seeing
from app.views.vision import state
from app.views.vision.swin import params
from core.catalog import Family, ModelCard, Origin
from core.checkpoints import locate, read_json
from core.errors import InputError

RECIPE: Final = """import json, timm
from pathlib import Path
from safetensors.torch import save_file

name, folder = "swin_tiny_patch4_window7_224", Path("my-swin")
folder.mkdir()
model = timm.create_model(name, pretrained=True)
save_file(model.state_dict(), folder / "model.safetensors")
config = {"architecture": name, "num_classes": model.num_classes}
config["pretrained_cfg"] = model.pretrained_cfg
(folder / "config.json").write_text(json.dumps(config, default=str))"""


@cache
def is_swin(card: ModelCard) -> bool:
    """Told by the name of the architecture, without opening the weights."""
    if card.family != Family.VISION:
        return False
    if card.origin == Origin.HUB:
        return "swin" in f"{card.id} {card.repository}".lower()
    try:
        _, folder = locate(card.id)
        return "swin" in str(read_json(folder / "config.json").get("architecture", "")).lower()
    except InputError:
        return False


def swins() -> tuple[ModelCard, ...]:
    """Every Swin that can be chosen, those that need a network last."""
    return tuple(card for card in seeing.cards((Family.VISION,)) if is_swin(card))


def is_here(card: ModelCard) -> bool:
    """Whether it can be opened without a network."""
    return not inference.needs_network(card)


def tell_how() -> None:
    """No Swin is here: how to get one."""
    st.info(
        "No Swin is on board, so what follows is the geometry alone: swin-mini's grids of "
        "28, 14 and 7 patches, windows of 7 × 7. To see where heads look, name a timm checkpoint "
        "directory in GLASSFORMER_CHECKPOINTS and start again, train swin-mini "
        "(`python -m core.training.swin_mini --data DIR --minutes N`), or download one.",
        icon=":material/info:",
    )
    with st.container(horizontal=True):
        for card in swins():
            st.button(
                f"Download {card.title}",
                key=f"{state.PAGE}.swin-get.{card.id}",
                on_click=state.put,
                args=(params.MODEL, card.id),
            )
    with st.expander("Save a Swin for GLASSFORMER_CHECKPOINTS"):
        st.code(RECIPE, language="python")
