"""A link to a view, answered with a frame; a stranger's is refused."""

from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.web import oembed

HERE = "http://testserver"


def asked(url: str, base: str = "", **more: str) -> Any:
    client = TestClient(Starlette(routes=oembed.routes(base)))
    return client.get(f"{f'/{base}' if base else ''}/oembed", params={"url": url, **more})


class Frame(HTMLParser):
    """The one element that there is, as a browser reads it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.said: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.said |= {name: value or "" for name, value in attrs}


def test_a_view_is_answered_with_a_frame_that_shows_it():
    answer = asked(f"{HERE}/bert?view=masks&text=Paris+is&lesson=bert.2&room=KX4PQ&projector=1")
    said = answer.json()
    assert (said["version"], said["type"], said["width"], said["height"]) == (
        "1.0",
        "rich",
        800,
        450,
    )
    assert said["title"].endswith(": “Paris is”")
    frame = Frame(said["html"])
    assert frame.tags == ["iframe"]
    assert frame.said["loading"] == "lazy"
    assert "allow" not in frame.said
    assert (frame.said["width"], frame.said["height"]) == ("800", "450")
    assert frame.said["title"] == said["title"]
    query = parse_qs(urlsplit(frame.said["src"]).query)
    assert query == {"view": ["masks"], "text": ["Paris is"], "projector": ["1"], "embed": ["true"]}
    assert answer.headers["access-control-allow-origin"] == "*"


def test_its_size_and_its_colours_are_chosen():
    link = f"{HERE}/vision?embed=true&embed_options=dark_theme&controls=1"
    said = asked(link, maxwidth="400", maxheight="300").json()
    frame = Frame(said["html"])
    assert (frame.said["width"], frame.said["height"]) == ("400", "300")
    query = parse_qs(urlsplit(frame.said["src"]).query)
    assert query == {"embed": ["true"], "embed_options": ["dark_theme"], "controls": ["1"]}
    assert asked(link, maxwidth="1", maxheight="99999").json()["width"] == oembed.SMALLEST[0]


def test_no_text_leaves_its_attribute():
    said = asked(f'{HERE}/attention?text="><script>alert(1)</script>').json()
    assert Frame(said["html"]).tags == ["iframe"]
    assert "<script" not in said["html"]
    assert "script" in unescape(said["title"])


@pytest.mark.parametrize(
    "url",
    [
        "",
        "attention",
        "https://elsewhere.example.org/attention",
        "http://testserver.example.org/attention",
        "http://reader@testserver/attention",
        "javascript://testserver/attention",
        f"{HERE}/nowhere",
        f"{HERE}/_stcore/health",
        "http://[/attention",
    ],
)
def test_what_is_no_page_of_this_site_is_refused(url: str):
    assert asked(url).status_code == 404


def test_what_it_cannot_say_is_told():
    assert asked(f"{HERE}/bert", format="xml").status_code == 501
    assert asked(f"{HERE}/bert", maxwidth="wide").status_code == 400
    assert asked(f"{HERE}/bert?view=none&part=none").json()["title"]


def test_below_a_path():
    assert asked(f"{HERE}/glass/attention", base="glass").status_code == 200
    assert asked(f"{HERE}/attention", base="glass").status_code == 404
    assert asked(f"{HERE}/attention", base="glass").json()["told"]


def test_a_pages_head_says_where_it_is_answered():
    from starlette.requests import Request

    scope = {
        "type": "http", "method": "GET", "path": "/attention", "query_string": b'text=%22%3E%3C',
        "headers": [(b"host", b"glass.example.org")], "scheme": "https",
    }  # fmt: skip
    link = Frame(oembed.discovery(Request(scope)))
    assert link.tags == ["link"]
    address = urlsplit(link.said["href"])
    assert (address.netloc, address.path) == ("glass.example.org", "/oembed")
    assert parse_qs(address.query)["url"] == ["https://glass.example.org/attention?text=%22%3E%3C"]
