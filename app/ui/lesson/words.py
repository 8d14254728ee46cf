"""A step's text with its lesson's own pictures, and the one that its page opens with."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app.content.lessons import Step
from app.content.lessons.pictures import Picture, pieces
from app.ui.param import Param
from app.ui.params import Choice


def words(text: str, pictures: Mapping[str, Picture]) -> None:
    """Draw it."""
    for piece in pieces(text):
        if isinstance(piece, str):
            st.markdown(piece)
        else:
            st.image(pictures[piece.name].shown, alt=piece.alt)


def open_picture(
    page: str, params: Sequence[Param[Any]], step: Step, pictures: Mapping[str, Picture]
) -> None:
    """On coming to the step, before its page is drawn; the reader may choose another then."""
    key = f"{page}.lesson-picture"  # forgotten with the page's pictures
    here = (step.title, step.picture)
    sample = next((one for one in params if one.name == "picture"), None)
    if not step.picture or not isinstance(sample, Choice) or st.session_state.get(key) == here:
        return
    from app.services import vision  # with the first picture
    from app.ui.carried import Brought
    from app.ui.picture_input import put

    st.session_state[key] = here
    picture, film, notes = vision.opened(pictures[step.picture].content, step.picture)
    put(sample, Brought(picture, film, ("It is the lesson’s.", *notes)))
