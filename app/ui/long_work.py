"""Many forwards: how long they take is said first; when it is long, the reader is asked."""

from collections.abc import Callable
from typing import Final, TypeVar

import streamlit as st

from app.services.engine import Job
from app.services.silencing import SLICE
from app.style.number_format import three
from app.ui import progress
from app.ui.params import Flag, Scope

LONG: Final = 10.0  # seconds that nobody is asked about
MORE: Final = 1.5  # times what was agreed to: no clock says twice the same

Value = TypeVar("Value")


def worked(
    params: tuple[Scope, Flag],
    job: Callable[[], Job[Value]],
    one: Job[float],
    *,
    doing: str,
    of: str,
    n: int,
    a_slice: int = SLICE,
) -> Value | None:
    """What a job of `n` forwards gives; None until the reader agrees, and after an error was shown.

    params: the view's, and the toggle that asks for the job.
    one: the seconds of `a_slice` forwards.
    """
    scope, toggle = params
    seconds = progress.trained(one, f"{doing}: how long it takes", of)
    if seconds is None:
        return None
    whole = seconds * -(-n // a_slice)
    agreed = scope.key(f"{toggle.name}-agreed")
    if is_to_be_asked(whole, st.session_state.get(agreed, 0.0)):
        st.markdown(
            f"{doing}: {n} {of}, about **{three(whole)} s** on this machine ({a_slice} took "
            f"{three(seconds)} s)."
        )
        with st.container(horizontal=True):
            st.button("Start", key=f"{agreed}-yes", on_click=_agree, args=(agreed, whole))
            st.button("Not now", key=f"{agreed}-no", on_click=toggle.reset)
        return None
    running = job()

    def cancel() -> None:
        running.leave()
        toggle.reset()
        st.session_state.pop(agreed, None)

    about = f"{doing} (about {three(whole)} s)"
    return progress.trained(running, about, of, cancel=cancel)


def is_to_be_asked(seconds: float, agreed: float) -> bool:
    """Whether a job takes long, and longer than what its reader agreed to before, if anything."""
    return seconds > LONG and seconds > MORE * agreed


def _agree(key: str, seconds: float) -> None:
    st.session_state[key] = seconds
