"""Predict, then see: the question in the figure's place, and afterwards what the model says.

Who predicts before seeing learns; who only watches does not (Crouch et al. 2004).
"""

from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import streamlit as st

from app.content.lessons import Predict, Step
from app.content.prose import FACT
from app.style.markdown_escape import plain
from app.ui import progress, room
from app.ui.lesson.options import chosen, offer, tell
from app.ui.lesson.place import Place
from core.errors import InputError

if TYPE_CHECKING:
    from app.services.questions import Answers

MADE: Final = "lesson.predictions"  # by place
Value = TypeVar("Value")


class Guess(NamedTuple):
    """What a reader said."""

    option: int | None  # None: they didn't know
    right: bool
    of: Step  # an own lesson's may change


@dataclass(frozen=True, eq=False)
class Asked:
    """A prediction that is still to be made; until then it has the figure's place."""

    predict: Predict
    answers: "Answers"
    key: str
    vote: room.Vote | None = None  # in a room everybody has one, and the teacher shows the answer

    def draw(self) -> None:
        with st.container(key="lesson-question"):
            st.markdown(f"## {self.predict.question}")
            if self.vote is not None:
                self.vote.draw(self.predict.question, self.answers.options, self.key)
                return
            offer(self.answers, self.predict.question, self.key)
            st.caption("Click what you expect. The page opens then, with what the model says.")


def predicted(page: str, place: Place) -> Asked | None:
    """What is to be predicted at this step; once it is, the model's answer is drawn here."""
    step, key = place.shown, f"{page}.lesson-question"
    if step.predict is None or (answers := _answered(step)) is None:
        return None
    # A ballot is a row: heads and patches are clicked by each alone.
    vote = room.asked(_name(place), len(answers.options)) if answers.grid is None else None
    if vote is not None and not vote.closed:
        return Asked(step.predict, answers, key, vote)
    if vote is not None:
        right = vote.mine is not None and answers.is_right(vote.mine)
        guesses()[place] = Guess(vote.mine, right, step)
    guess = guesses().get(place)
    if guess is None or not _is_of(guess, step):
        option = chosen(answers, key)
        if option is None:
            return Asked(step.predict, answers, key)
        guess = Guess(option, answers.is_right(option), step)
        guesses()[place] = guess
    _reveal(page, place, answers, guess)
    return None


def give_up(place: Place) -> None:
    """The reader doesn't know, and wants to see; a teacher's room sees, too. For callbacks."""
    guesses()[place] = Guess(None, right=False, of=place.shown)
    room.end(_name(place))


def _is_of(guess: Guess, step: Step) -> bool:
    """Whether the same is asked of the same."""
    asked = guess.of
    return (asked.predict, asked.page, asked.state) == (step.predict, step.page, step.state)


def guesses() -> dict[Place, Guess]:
    """This session's."""
    return st.session_state.setdefault(MADE, {})


def score(here: Place) -> str:
    """How many of its lesson were right, in words; "" before the first."""
    made = [
        guess
        for place, guess in guesses().items()
        if place._replace(step=here.step) == here and place.stands and _is_of(guess, place.shown)
    ]
    return f"{sum(guess.right for guess in made)} of {len(made)} right" if made else ""


def _name(place: Place) -> str:
    """In a room, in whatever language."""
    return f"{place.lesson}.{place.step + 1}"


class _Told(Exception):  # noqa: N818
    """The reader knows why there is no answer."""


def _answered(step: Step) -> "Answers | None":
    from app.services.questions import question  # with the explainers, when something is asked

    def wait(future: Future[Value], /) -> Value:
        found = progress.outcome(future, step.state.get("model", ""))
        if found is None:
            raise _Told
        return found

    assert step.predict is not None
    try:
        return question(step.predict.ask, step.predict.fields, step.state).answers(wait)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
    except _Told:
        pass
    return None


def _reveal(page: str, place: Place, answers: "Answers", guess: Guess) -> None:
    said = {"answer": plain(answers.options[answers.right]), "value": answers.value}
    with st.container(key="lesson-reveal"):
        st.markdown(_verdict(answers, guess, **said))
        if voted := room.results(_name(place), answers.options):
            st.markdown(voted)
        tell(answers, guess.option, f"{page}.lesson-answers")
        st.markdown(FACT.sub(lambda found: said[found[1]], place.shown.reveal))


def _verdict(answers: "Answers", guess: Guess, answer: str, value: str) -> str:
    if answers.amount is not None:
        told = f"**{value}** ({answers.measure})"
    else:
        told = f"**{answer}** ({answers.measure} {value})"
    if guess.option is None:
        return f"The model: {told}."
    mine = plain(answers.options[guess.option])
    if guess.option == answers.right and answers.amount is None:
        return f":material/check: **{mine}**, as you said ({answers.measure} {value})."
    note = answers.note(guess.option)
    mine = f"{mine} ({note})" if note else mine
    said = ":material/check: You said" if guess.right else "You said"
    return f"{said} {mine}. The model: {told}."
