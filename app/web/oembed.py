"""oEmbed 1.0 (https://oembed.com): a link to a view, answered with a frame that shows it.

What a page's “Copy iframe” copies is made here too.
"""

import html
from typing import Final
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.content.lessons import FILE, NAME
from app.ui import navigation, room
from app.ui.view_title import view_title

LIMITS: Final = ("maxwidth", "maxheight")
SIZE: Final = (800, 450)  # px
SMALLEST: Final = (200, 150)
LARGEST: Final = 4000
NO_PLACE: Final = (NAME, FILE, room.PARAM)  # of a link; a frame is no lesson and in no room
FRAMED: Final = ("embed", "embed_options")
NAMED: Final = "Glassformer"


def routes(base: str = "") -> list[Route]:
    """base: what every path of the app begins with."""
    return [Route(f"/{base}/oembed".replace("//", "/"), _answered)]


def discovery(request: Request, base: str = "") -> str:
    """What a page's head says of it to sites that look."""
    about = f"{base}/oembed?{urlencode({'url': str(request.url), 'format': 'json'})}"
    href = html.escape(f"{request.url.scheme}://{request.url.netloc}/{about.lstrip('/')}")
    return f'<link rel="alternate" type="application/json+oembed" href="{href}" title="{NAMED}">'


async def _answered(request: Request) -> Response:
    asked = request.query_params
    if asked.get("format", "json") != "json":
        return _told(501, "JSON alone is spoken here: format=json.")
    given = [asked.get(name, str(usual)) for name, usual in zip(LIMITS, SIZE, strict=True)]
    if not all(one.isascii() and one.isdecimal() and len(one) < 9 for one in given):
        return _told(400, "maxwidth and maxheight are whole numbers of pixels.")
    url = _split(asked.get("url", ""))
    if url.scheme not in ("http", "https") or url.netloc != request.headers.get("host"):
        return _told(404, "This is no address of this site.")
    base = str(request.scope.get("path", "")).removesuffix("/oembed")
    page = url.path.removeprefix(base).strip("/")
    if not url.path.startswith(base) or page not in navigation.PLACES:
        return _told(404, "There is no such page.")
    wide, high = (
        min(LARGEST, max(least, int(one))) for least, one in zip(SMALLEST, given, strict=True)
    )
    title = await run_in_threadpool(_title, page, dict(parse_qsl(url.query)))
    said = {
        "version": "1.0",
        "type": "rich",
        "provider_name": NAMED,
        "provider_url": f"{url.scheme}://{url.netloc}{base}/",
        "title": title,
        "width": wide,
        "height": high,
        "html": frame(url, title, wide, high),
    }
    return JSONResponse(said, headers={"Access-Control-Allow-Origin": "*"})


def frame(url: SplitResult, title: str, width: int, height: int) -> str:
    """The element. It may do nothing but what every frame may; it is fetched when it is near."""
    query = parse_qsl(url.query, keep_blank_values=True)
    options = [value for name, value in query if name == "embed_options"]
    kept = [(name, value) for name, value in query if name not in (*FRAMED, *NO_PLACE)]
    kept += [("embed", "true"), *(("embed_options", value) for value in options)]
    source = url._replace(query=urlencode(kept, quote_via=quote), fragment="").geturl()
    return (
        f'<iframe src="{html.escape(source)}" title="{html.escape(title)}" width="{width}" '
        f'height="{height}" loading="lazy" style="border: 0; max-width: 100%"></iframe>'
    )


def _title(path: str, link: dict[str, str]) -> str:
    """The view's, with its input."""
    from app.ui.page import Page  # and what it draws with

    page = navigation.page(path)
    title = navigation.PLACES[path].label
    if isinstance(page, Page):
        view = next((one for one in page.views if one.id == link.get("view")), page.views[0])
        part = next((one for one in view.parts if one.id == link.get("part")), view)
        title = part.title or title
    return view_title(title, link.get("text", ""))


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:  # brackets that hold no address
        return urlsplit("")


def _told(status: int, words: str) -> Response:
    return JSONResponse({"told": words}, status)
