"""The server: Streamlit's own, whose first file brings the page's style and names what comes next.

A style that a run sends is there only when Streamlit has fetched the module that puts it in, after
figures and tables have read their sizes; and what the first figure needs a browser would ask for
one after another, each time when the one before has come.
"""

import re
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from streamlit import config, file_util
from streamlit.runtime.scriptrunner import script_runner
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from app.rooms.routes import routes
from app.services.settings import LOOPBACK
from app.style import theme
from app.web import oembed
from app.web.headers import Headers
from app.web.kept_files import KeptFiles
from app.web.measured import Measured
from app.web.upload_room import UploadRoom

ROOT_MARKS: Final = Path(__file__).parents[1] / "components" / "root_marks.js"
MAIN: Final = Path(__file__).parents[1] / "main.py"
# Streamlit's modules for styles and for our components, which no page does without.
NEXT: Final = ("Html", "BidiComponent")
IMPORTED: Final = re.compile(r'from"\./([^"]+)"')
MISDIRECTED: Final = (
    "This server answers on its own machine alone, as localhost. Who runs it and wants it to be "
    "reached by another name starts it with --server.allowedHosts=that.name.\n"
)


class Word(StringConvertor):
    """A page's name: no file and no folder."""

    regex = "[a-z_]*"


def index(request: Request) -> Response:
    """Streamlit's, dressed. Kept by nobody: it changes with the app, and it is small."""
    if not is_host_allowed(request.headers.get("host")):
        return PlainTextResponse(MISDIRECTED, 421)
    page = dressed().replace("</title>", f"</title>{oembed.discovery(request, base)}", 1)
    return HTMLResponse(page, headers={"Cache-Control": "no-cache"})


@cache
def dressed() -> str:
    """The style stands last, after what Streamlit's own elements bring into the head."""
    static = Path(file_util.get_static_dir())
    modules = static / "static" / "js"
    page = (static / "index.html").read_text("utf-8")
    names = [path.name for one in NEXT for path in modules.glob(f"{one}.*.js")]
    for name in names:  # which grows
        imported = IMPORTED.findall((modules / name).read_text("utf-8"))
        names += [one for one in dict.fromkeys(imported) if one not in names and one not in page]
    links = [f'<link rel="modulepreload" crossorigin href="./static/js/{name}">' for name in names]
    marks = ROOT_MARKS.read_text("utf-8")
    page = page.replace("</head>", f"{''.join(links)}<script>{marks}</script></head>")
    return page.replace("</body>", f"<style>{theme.page_style()}</style></body>")


def keep_to_itself() -> None:
    """Who listens on this machine alone is asked under the machine's own names alone.

    Else a stranger's site that is open in a browser here could point its own name at this machine
    and act as its reader (DNS rebinding). Streamlit refuses the websocket, without which there is
    no session. A name that the owner sets is kept.
    """
    if config.get_option("server.address") in LOOPBACK:
        named = config.get_option("server.allowedHosts")
        config.set_option("server.allowedHosts", named or [*LOOPBACK])


def leave_the_path_be() -> None:
    """No run changes `sys.path`.

    Streamlit puts the folder of `MAIN` in front for each run and takes it away after it. Who
    imports in another thread walks that list meanwhile, and misses a folder: torch without the
    standard library's `mmap` is broken until the process ends. Nothing here is imported from there.
    The release is pinned, and a test runs a script.
    """
    script_runner.modified_sys_path = nullcontext  # type: ignore[assignment, misc]


register_url_convertor("word", Word())
keep_to_itself()
leave_the_path_be()
base = config.get_option("server.baseUrlPath").strip("/")
root = f"/{base}".rstrip("/")  # what every path of the app begins with
PAGES: Final = Route(f"{root}/{{page:word}}", index)
GUARDS: Final = (
    Middleware(Headers, first=dressed()),
    Middleware(Measured, base=root),
    Middleware(KeptFiles, base=root),
    Middleware(UploadRoom),
)
app = st.App(MAIN, routes=[*oembed.routes(base), PAGES, *routes(base)], middleware=GUARDS)
