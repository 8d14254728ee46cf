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
    if whole > LONG and st.session_state.get(agreed) != n:
        st.markdown(
            f"{doing}: {n} {of}, about **{three(whole)} s** on this machine ({a_slice} took "
            f"{three(seconds)} s)."
        )
        with st.container(horizontal=True):
            st.button("Start", key=f"{agreed}-yes", on_click=_agree, args=(agreed, n))
            st.button("Not now", key=f"{agreed}-no", on_click=toggle.reset)
        return None
    running = job()

    def cancel() -> None:
        running.leave()
        toggle.reset()
        st.session_state.pop(agreed, None)

    about = f"{doing} (about {three(whole)} s)"
    return progress.trained(running, about, of, cancel=cancel)


def _agree(key: str, n: int) -> None:
    st.session_state[key] = n
