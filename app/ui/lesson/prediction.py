"""Predict, then see: the question in the figure's place, and afterwards what the model says.

Who predicts before seeing learns; who only watches does not (Crouch et al. 2004).
"""

from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import streamlit as st

from app.components.selection import clicked_index
from app.components.token_row import Chip, token_row
from app.content.lessons import Predict, Step
from app.content.prose import FACT
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress, room
from app.ui.lesson.place import Place
from core.errors import InputError

if TYPE_CHECKING:
    from app.services.questions import Answers

SHOWN: Final = 6  # options after the prediction, and the reader's
MADE: Final = "lesson.predictions"  # by place
Value = TypeVar("Value")


class Guess(NamedTuple):
    """What a reader said."""

    option: int | None  # None: they didn't know
    right: bool


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
            token_row(
                tuple(Chip(option) for option in self.answers.options),
                label=self.predict.question,
                key=self.key,
            )
            st.caption("Click what you expect. The page opens then, with what the model says.")


def predicted(page: str, place: Place) -> Asked | None:
    """What is to be predicted at this step; once it is, the model's answer is drawn here."""
    step, key = place.shown, f"{page}.lesson-question"
    if step.predict is None or (answers := _answered(step)) is None:
        return None
    vote = room.asked(_name(place), len(answers.options))
    if vote is not None and not vote.closed:
        return Asked(step.predict, answers, key, vote)
    if vote is not None:
        right = vote.mine is not None and answers.is_right(vote.mine)
        guesses()[place] = Guess(vote.mine, right)
    guess = guesses().get(place)
    if guess is None:
        option = clicked_index(key, len(answers.options))
        if option is None:
            return Asked(step.predict, answers, key)
        guess = Guess(option, answers.is_right(option))
        guesses()[place] = guess
    _reveal(page, place, answers, guess)
    return None


def give_up(place: Place) -> None:
    """The reader doesn't know, and wants to see; a teacher's room sees, too. For callbacks."""
    guesses()[place] = Guess(None, right=False)
    room.end(_name(place))


def guesses() -> dict[Place, Guess]:
    """This session's."""
    return st.session_state.setdefault(MADE, {})


def score(here: Place) -> str:
    """How many of its lesson were right, in words; "" before the first."""
    made = [guess for place, guess in guesses().items() if place._replace(step=here.step) == here]
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
    right = answers.options[answers.right]
    said = {"answer": plain(right), "value": three(answers.values[answers.right])}
    with st.container(key="lesson-reveal"):
        st.markdown(_verdict(answers, guess, **said))
        if voted := room.results(_name(place), answers.options):
            st.markdown(voted)
        largest = _largest(answers, guess)
        token_row(
            tuple(_chip(answers, option, guess) for option in largest),
            label=f"The model's answers: {answers.measure}",
            key=f"{page}.lesson-answers",
            clickable=False,
        )
        if more := len(answers.options) - len(largest):
            rest = sum(answers.values) - sum(answers.values[option] for option in largest)
            st.caption(f"The other {more} have {three(rest)} together.")
        st.markdown(FACT.sub(lambda found: said[found[1]], place.shown.reveal))


def _verdict(answers: "Answers", guess: Guess, answer: str, value: str) -> str:
    if guess.option is None:
        return f"The model: **{answer}** ({answers.measure} {value})."
    if guess.right:
        mine = answers.options[guess.option]
        return f":material/check: **{plain(mine)}**, as you said ({answers.measure} {value})."
    mine = f"{plain(answers.options[guess.option])} ({three(answers.values[guess.option])})"
    return f"You said {mine}. The model: **{answer}** ({answers.measure} {value})."


def _largest(answers: "Answers", guess: Guess) -> list[int]:
    """The places of the model's largest and of what the reader said, in their order."""
    ranked = sorted(range(len(answers.options)), key=lambda place: -answers.values[place])
    mine = [] if guess.option is None else [guess.option]
    return sorted({*ranked[:SHOWN], *mine})


def _chip(answers: "Answers", place: int, guess: Guess) -> Chip:
    """Shaded by the model's number; outlined: what the reader said."""
    value, most = answers.values[place], answers.values[answers.right]
    return Chip(
        answers.options[place],
        note=three(value),
        shade=max(0.0, value / most) if most > 0 else None,
        state="lit" if place == guess.option else "plain",
    )
