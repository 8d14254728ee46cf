"""The session's state, asked key by key, without a copy of all of it for each.

At each of five hundred readings Streamlit looks whether the run is to stop, which each message does
too; a component's state gets a new class each time.
"""

# pyright: reportPrivateUsage=false
# What is done over and over lies within.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, cast

from streamlit.components.v2.bidi_component import main as bidi
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState, _is_internal_key
from streamlit.runtime.state.session_state_proxy import SessionStateProxy
from typing_extensions import override

READ: Final = SessionStateProxy.__getitem__


def apply() -> None:
    SafeSessionState.filtered_state = property(Named)  # type: ignore[assignment, method-assign]
    bidi.make_bidi_component_presenter = with_clicks  # type: ignore[assignment]
    SessionStateProxy.__getitem__ = read  # type: ignore[method-assign]


def read(proxy: SessionStateProxy, key: str) -> Any:
    """`st.session_state[key]`."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or is_element_id(key) or _is_internal_key(key):
        return READ(proxy, key)
    safe = context.session_state
    with safe._lock:
        return safe._state[key]


def of_widgets(keys: Iterable[str]) -> list[str]:
    """Those that a widget has, or had: its value goes with it, unless it is set again."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return list(keys)
    safe = context.session_state
    with safe._lock:
        return [key for key in keys if key in safe._state._key_id_mapper]


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
