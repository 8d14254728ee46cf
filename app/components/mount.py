"""Registering a component's files with Streamlit.

Shared by every component. The scripts in SHARED and base.css are prepended
to each component's own files, so a component is one self-contained module: no iframe, no
build step, nothing fetched from elsewhere.
"""

from __future__ import annotations

import atexit
import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from string import Template
from tempfile import mkdtemp
from threading import Lock
from typing import Final, Protocol

from streamlit.components.v2 import component as register_with_streamlit
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

PACKAGE: Final = "glassformer"
HERE: Final = Path(__file__).parent
PARTS: Final = (
    "numbers",
    "worked",
    "data",
    "marks",
    "colours",
    "draw",
    "cell_numbers",
    "selection",
    "figure",
    "export",
    "paper",
    "keys",
    "player",
)
SHARED: Final = tuple(f"{name}.js" for name in PARTS)
ENTRY: Final = "export default function ("
BRINGING: Final = Lock()
STYLE: Final = Template("""const STYLE = new CSSStyleSheet();
STYLE.replaceSync($style);

export default function (component) {
  const root = component.parentElement.getRootNode();
  if (!root.adoptedStyleSheets.includes(STYLE)) root.adoptedStyleSheets.push(STYLE);
  return undressed(component);
}

""")
REFERENCE: Final = re.compile(r'^/// <reference path="\.\./(\w+/\w+\.js)" />$', re.MULTILINE)


def javascript(component: str) -> str:
    """The component's whole module: the shared parts, its own by name, view.js last.

    A part of another component comes before its own, if one of them refers to it; one that refers
    to nothing (it draws nothing) comes alone.
    """
    own = sorted(
        (HERE / component).glob("*.js"), key=lambda part: (part.name == "view.js", part.name)
    )
    texts = [part.read_text("utf-8") for part in own]
    borrowed = dict.fromkeys(path for text in texts for path in REFERENCE.findall(text))
    shared = SHARED if any("/// <reference path=" in text for text in texts) else ()
    before = [(HERE / name).read_text("utf-8") for name in (*shared, *borrowed)]
    return "\n".join([*before, *texts])


def stylesheet(component: str) -> str:
    """The component's whole style: base.css, then its own."""
    return "\n".join(
        path.read_text("utf-8") for path in (HERE / "base.css", HERE / component / "style.css")
    )


class Draw(Protocol):
    """Draws a frame; what the reader does with it is asked of app.components.selection."""

    def __call__(self, *, key: str, data: bytes) -> None: ...


def register(component: str) -> Draw:
    """Register the folder `component` with Streamlit; call once, at import.

    Its module, which holds its style, lies in a file that a browser asks for once: as strings they
    would go along with every frame, and weigh more than most.
    """
    name = f"{PACKAGE}.{component}"
    mounted = register_with_streamlit(name)

    def draw(*, key: str, data: bytes) -> None:
        _bring_module(component, name)
        mounted(key=key, data=data, on_selection_change=_heard, on_click_change=_heard)

    return draw


def _bring_module(component: str, name: str) -> None:
    """Unless this server has it: what is imported before a server starts is unknown to it.

    Many readers may draw first at once; who comes second waits until all of it lies there.
    """
    manager = get_bidi_component_manager()
    if _has(manager, name):
        return
    with BRINGING:
        if not _has(manager, name):
            _bring(manager, component, name)


def _has(manager: BidiComponentManager, name: str) -> bool:
    known = manager.get(name)
    return known is not None and known.js_url is not None


def _bring(manager: BidiComponentManager, component: str, name: str) -> None:
    manifest = ComponentManifest(PACKAGE, "", [ComponentConfig(component, asset_dir=".")])
    manager.register_from_manifest(manifest, _folder())
    definition = manager.build_definition_with_validation(
        component_key=name,
        html=None,
        css=None,
        js=_file(component, dressed(javascript(component), stylesheet(component))),
    )
    manager.register(definition)


def dressed(module: str, style: str) -> str:
    """A component's module that gives the root it is mounted in, a shadow root, its style."""
    text = STYLE.substitute(style=json.dumps(style))
    return f"{text}{module.replace(ENTRY, 'function undressed(')}"


def _file(component: str, module: str) -> str:
    """Write a module; its name changes with what it holds, so that a browser keeps no old one."""
    name = f"{component}-{sha256(module.encode()).hexdigest()[:12]}.js"
    (_folder() / name).write_text(module, "utf-8")
    return name


@cache
def _folder() -> Path:
    """Where the modules lie while the process lives."""
    folder = Path(mkdtemp(prefix="glassformer-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    return folder


def _heard() -> None:
    """Streamlit asks for a callback of every value that a component may report."""
