"""What a run says is carried to the event loop in a few journeys.

Streamlit makes one, a system call and a change of threads, for each of a hundred messages.
"""

# pyright: reportPrivateUsage=false
# What is done over and over lies within.

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any, Final
from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner.script_runner import ScriptRunnerEvent

PAUSE: Final = 0.01  # seconds; Streamlit's own loop sends no oftener than twice as often
# A run that began before still tells Streamlit's own, and holds it weakly.
THEIRS: Final = (AppSession._on_scriptrunner_event,)
Callback = Callable[[], None]


def apply() -> None:
    AppSession._on_scriptrunner_event = _carried  # type: ignore[method-assign]


class Outbox:
    """What a script says, carried to the event loop in a few journeys; their order is kept."""

    def __init__(self, wake: Callable[[Callback], object], loop: AbstractEventLoop) -> None:
        self._wake, self._loop = wake, loop
        self._lock = Lock()
        self._waiting: deque[Callback] = deque()
        self._awake = False  # the loop will look by itself

    def put(self, callback: Callback, *, urgent: bool) -> None:
        """To be called there; within PAUSE, or as soon as may be."""
        with self._lock:
            self._waiting.append(callback)
            wake = urgent or not self._awake
            self._awake = True
        if wake:
            self._wake(self._deliver)

    def _deliver(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, deque()
            self._awake = bool(waiting)
        for callback in waiting:
            try:
                callback()
            except Exception as error:  # as the loop does with a callback of its own
                self._loop.call_exception_handler({"message": "a message", "exception": error})
        if waiting:
            self._loop.call_later(PAUSE, self._deliver)


_OUTBOXES: Final[WeakKeyDictionary[AppSession, Outbox]] = WeakKeyDictionary()


def _carried(session: AppSession, sender: Any, event: ScriptRunnerEvent, **more: Any) -> None:
    """`AppSession._on_scriptrunner_event`, by way of the session's outbox."""
    outbox = _OUTBOXES.get(session)
    if outbox is None:
        outbox = Outbox(session._call_soon_on_event_loop, session._event_loop)
        _OUTBOXES[session] = outbox
    handle = partial(session._handle_scriptrunner_event_on_event_loop, sender, event, **more)
    outbox.put(handle, urgent=event != ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)
