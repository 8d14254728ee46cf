"""The server: Streamlit's own, whose first file brings the page's style and names what comes next.

A style that a run sends is there only when Streamlit has fetched the module that puts it in, after
figures and tables have read their sizes; and what the first figure needs a browser would ask for
one after another, each time when the one before has come.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from streamlit import config, file_util

from app.headers import Headers
from app.measured import Measured
from app.style import theme
from app.upload_room import UploadRoom

HERE: Final = Path(__file__).parent
# Streamlit's modules for styles and for our components, which no page does without.
NEXT: Final = ("Html", "BidiComponent")
IMPORTED: Final = re.compile(r'from"\./([^"]+)"')


class Word(StringConvertor):
    """A page's name: no file and no folder."""

    regex = "[a-z_]*"


def index(_: Request) -> HTMLResponse:
    """Streamlit's, dressed. Kept by nobody: it changes with the app, and it is small."""
    return HTMLResponse(dressed(), headers={"Cache-Control": "no-cache"})


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
    page = page.replace("</head>", f"{''.join(links)}</head>")
    return page.replace("</body>", f"<style>{theme.page_style()}</style></body>")


register_url_convertor("word", Word())
base = config.get_option("server.baseUrlPath").strip("/")
PAGES: Final = Route(f"/{base}/{{page:word}}".replace("//", "/"), index)
GUARDS: Final = (
    Middleware(Headers, first=dressed()),
    Middleware(Measured, base=f"/{base}".rstrip("/")),
    Middleware(UploadRoom),
)
app = st.App(HERE / "main.py", routes=[PAGES], middleware=GUARDS)
