"""The same idea for pictures: a masked autoencoder paints three patches of four."""

from typing import Final

import streamlit as st

from app.components.picture_map import PictureMap, picture_row
from app.services import vision
from app.style.number_format import three
from app.ui import page_links, params, progress
from app.ui.export_bar import Export, matrix_table
from app.views.blocks.objectives.words import about_pictures
from app.views.blocks.state import PAGE, get, key
from core.catalog import Family

PICTURE: Final = params.choice("opic", list(vision.SAMPLES))
RATIO: Final = params.number("oratio", 5, 95, 75)
SEED: Final = params.number("opseed", 0, 999, 0)
PARAMS: Final = (PICTURE, RATIO, SEED)


def render() -> Export | None:
    """Picture, masked picture, what was painted, the error."""
    cards = vision.cards((Family.MASKED_AUTOENCODER,))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills("Picture", vision.SAMPLES, key=key(PICTURE), required=True)
        st.slider("Hidden, %", 5, 95, key=key(RATIO), width=200)
        st.number_input("Seed", 0, 999, key=key(SEED), width=110)
    if not cards:
        st.info("No masked autoencoder is on board: train mae-mini (README, “Training”).")
        return None
    card = cards[0]
    asked = vision.ask(
        card.id, "reconstruct", vision.sample(get(PICTURE)), ratio=get(RATIO) / 100, seed=get(SEED)
    )
    found = progress.outcome(asked, card.id)
    if found is None:
        return None
    rows, columns = found.hidden.shape
    caption = f"{card.title}, {get(PICTURE)}, {get(RATIO)} % hidden, seed {get(SEED)}"
    shown = {
        "The picture": (found.picture, None),
        "What the encoder sees": (found.picture, found.hidden),
        "What was painted": (found.pasted, None),
    }
    picture_row(
        tuple(
            PictureMap(
                (255 * pixels.clip(0, 1)).round().astype("uint8"), rows, columns, label=title,
                title=title, hidden=hidden, width=300.0, grid=False,
            )
            for title, (pixels, hidden) in shown.items()
        ),
        key=f"{PAGE}.objectives.pictures", label="A picture, hidden and painted", caption=caption,
        clickable=False,
    )  # fmt: skip
    st.markdown(
        f"The encoder reads **{int((~found.hidden).sum())} of {found.hidden.size}** patches; the "
        f"loss counts the **{int(found.hidden.sum())}** hidden ones: mean squared error "
        f"**{three(found.error or 0.0)}** (colours from 0 to 1)."
    )
    page_links.link("vision", "More of it on the Vision page", state={"view": "mae"})
    about_pictures()
    return Export(
        name="hidden-patches",
        caption=caption,
        table=lambda: matrix_table(found.errors, names=("row", "column", "squared error")),
        arrays=lambda: {"hidden": found.hidden, "predicted": found.predicted},
    )
