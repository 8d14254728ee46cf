"""How does a model know where a token stands? Every scheme of positions, computed live.

A view is a module here that gives

    LEAD    one sentence under the title
    PARAMS  its parameters (`app.ui.params`), with names that no other view uses
    render  () -> Export | None: draw the view, hand its numbers to the quiet row
"""

from typing import Any, Final

import streamlit as st

from app.ui import params, projector
from app.ui.export_bar import quiet_row
from app.views.positions import learned, order, relative, shift, sinusoidal, state

NAMES: Final = {
    "sinusoidal": "Sinusoidal",
    "shift": "A shift is a rotation",
    "learned": "Learned",
    "relative": "Rotary, ALiBi and others",
    "order": "Order matters",
}
VIEWS: Final[dict[str, Any]] = {
    "sinusoidal": sinusoidal,
    "shift": shift,
    "learned": learned,
    "relative": relative,
    "order": order,
}
VIEW: Final = params.choice("view", list(NAMES))
PARAMS: Final = (VIEW, *state.SHARED, *(p for view in VIEWS.values() for p in view.PARAMS))


def render() -> None:
    """Title, the five views, and the chosen one."""
    params.seed(state.PAGE, PARAMS)
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.title("How does a model know where a token stands?", width="content")
        with st.popover("Display", icon=":material/tune:", width="content"):
            projector.toggle(state.PAGE)
    st.segmented_control(
        "View",
        list(NAMES),
        format_func=NAMES.__getitem__,
        key=state.key(VIEW),
        required=True,
        label_visibility="collapsed",
    )
    view = VIEWS[state.get(VIEW)]
    with st.container(key="lead"):
        st.markdown(view.LEAD)
    state.tell_refused()
    quiet_row(state.PAGE, PARAMS, view.render())
