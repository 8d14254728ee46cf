"""Wait for what is on its way, and say what is happening when it takes longer than a moment."""

import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.services import engine
from app.services.engine import Job
from app.style.markdown_escape import plain
from app.style.number_format import ordinal
from app.ui.clicks_first import let_a_click_through
from app.ui.one_at_a_time import ROW
from app.ui.out_of_reach import withdraw
from core.errors import BusyError, InputError, ModelUnavailableError

SILENT = 0.3  # seconds before a progress line appears
LOOK = 0.05  # seconds between two looks, at each of which the reader's next click may end this run
STEP = 0.2  # seconds between two changes of the progress line
# Who has waited long looks less often: where hundreds wait, their looks keep what they wait for.
SHARE = 0.1  # of the time so far, until the next look and the next change
MOST_LOOK, MOST_STEP = 0.5, 1.0  # seconds
TOGETHER = 0.4  # seconds between two drawings of what comes one by one
PATIENCE = 900.0  # seconds; a download on a slow line may need them

Value = TypeVar("Value")


class TooLongError(Exception):
    """It has not come within PATIENCE."""


READER_ERRORS = (InputError, ModelUnavailableError, BusyError, TooLongError)


def outcome(future: Future[Value], model_id: str) -> Value | None:
    """What a model answers, or None after showing the reader's error in the page."""
    late = "The model has not come"
    return _shown(future, _opening(future, model_id), late, model_id)


def trained(
    job: Job[Value], doing: str, of: str = "merges", cancel: Callable[[], None] | None = None
) -> Value | None:
    """What a job makes, or None after showing the reader's error in the page.

    of: what its progress counts. cancel: called when the reader wants it no more.
    """
    late = f"{doing} has not ended"
    return _shown(job.future, _working(job, doing, of, cancel), late)


def waited(future: Future[Value], say: Callable[[], object], late: str = "No answer") -> Value:
    """The result; `say` is called meanwhile. Each look lets the reader's next click through.

    Raises what the future raises, and TooLongError, which begins with `late`.
    """
    if future.done():
        return future.result()
    waiting, told, look = 0.0, SILENT, LOOK
    with ROW.aside():
        while not wait([future], look).done:
            waiting += look
            look = _pause(LOOK, waiting, MOST_LOOK)
            if waiting > PATIENCE:
                raise TooLongError(f"{late} for {PATIENCE / 60:.0f} minutes. Try again later.")
            if waiting >= told:
                say()
                told = waiting + _pause(STEP, waiting, MOST_STEP)
            else:
                let_a_click_through()
    return future.result()


def arrivals(futures: Collection[Future[Any]]) -> Iterator[None]:
    """A moment to draw, whenever more of these have come; the first at once, the last with all.

    Raises TooLongError. Each look lets the reader's next click through, as `waited` does.
    """
    left = {future for future in futures if not future.done()}
    began, pause = time.monotonic(), 0.0
    yield
    while left:
        drawn, came = time.monotonic(), False
        with ROW.aside():
            while left and not (came and time.monotonic() - drawn >= pause):
                waiting = time.monotonic() - began
                look = _pause(LOOK, waiting, MOST_LOOK)
                done = wait(left, look, FIRST_COMPLETED).done
                came, left = came or bool(done), left - done
                let_a_click_through()
                if waiting > PATIENCE:
                    raise TooLongError(f"Not all is here after {PATIENCE / 60:.0f} minutes.")
        pause = TOGETHER
        yield


def _pause(least: float, waiting: float, most: float) -> float:
    """Seconds until the next time, of who has waited so many."""
    return min(most, max(least, SHARE * waiting))


def _shown(
    future: Future[Value],
    say: Callable[[DeltaGenerator], object],
    late: str,
    model_id: str | None = None,
) -> Value | None:
    lines: list[DeltaGenerator] = []  # one, once there is something to say

    def tell() -> None:
        if not lines:
            lines.append(st.empty())
        say(lines[0])

    try:
        return waited(future, tell, late)
    except READER_ERRORS as error:
        if model_id is not None and isinstance(error, ModelUnavailableError):
            withdraw(model_id, str(error))
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    finally:
        for line in lines:
            line.empty()


def _opening(future: Future[Any], model_id: str) -> Callable[[DeltaGenerator], object]:
    """What is said in a line, and while a model is opened; its download can be cancelled."""
    bar = _Bar(f"cancel {model_id}", lambda: engine.cancel_download(model_id))

    def say(line: DeltaGenerator) -> None:
        if (hitch := engine.hitch(future)) is not None:
            line.caption(hitch)
            return
        place, now = engine.place(future), engine.download_progress(model_id)
        if place is not None:
            line.caption(f"Others have asked before: you are {ordinal(place)} in line …")
            return
        if now is None:
            line.caption("Working …" if engine.is_loaded(model_id) else "Opening the model …")
            return
        text = f"Downloading {now.done / 1e6:.0f} of {now.total / 1e6:.0f} MB …"
        bar.show(line, now.share, text)

    return say


def _working(
    job: Job[Any], doing: str, of: str, cancel: Callable[[], None] | None
) -> Callable[[DeltaGenerator], object]:
    bar = _Bar(f"cancel {doing}", cancel)

    def say(line: DeltaGenerator) -> None:
        now, place = job.progress(), job.place()
        if place is not None:
            bar.show(line, 0.0, f"{doing}: you are {ordinal(place)} in line …")
        elif now is None or now.total <= 1:
            bar.show(line, 0.0, f"{doing}: {now.stage if now else 'waiting'} …")
        else:
            bar.show(line, now.share, f"{doing}: {now.done:,.0f} of {now.total:,.0f} {of} …")

    return say


class _Bar:
    """A progress bar, and below it a button that ends what it shows."""

    def __init__(self, key: str, cancel: Callable[[], None] | None) -> None:
        self._key = key
        self._cancel = cancel
        self._place: DeltaGenerator | None = None

    def show(self, line: DeltaGenerator, share: float, text: str) -> None:
        if self._place is None:
            with line.container(gap="small"):
                self._place = st.empty()
                if self._cancel is not None:
                    st.button("Cancel", key=self._key, on_click=self._cancel)
        self._place.progress(share, text=text)
