"""The stepper and what follows from it. A fragment: a step in it reruns only what is here."""

import streamlit as st

from app.components.bpe_stepper import UNKNOWN, Stepper, bpe_stepper, chosen, restart
from app.services.bpe_training import Recipe
from app.ui import prediction
from app.ui.answer import answer
from app.ui.export_bar import Export
from app.views.tokenization import controls, exports, merge_lists, steps
from app.views.tokenization.encode import encode_panel
from app.views.tokenization.fork import fork_panel
from app.views.tokenization.state import FORCE, FORK, HERE, STEP, WITH
from core.tokenization.bpe import BPETraining

FIGURE = HERE.key("figure")
KEPT = "tokenization.stepper"  # (training, caption, window, figure): reruns send nothing again


def figure(recipe: Recipe, training: BPETraining) -> Export | None:
    """Everything below the input."""
    kept = st.session_state.get(KEPT)
    if kept is None or kept[0] is not training:
        restart(FIGURE)
    now = chosen(FIGURE, len(training.steps), min(STEP.value, len(training.steps)))
    STEP.put(now.step)
    if now.forced is not None:
        FORCE.put(now.forced)
        FORK.put("forced")
    stepper = _stepper(training, now.step, exports.caption(training))
    predict = prediction.is_on()
    answer(steps.answered(training, now.step, predict=predict))
    bpe_stepper(stepper, step=now.step, predict=predict, key=FIGURE)
    if now.guessed is not None:
        _keep(recipe, stepper, *now.guessed)
    hidden = predict and now.step < len(training.steps)
    if hidden:
        told = "Fork and files show merges to come: they are back when no more is to predict."
        st.caption(" · ".join(filter(None, (prediction.score(), told))))
    else:
        fork_panel(recipe, training)
    encode_panel(training, now.step)
    if hidden:
        return None
    return exports.export(training, stepper, now.step, left_out=_left_out())


def _keep(recipe: Recipe, stepper: Stepper, step: int, row: int) -> None:
    """The first that a reader says of a merge counts."""
    if step in stepper.steps:
        said = prediction.Guess(None, right=False)
        if row != UNKNOWN:
            said = prediction.Guess(row, row == stepper.steps[step]["taken"])
        prediction.guesses().setdefault(("merge", hash(recipe), step), said)


def _stepper(training: BPETraining, at: int, caption: str) -> Stepper:
    """The figure's data; the last one again while it holds the step that is asked for."""
    kept = st.session_state.get(KEPT)
    window = steps.window(training, at)
    if kept and kept[0] is training and kept[1:3] == (caption, window):
        stepper: Stepper = kept[3]
        near = range(max(0, at - 4), min(len(training.steps), at + 4) + 1)
        if all(step in stepper.steps for step in near):
            return stepper
    stepper = Stepper(steps.run_values(training), steps.window_values(training, at), caption)
    st.session_state[KEPT] = (training, caption, window, stepper)
    return stepper


def _left_out() -> str | None:
    """What no link carries."""
    if (corpus := controls.left_out()) is not None:
        return corpus
    if merge_lists.UPLOAD in st.session_state and WITH.value == "list":
        return "The link leaves out the uploaded merges: keep their file."
    return None
