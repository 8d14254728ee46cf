"""A view's question in its figure's place, where the reader wants to predict."""

from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st

from app.style.theme import PREDICTED
from app.ui.prediction import switch
from app.ui.prediction.asking import Asking, answered
from app.ui.prediction.guesses import guesses, score

if TYPE_CHECKING:
    from app.services.questions import Question


def asks(
    key: str, words: str, question: "Question", model: str = "", *, about: object = None
) -> bool:
    """Whether the reader is still to say what they expect: then the question is all that is drawn.

    Once they have, a line says who was right. key: of what is clicked. about: what is asked anew
    whenever it changes; the whole question, if it is not given. model: whose errors are told.
    """
    if not switch.is_on():
        return False
    name = f"{key}.{sha256(repr(about or question).encode()).hexdigest()[:16]}"
    made = guesses().get(name)
    if made is None:
        answers = answered(question.answers, model)
        if answers is None or len(answers.options) < 2:
            return False
        asking = Asking(name, words, answers, key, poll=name)
        made = asking.guess
        if made is None:
            with st.container(key="asked-first"):
                asking.draw()
                if asking.vote is None or asking.vote.attending.teaches:
                    st.button(asking.gives_up_by, key=f"{key}-unknown", on_click=asking.give_up)
            return True
    with st.container(key=f"{PREDICTED}-{key}"):
        st.markdown(f"{made.told} · {score()}")
    return False
