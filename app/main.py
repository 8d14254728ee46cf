"""The app: its pages, its theme, one warm engine. `python -m app.start` runs it."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from app.components.text_keys import text_keys
from app.content.examples import ATTENTION
from app.services import engine
from app.ui import page_links, projector, recovery, run_number
from app.ui.page import Leaflet, Page
from app.views import (
    about,
    attention,
    bert,
    blocks,
    gpt,
    home,
    positions,
    tokenization,
    tokenizers,
    training,
    transformer,
    vision,
)

PAGES = (
    home.PAGE,
    attention.PAGE,
    tokenization.PAGE,
    tokenizers.PAGE,
    positions.PAGE,
    blocks.PAGE,
    transformer.PAGE,
    bert.PAGE,
    gpt.PAGE,
    vision.PAGE,
    training.PAGE,
    about.PAGE,
)
HERE = Path(__file__).parent
ICON = HERE.parent / "assets" / "icon.png"  # a material icon would be fetched from a font server
STYLE = "".join((HERE / "style" / name).read_text("utf-8") for name in ("shell.css", "hands.css"))


def _shown(page: Page | Leaflet) -> Callable[[], None]:
    """Draw a page, whatever happens in it."""

    def show() -> None:
        with recovery.guarded(page.id):
            page.render()

    return show


def main() -> None:
    projector.read_link()
    st.set_page_config(
        page_title="Glassformer",
        page_icon=ICON,
        layout="wide",
        initial_sidebar_state=projector.sidebar(),
    )
    st.html(f"<style>{STYLE}</style>")
    projector.apply()
    text_keys()
    made = {
        page.id: st.Page(
            _shown(page),
            title=page.label,
            icon=page.icon,
            url_path=page.id,
            default=not page.id,
        )
        for page in PAGES
    }
    page_links.remember(made)
    page = st.navigation(list(made.values()))
    page.run()
    run_number.mark()
    engine.warm_up(ATTENTION[1].text)  # the first example needs no model


if __name__ == "__main__":  # as Streamlit runs it
    main()
