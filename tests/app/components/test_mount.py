"""What a browser fetches once: a component's scripts and its style, as one module."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from tempfile import mkdtemp

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager

from app.components import mount
from app.components.mount import HERE, dressed, javascript, stylesheet

LISTENING = {"lesson_keys", "hands", "embed_stage"}  # they draw nothing
COMPONENTS = sorted(path.parent.name for path in HERE.glob("*/view.js"))


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_module_brings_its_style_and_has_one_entry(component: str):
    module = dressed(javascript(component), stylesheet(component))
    assert module.count("export default ") == 1
    assert json.dumps(stylesheet(component)) in module


@pytest.mark.parametrize("component", sorted({*COMPONENTS} - LISTENING))
def test_a_component_has_a_root_that_says_it_is_drawn(component: str):
    """Journeys wait for it: one that never comes lets them all wait to their limit."""
    view = (HERE / component / "view.js").read_text("utf-8")
    assert "mount(component, " in view or 'className = "gf' in view


def test_a_server_that_starts_after_the_import_has_the_module(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mount, "register_with_streamlit", lambda _: lambda **_: None)
    draw = mount.register("hands")
    server = BidiComponentManager()
    monkeypatch.setattr(mount, "get_bidi_component_manager", lambda: server)
    for _ in range(2):
        draw(key="it", data=b"")
        known = server.get("glassformer.hands")
        assert known is not None
        assert known.js_url


def test_readers_who_come_first_together_have_one_module(monkeypatch: pytest.MonkeyPatch):
    folders: list[str] = []

    def slowly(prefix: str) -> str:
        time.sleep(0.1)  # so that all are within it, where nothing holds them back
        folders.append(mkdtemp(prefix=prefix))
        return folders[-1]

    monkeypatch.setattr(mount, "register_with_streamlit", lambda _: lambda **_: None)
    monkeypatch.setattr(mount, "mkdtemp", slowly)
    server = BidiComponentManager()
    monkeypatch.setattr(mount, "get_bidi_component_manager", lambda: server)
    monkeypatch.setattr(mount, "_folder", cache(mount._folder.__wrapped__))
    names = ("hands", "permalink", "ballot", "token_row")
    draws = [mount.register(name) for name in names]
    with ThreadPoolExecutor(8) as readers:
        list(readers.map(lambda draw: draw(key="it", data=b""), draws * 2))
    assert len(folders) == 1
    for known in (server.get(f"glassformer.{name}") for name in names):
        assert known is not None
        assert known.js_url
