"""What to do if no Swin is on board."""

from typing import Final

import streamlit as st

from app.services import models
from app.views.vision.swin import params
from core.catalog import ModelCard

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


def is_here(card: ModelCard) -> bool:
    """Whether it can be opened without a network."""
    return not models.needs_network(card)


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
        for card in models.swins():
            st.button(
                f"Download {card.title}",
                key=params.HERE.key(f"get.{card.id}"),
                on_click=params.MODEL.put,
                args=(card.id,),
            )
    with st.expander("Save a Swin for GLASSFORMER_CHECKPOINTS"):
        st.code(RECIPE, language="python")
