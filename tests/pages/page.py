"""A page as a reader has it, without a browser: app/main.py itself, run by Streamlit's AppTest.

AppTest's `switch_page` refuses pages made from functions, its components never report, and
the files behind download buttons stay closed: that is what `Page` adds. All menus are open.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import streamlit as st
from google.protobuf.message import Message
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.elements.lib.mutable_popover_container import PopoverContainer
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import user_key_from_element_id
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app.components.frame import unpack
from app.ui.answer import KEY as ANSWER

MAIN = Path(__file__).parents[2] / "app" / "main.py"
BROKE = "Something broke in this app"
SECONDS = 120  # that a run may take: the first of a process imports torch and opens models
UNSEEN = (
    *("id", "key", "icon", "mime", "url", "spec", "config", "columns", "form_id", "type", "tag"),
    *("page", "page_script_hash", "query_string", "component_name"),
)
ALWAYS = property(lambda _: True, lambda *_: None)
ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


class Figure(NamedTuple):
    """What the page gave a component to draw."""

    header: dict[str, Any]
    arrays: dict[str, np.ndarray]


class Page(AppTest):
    """One reader's session. No run may end in an error of the app's."""

    def __init__(self, path: str = "", **link: str) -> None:
        super().__init__(MAIN, default_timeout=SECONDS)
        self._bidi_component_manager = _components()  # looked for once, not once a test
        self._states: dict[str, dict[str, object]] = {}
        self._fired: dict[str, object] = {}
        self._files: dict[str, Any] = {}
        self.go(path, **link)

    def __repr__(self) -> str:
        return f"Page({self.path})"

    def go(self, path: str, **link: str) -> "Page":
        """Follow a link within the session, as the sidebar does."""
        self.path = path
        self._page_hash = calc_hash(path)
        self.query_params = dict(link)
        return self._run()

    def report(self, key: str, **state: object) -> "Page":
        """The browser's side of the component `key` says that its state is now this."""
        self._states.setdefault(key, {}).update(state)
        return self.run()

    def choose(self, key: str, value: object) -> "Page":
        """The reader selects `value` in a figure whose selection the page seeds."""
        serial = self.session_state[f"{key}:selection"].serial
        return self.report(key, selection={"serial": serial, "value": value})

    def fire(self, key: str, value: object) -> "Page":
        """The reader clicks `value` in the component `key`: that holds for one run."""
        serial = self.session_state[f"{key}:clicks"][0]
        return self.fire_anything(key, {"serial": serial, "value": value})

    def fire_anything(self, key: str, told: object) -> "Page":
        """The browser's side of the component `key` says this of a click."""
        self._fired[key] = [{"event": "click", "value": told}]
        return self.run()

    def press(self, label: str) -> "Page":
        """Click the button that says `label`."""
        (button,) = (each for each in self.button if each.label == label)
        return button.click().run()

    @property
    def figures(self) -> dict[str, Figure]:
        """What every component on the page was given to draw, by the component's key."""
        protos = self._components().items()
        return {key: Figure(*unpack(proto.bytes)) for key, proto in protos}

    @property
    def charts(self) -> list[dict[str, Any]]:
        """Plotly's figures, from top to bottom."""
        return [json.loads(each.proto.spec) for each in self._of_type("plotly_chart")]

    @property
    def mounted(self) -> list[Any]:
        """What is sent of every component."""
        return [each.proto for each in self._of_type("bidi_component")]

    @property
    def link(self) -> dict[str, str]:
        """The parameters that the page writes into the address bar."""
        headers = (figure.header for figure in self.figures.values())
        return next(dict(header["params"]) for header in headers if "params" in header)

    @property
    def too_long(self) -> str:
        """What the page says of what no link carries."""
        headers = (figure.header for figure in self.figures.values())
        return next(header["too_long"] for header in headers if "params" in header)

    @property
    def answer(self) -> str:
        """The sentence that the view opens on, as it is read; "" where there is none."""
        places = (node for node in _below(self._tree) if getattr(node, "key", None) == ANSWER)
        said = (node.value for place in places for node in _below(place) if node.type == "markdown")
        return _as_read(" ".join(said)).replace("*", "")

    @property
    def text(self) -> str:
        """All that is written on the page outside of its figures, a line a string."""
        protos = (getattr(node, "proto", None) for node in _below(self._tree))
        lines = (line for proto in protos if proto is not None for line in _strings(proto))
        return _as_read("\n".join(line for line in lines if not line.startswith("<style")))

    @property
    def notices(self) -> str:
        """What the page tells a reader in boxes: warnings, information, errors."""
        boxes = (*self.warning, *self.info, *self.error)
        return _as_read("\n".join(box.value for box in boxes))

    @property
    def files(self) -> tuple[str, ...]:
        """The names of all that can be taken along."""
        return tuple(self._files)

    def file(self, name: str) -> bytes:
        """What the button for this file hands out; KeyError names the files that there are."""
        if name not in self._files:
            raise KeyError(f"no file {name}; there are {', '.join(self._files)}")
        given = self._files[name]
        content = given() if callable(given) else given
        return content.encode() if isinstance(content, str) else content

    def table(self, name: str) -> list[dict[str, str]]:
        """The lines of a CSV file, below the comment that it begins with."""
        _, _, table = self.file(name).decode().partition("\n")
        return list(csv.DictReader(io.StringIO(table)))

    def run(self, *, timeout: float | None = None) -> "Page":
        super().run(timeout=timeout)
        return self

    def _run(self, widget_state: WidgetStates | None = None, timeout: float | None = None):
        states = widget_state or WidgetStates()
        for key, proto in self._components().items():
            if key in self._states:
                value = json.dumps(self._states[key])
                states.widgets.append(WidgetState(id=proto.id, json_value=value))
            if key in self._fired:
                trigger = f"$$STREAMLIT_INTERNAL_KEY_{proto.id}__events"
                value = json.dumps(self._fired.pop(key))
                states.widgets.append(WidgetState(id=trigger, json_trigger_value=value))
        assert not self._fired, f"{list(self._fired)} not among {list(self._components())}"
        with pytest.MonkeyPatch.context() as patch:
            self._files.clear()
            patch.setattr(st, "download_button", _remembering(self._files))
            patch.setattr(PopoverContainer, "open", ALWAYS)
            super()._run(states, timeout)
        assert not self.exception, self.exception[0].message
        assert all(one.js_source_path for one in self.mounted), "a browser would draw nothing"
        assert not any(BROKE in error.value for error in self.error), "the log says what broke"
        return self

    def _components(self) -> dict[str, Any]:
        return {user_key_from_element_id(proto.id) or proto.id: proto for proto in self.mounted}

    def _of_type(self, kind: str) -> Iterator[Any]:
        return (node for node in _below(self._tree) if getattr(node, "type", "") == kind)


def _as_read(markdown: str) -> str:
    """Without the backslashes that keep a text from being markup."""
    return ESCAPE.sub(r"\1", markdown)


def _remembering(files: dict[str, Any]) -> Callable[..., Any]:
    """`st.download_button`, which also keeps what it would hand out."""
    draw = st.download_button

    def button(label: str, data: Any, file_name: str, *args: Any, **kwargs: Any) -> bool:
        files[file_name] = data
        return draw(label, data, file_name, *args, **kwargs)

    return button


def _below(node: Any) -> Iterator[Any]:
    yield node
    for child in getattr(node, "children", {}).values():
        yield from _below(child)


def _strings(proto: Message) -> Iterator[str]:
    for field, value in proto.ListFields():
        if field.name in UNSEEN or field.name.endswith("_content"):
            continue
        for each in value if field.is_repeated else (value,):
            if isinstance(each, Message):
                yield from _strings(each)
            elif isinstance(each, str):
                yield each


@cache
def _components() -> BidiComponentManager:
    manager = BidiComponentManager()
    manager.discover_and_register_components(start_file_watching=False)
    return manager
