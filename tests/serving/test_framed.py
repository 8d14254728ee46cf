"""A view in other people's pages: a slide of reveal.js, a course page that frames in a sandbox.

They come from another origin than the app. reveal.js is nowhere in the app: it is looked for among
.js/node_modules, where its pin stands with the tools that check the browser side.
"""

import json
import os
import re
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from app.services.settings import FRAMES_SETTING
from tests.journeys.server import running_server

REVEAL = Path(__file__).parents[2] / ".js" / "node_modules" / "reveal.js" / "dist"
NO_REVEAL = "No reveal.js: `npm ci` in .js gets it"
LINK = {"text": "The dog ran home because it was tired.", "heads": "3.1"}
HOME = re.compile(r"/attention\?(?!.*embed).*heads=3.1")
STAGED = '[data-gf-kept="whole"]'
SLIDES = """<!doctype html><link rel="stylesheet" href="reveal.css">
<div class="reveal"><div class="slides"><section><h2>Where does it look?</h2></section>
<section>{frame}</section></div></div>
<script src="reveal.js"></script><script>Reveal.initialize({{ hash: false }})</script>"""
COURSE = """<!doctype html><title>Week 3</title><h1>Week 3</h1>
{frame}<p>Answer the quiz below.</p>"""
SANDBOX = 'sandbox="allow-scripts allow-same-origin allow-popups allow-forms"'


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own word
        pass


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """Another origin: another name of this machine, another port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def element(address: str, wide: int, high: int, **link: str) -> str:
    """What “Copy iframe” copies, with its loading at once: nobody scrolls here."""
    url = f"{address}/attention?{urlencode(LINK | link)}"
    query = urlencode({"url": url, "maxwidth": wide, "maxheight": high})
    with urllib.request.urlopen(f"{address}/oembed?{query}") as answer:
        return json.load(answer)["html"]


def stands(frame: FrameLocator, wide: int, high: int) -> None:
    """The answer and its figure, and nothing that would have to be scrolled."""
    expect(frame.locator(".st-key-answer")).to_contain_text("looks at")
    expect(frame.locator("html[data-gf-staged=figure]")).to_have_count(1)
    expect(frame.locator(f"{STAGED} .gf").first).to_be_visible()
    expect(frame.locator(".st-key-lead")).to_be_hidden()
    home = frame.get_by_role("link", name="Open in Glassformer")
    expect(home).to_be_visible()
    expect(home).to_have_attribute("href", HOME)
    room = frame.locator('[data-testid="stMain"]').evaluate(
        "main => [main.scrollHeight - main.clientHeight, innerWidth, innerHeight]"
    )
    assert room == [0, wide, high]


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    expect.set_options(timeout=60_000)  # a server's first page
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The other site's files."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def there(folder: Path) -> Iterator[str]:
    with site(folder) as address:
        yield address


@pytest.fixture(scope="module")
def allowed(there: str) -> Iterator[str]:
    """The app, which lets that site frame it."""
    with running_server(**{FRAMES_SETTING: there}) as address:
        yield address


def test_a_slide_of_reveal(page: Page, allowed: str, folder: Path, there: str):
    if not REVEAL.is_dir():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_REVEAL)
    for name in ("reveal.js", "reveal.css"):
        (folder / name).write_bytes((REVEAL / name).read_bytes())
    frame = element(allowed, 900, 500, embed_options="dark_theme")
    (folder / "index.html").write_text(SLIDES.format(frame=frame), "utf-8")
    page.goto(there)
    page.keyboard.press("ArrowRight")
    shown = page.frame_locator("iframe")
    stands(shown, 900, 500)
    expect(shown.locator(".stApp")).to_have_css("color-scheme", "dark")
    page.screenshot(path=folder / "seen.png")


def test_a_sandboxed_frame_of_a_course(page: Page, allowed: str, folder: Path, there: str):
    frame = element(allowed, 400, 300).replace("<iframe", f"<iframe {SANDBOX}")
    (folder / "index.html").write_text(COURSE.format(frame=frame), "utf-8")
    page.goto(there)
    stands(page.frame_locator("iframe"), 400, 300)
    page.screenshot(path=folder / "seen.png")
    kept = page.context.cookies(allowed)  # another site's frame is sent none that say SameSite
    assert all(one["sameSite"] != "None" for one in kept)
    with page.context.expect_page() as opened:
        page.frame_locator("iframe").get_by_role("link", name="Open in Glassformer").click()
    opened.value.wait_for_url(HOME)


def test_a_site_that_was_not_named_shows_nothing(page: Page, folder: Path, there: str):
    with running_server() as address:
        (folder / "index.html").write_text(COURSE.format(frame=element(address, 400, 300)))
        refused: list[str] = []
        page.on("console", lambda said: refused.append(said.text))
        with page.expect_event("console", lambda said: "frame-ancestors" in said.text):
            page.goto(there)
        assert page.frames[1].locator(".stApp").count() == 0
