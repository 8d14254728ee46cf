"""What Streamlit 1.67 does over and over in a run, done once.

A copy of the whole session state for every slider, number, text and select box, which ask it for
one key; a new class for each reading of a component's state; a system call, and a change of
threads, for each of fifty messages; at each of five hundred readings of the state a look at whether
the run is to stop, which each message looks at, too; six times over all settings for the theme.
Together a third of a run's CPU time. And runs take turns: see `one_at_a_time`. The release is
pinned, and a test compares with it.
"""

# pyright: reportPrivateUsage=false
# What is done over and over lies within.

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from threading import Lock
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from streamlit.components.v2.bidi_component import main as bidi
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState, _is_internal_key
from streamlit.runtime.state.session_state_proxy import SessionStateProxy
from typing_extensions import override

from app.ui.one_at_a_time import in_turn

PAUSE: Final = 0.01  # seconds; Streamlit's own loop sends no oftener than twice as often
Callback = Callable[[], None]
# A run that began before still tells Streamlit's own, and holds it weakly.
THEIRS: Final = (AppSession._on_scriptrunner_event,)
READ: Final = SessionStateProxy.__getitem__
RUN: Final = ScriptRunner._run_script
THEME: Final = app_session._populate_theme_msg


def apply() -> None:
    """Once, before a reader comes; a second time changes nothing."""
    SafeSessionState.filtered_state = property(Named)  # type: ignore[assignment, method-assign]
    bidi.make_bidi_component_presenter = with_clicks  # type: ignore[assignment]
    AppSession._on_scriptrunner_event = _carried  # type: ignore[method-assign]
    SessionStateProxy.__getitem__ = read  # type: ignore[method-assign]
    app_session._populate_theme_msg = themed
    ScriptRunner._run_script = in_turn(RUN)  # type: ignore[method-assign]


def read(proxy: SessionStateProxy, key: str) -> Any:
    """`st.session_state[key]`."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or is_element_id(key) or _is_internal_key(key):
        return READ(proxy, key)
    safe = context.session_state
    with safe._lock:
        return safe._state[key]


def themed(message: CustomThemeConfig, section: str = "theme") -> None:
    """A section of the theme, which no run changes."""
    made = _theme(section)
    if made.ByteSize():
        message.MergeFrom(made)


@cache
def _theme(section: str) -> CustomThemeConfig:
    made = CustomThemeConfig()
    THEME(made, section)
    return made


class Named(Mapping[str, Any]):
    """`filtered_state`, the session's state by the app's own names, without a copy of it."""

    def __init__(self, safe: SafeSessionState) -> None:
        self._safe = safe

    @override
    def __getitem__(self, key: str) -> Any:
        if is_element_id(key) or _is_internal_key(key):
            raise KeyError(key)
        with self._safe._lock:
            return self._safe._state[key]

    @override
    def __iter__(self) -> Iterator[str]:
        with self._safe._lock:
            return iter(self._safe._state.filtered_state)

    @override
    def __len__(self) -> int:
        return sum(1 for _ in self)


def with_clicks(aggregator_id: str, *_: object) -> Callable[[object, SessionState], object]:
    """What a component's state reads as: this run's clicks, and what holds. To be read only."""

    def present(base: object, state: SessionState) -> object:
        if not isinstance(base, dict):
            return base
        try:
            fired = state._new_widget_state[aggregator_id]
        except KeyError:
            return cast("object", base)
        events = cast("list[dict[str, object]]", fired or [])
        clicks = {cast("str", event["event"]): event.get("value") for event in events}
        return clicks | cast("dict[str, object]", base)

    return present


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
