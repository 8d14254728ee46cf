"""What is done more cheaply is the same: compared with Streamlit's own."""

import re
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace

import pytest
import streamlit
from streamlit.components.v2.presentation import make_bidi_component_presenter
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState, WStates
from streamlit.runtime.state.session_state_proxy import SessionStateProxy
from streamlit.runtime.state.widgets import WidgetMetadata

from app.ui import lighter_streamlit
from app.ui.lighter_streamlit import PAUSE, READ, THEME, Named, Outbox, read, themed, with_clicks

COMPONENT, EVENTS = "$$ID-1-figure", "$$STREAMLIT_INTERNAL_KEY_$$ID-1-figure__events"


def test_the_release_is_the_one_that_was_read():
    assert streamlit.__version__ == "1.67.0"


def test_a_run_that_began_before_is_still_heard():
    began = (
        "import gc, weakref\n"
        "from streamlit.runtime.app_session import AppSession\n"
        "heard = weakref.ref(AppSession._on_scriptrunner_event)\n"
        "from app.ui import lighter_streamlit\n"
        "lighter_streamlit.apply()\n"
        "gc.collect()\n"
        "assert AppSession._on_scriptrunner_event is not heard()\n"
        "assert heard() is not None"
    )
    subprocess.run([sys.executable, "-c", began], check=True)


class TestNamed:
    @pytest.fixture
    def safe(self) -> SafeSessionState:
        state = SessionState()
        state["page.text"] = "a sentence"
        state["page.empty"] = None
        return SafeSessionState(state, lambda: None)

    def test_the_same_keys_and_values(self, safe: SafeSessionState):
        assert dict(Named(safe)) == safe._state.filtered_state
        assert len(Named(safe)) == 2

    @pytest.mark.parametrize("key", ["page.none", COMPONENT, EVENTS])
    def test_what_is_not_there_and_what_has_no_name(self, safe: SafeSessionState, key: str):
        assert key not in Named(safe)
        assert key not in safe._state.filtered_state


class TestRead:
    @pytest.fixture
    def proxy(self, monkeypatch: pytest.MonkeyPatch) -> SessionStateProxy:
        safe = SafeSessionState(SessionState(), lambda: None)
        safe["page.text"], safe["page.empty"] = "a sentence", None
        context = SimpleNamespace(session_state=safe)
        for module in (lighter_streamlit, script_run_context):
            monkeypatch.setattr(module, "get_script_run_ctx", lambda *_, **__: context)
        return SessionStateProxy()

    @pytest.mark.parametrize("key", ["page.text", "page.empty"])
    def test_the_same_values(self, proxy: SessionStateProxy, key: str):
        assert read(proxy, key) == READ(proxy, key)

    @pytest.mark.parametrize("key", ["page.none", COMPONENT])
    def test_the_same_refusals(self, proxy: SessionStateProxy, key: str):
        with pytest.raises(Exception) as theirs:  # noqa: PT011
            READ(proxy, key)
        with pytest.raises(theirs.type, match=re.escape(str(theirs.value))):
            read(proxy, key)

    def test_without_a_run(self):
        with pytest.raises(KeyError):
            read(SessionStateProxy(), "page.none")


@pytest.mark.parametrize("section", ["", ".light", ".dark", ".sidebar", ".light.sidebar"])
def test_the_theme_is_the_same_each_time(section: str):
    for _ in range(2):
        ours, theirs = NewSession().custom_theme, NewSession().custom_theme
        themed(ours, f"theme{section}")
        THEME(theirs, f"theme{section}")
        assert ours == theirs
        assert (section in ("", ".light", ".dark")) == bool(ours.ByteSize())


@pytest.mark.parametrize("fired", [None, [], [{"event": "click", "value": {"serial": 1}}]])
@pytest.mark.parametrize("base", [None, {}, {"selection": {"value": 3}}])
def test_a_component_reads_the_same(fired: object, base: object):
    widgets = WStates()
    if fired is not None:
        widgets.set_widget_metadata(
            WidgetMetadata(EVENTS, lambda value: value, lambda value: value, "json_trigger_value")
        )
        widgets.set_from_value(EVENTS, fired)
    state = SimpleNamespace(_new_widget_state=widgets)
    theirs = make_bidi_component_presenter(EVENTS, COMPONENT, {"selection", "click"})
    assert with_clicks(EVENTS)(base, state) == theirs(base, state)  # type: ignore[arg-type]


class Loop:
    """An event loop that does things when it is told to."""

    def __init__(self) -> None:
        self.woken: list[Callable[[], object]] = []
        self.later: list[Callable[[], object]] = []
        self.failed: list[object] = []

    def call_later(self, seconds: float, callback: Callable[[], object]) -> None:
        assert seconds == PAUSE
        self.later.append(callback)

    def call_exception_handler(self, context: dict[str, object]) -> None:
        self.failed.append(context["exception"])

    def run(self, which: list[Callable[[], object]]) -> None:
        callbacks = which.copy()
        which.clear()
        for callback in callbacks:
            callback()


class TestOutbox:
    @pytest.fixture
    def loop(self) -> Loop:
        return Loop()

    @pytest.fixture
    def outbox(self, loop: Loop) -> Outbox:
        return Outbox(loop.woken.append, loop)  # type: ignore[arg-type]

    def test_many_messages_wake_the_loop_once(self, loop: Loop, outbox: Outbox):
        came: list[int] = []
        for number in range(50):
            outbox.put(lambda number=number: came.append(number), urgent=False)
        assert len(loop.woken) == 1
        loop.run(loop.woken)
        assert came == list(range(50))

    def test_the_loop_looks_again_by_itself_while_there_is_something(
        self, loop: Loop, outbox: Outbox
    ):
        came: list[str] = []
        outbox.put(lambda: came.append("first"), urgent=False)
        loop.run(loop.woken)
        outbox.put(lambda: came.append("second"), urgent=False)
        assert loop.woken == []
        loop.run(loop.later)
        assert came == ["first", "second"]
        loop.run(loop.later)  # nothing came: it sleeps from now on
        assert loop.later == []
        outbox.put(lambda: came.append("third"), urgent=False)
        assert len(loop.woken) == 1

    def test_the_end_of_a_run_does_not_wait(self, loop: Loop, outbox: Outbox):
        came: list[str] = []
        outbox.put(lambda: came.append("message"), urgent=False)
        outbox.put(lambda: came.append("end"), urgent=True)
        assert len(loop.woken) == 2
        loop.run(loop.woken)
        assert came == ["message", "end"]

    def test_one_that_fails_holds_up_no_other(self, loop: Loop, outbox: Outbox):
        came: list[str] = []
        outbox.put(lambda: 1 / 0, urgent=False)
        outbox.put(lambda: came.append("next"), urgent=False)
        loop.run(loop.woken)
        assert came == ["next"]
        assert isinstance(loop.failed[0], ZeroDivisionError)


def test_runs_take_turns():
    lighter_streamlit.apply()
    assert ScriptRunner._run_script.__wrapped__ is lighter_streamlit.RUN
    lighter_streamlit.apply()
    assert ScriptRunner._run_script.__wrapped__ is lighter_streamlit.RUN
