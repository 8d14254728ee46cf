"""The stepper and what follows from it. A fragment: a step in it reruns only what is here."""

import streamlit as st

from app.components.bpe_stepper import Chosen, Stepper, bpe_stepper, reported_step, restart
from app.components.permalink import permalink
from app.services.bpe_training import Recipe
from app.ui import params as links
from app.ui import projector
from app.views.tokenization import exports, merge_lists, state, steps
from app.views.tokenization.encode import encode_panel
from app.views.tokenization.fork import fork_panel
from app.views.tokenization.words import about_the_figure
from core.tokenization.bpe import BPETraining

FIGURE = f"{state.PAGE}.figure"
KEPT = "tokenization.stepper"  # (training, caption, window, figure): reruns send nothing again


@st.fragment
def figure(recipe: Recipe, training: BPETraining) -> None:
    """Everything below the input."""
    links.seed(state.PAGE, state.IN_FRAGMENT)
    wanted = min(state.get(state.STEP), len(training.steps))
    kept = st.session_state.get(KEPT)
    if kept is None or kept[0] is not training:
        restart(FIGURE)
        at = wanted
    else:
        at = reported_step(FIGURE, len(training.steps), wanted)
    stepper = _stepper(training, at, exports.caption(training))
    chosen = bpe_stepper(
        stepper,
        wanted=Chosen(wanted, state.get(state.FORCE)),
        predict=state.get(state.PREDICT),
        key=FIGURE,
    )
    state.put(state.STEP, chosen.step)
    if chosen.forced != state.get(state.FORCE):
        state.put(state.FORCE, chosen.forced)
        state.put(state.FORK, "forced" if chosen.forced else "off")
    if chosen.step not in stepper.steps:
        st.rerun()  # an older report: draw the window of the step that is really shown
    fork_panel(recipe, training)
    encode_panel(training, chosen.step)
    about_the_figure(training)
    _take_it_with_you(training, stepper, chosen.step)


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


def _take_it_with_you(training: BPETraining, stepper: Stepper, at: int) -> None:
    params = links.written(state.PAGE, state.PARAMS)
    if state.get(state.SOURCE) == "file":
        params.pop(state.TEXT.name, None)
    if projector.is_on():
        params[projector.PARAM.name] = "1"
    short, too_long = links.shortened(params)
    if state.get(state.SOURCE) == "file":
        too_long = "The link leaves out the uploaded corpus. Save the lesson file instead."
    elif merge_lists.UPLOAD in st.session_state and state.get(state.WITH) == "list":
        too_long = "The link leaves out the uploaded merges: keep their file."
    elif too_long:
        too_long = too_long.replace("session file", "lesson file")
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        permalink(short, too_long=too_long, key=f"{state.PAGE}.link")
        exports.downloads(training, stepper, at)
