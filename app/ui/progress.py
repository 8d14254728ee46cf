"""Wait for the engine, and say what is happening when it takes longer than a moment."""

from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.services import engine
from app.style.markdown_escape import plain
from core.errors import BusyError, InputError, ModelUnavailableError

SILENT = 0.3  # seconds before a progress line appears
STEP = 0.2  # seconds between two looks
PATIENCE = 900.0  # seconds; a download on a slow line may need them

Value = TypeVar("Value")
READER_ERRORS = (InputError, ModelUnavailableError, BusyError)


def outcome(future: Future[Value], model_id: str) -> Value | None:
    """The result, or None after showing the reader's error in the page."""
    try:
        return _waited(future, model_id)
    except READER_ERRORS as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None


def waited(future: Future[Value], line: DeltaGenerator, words: str) -> Value:
    """The result, with words in a line meanwhile; each step lets the reader's next click through.

    Raises what the future raises.
    """
    step = SILENT
    while True:
        try:
            return future.result(timeout=step)
        except NotYet:
            line.caption(words)
            step = STEP


def _waited(future: Future[Value], model_id: str) -> Value:
    try:
        return future.result(timeout=SILENT)
    except NotYet:
        pass
    line = st.empty()
    waited = SILENT
    while waited < PATIENCE:
        progress = engine.download_progress(model_id)
        if progress is None:
            line.caption("Opening the model …")
        else:
            done, total = progress
            line.progress(
                done / max(total, 1), text=f"Downloading {done / 1e6:.0f} of {total / 1e6:.0f} MB …"
            )
        try:
            result = future.result(timeout=STEP)
        except NotYet:
            waited += STEP
            continue
        finally:
            line.empty()
        return result
    raise ModelUnavailableError("The model has not come for 15 minutes. Try again later.")
