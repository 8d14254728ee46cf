"""The app: its pages, its theme, one warm engine. `python -m streamlit run app/main.py`."""

from collections.abc import Callable
from functools import cache

import streamlit as st

from app import inference, links, projector
from app.views import about, attention, home

PAGES = (
    ("", "Home", home.render, ":material/home:"),
    ("attention", "Attention", attention.render, ":material/visibility:"),
    ("about", "About", about.render, ":material/info:"),
)
COMING = "Transformer · BERT · GPT · Vision · Tokenization · Positions · Building blocks"


@cache
def _warm_up_once() -> None:
    inference.warm_up()


def _page(path: str, render: Callable[[], None]) -> Callable[[], None]:
    """A page that forgets its state when it is left, so that its link restores it."""

    def show() -> None:
        links.enter(path or "home")
        render()

    return show


def main() -> None:
    st.set_page_config(page_title="Glassformer", page_icon=":material/visibility:", layout="wide")
    _warm_up_once()
    projector.apply()
    page = st.navigation(
        [
            st.Page(_page(path, render), title=title, icon=icon, url_path=path, default=not path)
            for path, title, render, icon in PAGES
        ]
    )
    st.sidebar.caption(f"Coming: {COMING}")
    page.run()


main()
