"""The app: its pages, its theme, one warm engine. `python -m streamlit run app/main.py`."""

import logging
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from app.content.examples import ATTENTION
from app.services import engine
from app.ui import page_links, params, projector, run_number
from app.ui.page import Page
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
    ("", "Home", home.render, ":material/home:"),
    ("attention", "Attention", attention.PAGE, ":material/visibility:"),
    ("tokenization", "Tokenization", tokenization.PAGE, ":material/merge:"),
    ("tokenizers", "Tokenizers", tokenizers.PAGE, ":material/view_week:"),
    ("positions", "Positions", positions.PAGE, ":material/pin_drop:"),
    ("blocks", "Building blocks", blocks.PAGE, ":material/widgets:"),
    ("transformer", "Transformer", transformer.PAGE, ":material/translate:"),
    ("bert", "BERT", bert.PAGE, ":material/edit_note:"),
    ("gpt", "GPT", gpt.PAGE, ":material/keyboard_double_arrow_right:"),
    ("vision", "Vision", vision.PAGE, ":material/image_search:"),
    ("training", "Training", training.PAGE, ":material/timeline:"),
    ("about", "About", about.render, ":material/info:"),
)
HERE = Path(__file__).parent
ICON = HERE.parent / "assets" / "icon.png"  # a material icon would be fetched from a font server
STYLE = (HERE / "style" / "shell.css").read_text("utf-8")
LOG = logging.getLogger(__name__)


def _page(path: str, render: Callable[[], None] | Page) -> Callable[[], None]:
    """A page that forgets its state when it is left, so that its link restores it."""

    def show() -> None:
        if not isinstance(render, Page):
            params.enter(path or "home")
        try:
            render.render() if isinstance(render, Page) else render()
        except Exception:  # a bug: the reader keeps what was typed, the log gets the rest
            LOG.exception("the page %s broke", path or "home")
            st.error(
                "Something broke in this app, not in your input. The server's log has the details; "
                "the other pages work on."
            )

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
    engine.warm_up(ATTENTION[0].text)
    projector.apply()
    made = {
        path: st.Page(_page(path, render), title=title, icon=icon, url_path=path, default=not path)
        for path, title, render, icon in PAGES
    }
    page_links.remember(made)
    page = st.navigation(list(made.values()))
    page.run()
    run_number.mark()


if __name__ == "__main__":  # as Streamlit runs it
    main()
