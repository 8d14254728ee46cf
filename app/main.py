"""The app: its pages, its theme, one warm engine. `python -m app.web.start` runs it."""

import streamlit as st

from app.components.hands import hands
from app.content.examples import ATTENTION
from app.services import engine
from app.style.icon import ICON
from app.ui import (
    embedded,
    lesson,
    lighter_streamlit,
    navigation,
    page_links,
    prediction,
    projector,
    room,
    run_number,
    tour,
)

lighter_streamlit.apply()


def main() -> None:
    projector.read_link()
    prediction.read_link()
    st.set_page_config(
        page_title="Glassformer",
        page_icon=ICON,
        layout="wide",
        initial_sidebar_state="collapsed" if lesson.is_played() else projector.sidebar(),
    )
    with projector.marked():
        hands()
        embedded.stage()
    made = navigation.pages()
    page_links.remember(made)
    page = st.navigation(list(made.values()))
    room.attend(page.url_path)
    tour.attend(page.url_path)
    page.run()
    tour.offer(page.url_path)
    run_number.mark()
    engine.warm_up(ATTENTION[1].text)  # the first example needs no model


if __name__ == "__main__":  # as Streamlit runs it
    main()
