"""What a lesson's step asks the reader, and what it says once the answer is there."""

from collections.abc import Hashable
from typing import TYPE_CHECKING

import streamlit as st

from app.content.lessons import Step
from app.content.prose import FACT
from app.style.markdown_escape import plain
from app.ui.lesson.place import Place
from app.ui.prediction import Asking, Guess, answered, score, tell

if TYPE_CHECKING:
    from app.services.questions import Answers


def predicted(page: str, place: Place) -> Asking | None:
    """What is to be predicted at this step; once it is, the model's answer is drawn here."""
    asking = _asking(page, place)
    guess = None if asking is None else asking.guess
    if asking is not None and guess is not None:
        _reveal(page, place, asking, guess)
        return None
    return asking


def score_of(place: Place) -> str:
    """How many of its lesson were right, in words; "" before the first."""
    steps = range(len(place.whole.steps))
    return score([_asked(place._replace(step=step)) for step in steps])


def answers_of(step: Step) -> "Answers | None":
    """The models' answers to what a step asks; None after saying why there are none."""
    from app.services.questions import question  # with the explainers, when something is asked

    asked = step.predict
    if asked is None:
        return None
    return answered(
        lambda wait: question(asked.ask, asked.fields, step.state).answers(wait),
        step.state.get("model", ""),
    )


def revealed(step: Step, answers: "Answers") -> str:
    """What a step says once the answer is there, in Markdown."""
    said = {"answer": plain(answers.options[answers.right]), "value": answers.value}
    return FACT.sub(lambda found: said[found[1]], step.reveal)


def _asking(page: str, place: Place) -> Asking | None:
    predict, answers = place.shown.predict, answers_of(place.shown)
    if predict is None or answers is None:
        return None
    poll = f"{place.lesson}.{place.step + 1}"  # in whatever language
    key = f"{page}.lesson-question"
    return Asking(_asked(place), predict.question, answers, key, poll)


def _asked(place: Place) -> Hashable:
    """What is asked, and of what: an own lesson's may change."""
    step, predict = place.shown, place.shown.predict
    fields = () if predict is None else (predict.ask, predict.question, *predict.fields.items())
    return place, step.page, tuple(step.state.items()), fields


def _reveal(page: str, place: Place, asking: Asking, guess: Guess) -> None:
    with st.container(key="lesson-reveal"):
        st.markdown(guess.told)
        tell(asking.answers, guess.option, f"{page}.lesson-answers")
        st.markdown(revealed(place.shown, asking.answers))
