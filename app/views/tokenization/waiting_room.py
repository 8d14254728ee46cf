"""Wait for a training, and say how far it is when it takes longer than a moment."""

from concurrent.futures import TimeoutError as NotYet
from typing import TypeVar

import streamlit as st

from app.services.bpe_training import Job
from core.errors import InputError

SILENT = 0.3  # seconds before a progress line appears
STEP = 0.15
PATIENCE = 600.0

Value = TypeVar("Value")


def outcome(job: Job[Value], doing: str) -> Value | None:
    """The result, or None after showing the reader's error in the page."""
    try:
        return _waited(job, doing)
    except InputError as error:
        st.warning(str(error), icon=":material/info:")
    except NotYet:
        st.warning(f"{doing} has taken ten minutes. Take a smaller corpus or fewer merges.")
    return None


def _waited(job: Job[Value], doing: str) -> Value:
    try:
        return job.future.result(timeout=SILENT)
    except NotYet:
        pass
    line = st.empty()
    waited = SILENT
    try:
        while True:
            now = job.progress()
            if now is None or now.total <= 1:
                line.progress(0.0, text=f"{doing}: {now.stage if now else 'waiting'} …")
            else:
                share = min(1.0, now.done / now.total)
                line.progress(share, text=f"{doing}: {now.done:,} of {now.total:,} merges …")
            try:
                return job.future.result(timeout=STEP)
            except NotYet:
                waited += STEP
                if waited > PATIENCE:
                    raise
    finally:
        line.empty()
