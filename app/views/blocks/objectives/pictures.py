"""The same idea for pictures: a masked autoencoder paints three patches of four."""

from typing import Final

import streamlit as st

from app.components.picture_map import PictureMap, picture_row
from app.services import masked_autoencoder, models, vision
from app.style.number_format import three
from app.ui import page_links, progress
from app.ui.answer import answer
from app.ui.controls import controls
from app.ui.export_bar import Export, matrix_table
from app.ui.page import View
from app.ui.params import Choice, Scope
from app.ui.picture_input import pick_known
from core.catalog import Family

HERE: Final = Scope("blocks", "objectives.pictures")
PICTURE: Final[Choice[str]] = HERE.choice("picture", vision.SAMPLES)
RATIO: Final = HERE.whole("ratio", 5, 95, 75)
SEED: Final = HERE.whole("seed", 0, 999, 0)


def render() -> Export | None:
    """Picture, masked picture, what was painted, the error."""
    cards = models.cards(Family.MASKED_AUTOENCODER)
    with controls():
        picture = pick_known(PICTURE)
        RATIO.slider("Hidden, %", width=200)
        SEED.number_input("Seed", width=110)
    if not cards:
        st.info("No masked autoencoder is on board: train mae-mini (README, “Training”).")
        return None
    card = cards[0]
    asked = masked_autoencoder.painted_at_random(card.id, picture, RATIO.value / 100, SEED.value)
    found = progress.outcome(asked, card.id)
    if found is None:
        return None
    rows, columns = found.hidden.shape
    caption = f"{card.title}, {picture.name}, {RATIO.value} % hidden, seed {SEED.value}"
    shown = {
        "The picture": (found.picture, None),
        "What the encoder sees": (found.picture, found.hidden),
        "What was painted": (found.pasted, None),
    }
    answer(
        f"The encoder reads **{int((~found.hidden).sum())} of {found.hidden.size}** patches; the "
        f"loss counts the **{int(found.hidden.sum())}** hidden ones: mean squared error "
        f"**{three(found.error or 0.0)}** (colours from 0 to 1)."
    )
    picture_row(
        tuple(
            PictureMap(
                (255 * pixels.clip(0, 1)).round().astype("uint8"), rows, columns, label=title,
                title=title, hidden=hidden, width=300.0, grid=False,
            )
            for title, (pixels, hidden) in shown.items()
        ),
        key=HERE.key("row"), label="A picture, hidden and painted", caption=caption,
        clickable=False,
    )  # fmt: skip
    page_links.link("vision", "More of it on the Vision page", state={"view": "mae"})
    return Export(
        name="hidden-patches",
        caption=caption,
        table=lambda: matrix_table(found.errors, names=("row", "column", "squared error")),
        arrays=lambda: {"hidden": found.hidden, "predicted": found.predicted},
    )


VIEW: Final = View("pictures", "Hidden patches", (PICTURE, RATIO, SEED), figure=render)
