"""The state read more cheaply is the same: compared with Streamlit's own."""

import re
from types import SimpleNamespace

import pytest
from streamlit.components.v2.presentation import make_bidi_component_presenter
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState, WStates
from streamlit.runtime.state.session_state_proxy import SessionStateProxy
from streamlit.runtime.state.widgets import WidgetMetadata

from app.ui.lighter_streamlit import state as lighter
from app.ui.lighter_streamlit.state import READ, Named, of_widgets, read, with_clicks

COMPONENT, EVENTS = "$$ID-1-figure", "$$STREAMLIT_INTERNAL_KEY_$$ID-1-figure__events"


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
        for module in (lighter, script_run_context):
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


class TestOfWidgets:
    def test_those_that_one_has_or_had(self, monkeypatch: pytest.MonkeyPatch):
        state = SessionState()
        state["page.text"], state["page.size"] = "a sentence", 3
        state._set_key_widget_mapping("$$ID-2-page.size", "page.size")
        context = SimpleNamespace(session_state=SafeSessionState(state, lambda: None))
        monkeypatch.setattr(lighter, "get_script_run_ctx", lambda **_: context)
        assert of_widgets(("page.text", "page.size", "page.none")) == ["page.size"]

    def test_without_a_run_all(self):
        assert of_widgets(("page.text", "page.size")) == ["page.text", "page.size"]


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
