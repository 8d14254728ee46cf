"""What a reader typed, or a link brought, is shown as text in every view: never as markup.

Markup, Streamlit's own directives and formulas, signs that turn, hide or end a line: through every
parameter that takes a text, into what is written, into the files, into BertViz's frame. That the
figures' own scripts take them for text is held in Chromium (tests/figures/test_every_figure.py).
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message

from tests.pages.declared import SHOWN, Shown
from tests.pages.page import Page, _below
from tests.pages.test_nonsense import PARAMS

IMAGE = "![p](http://evil.test/p) [a](javascript:b)"
MARKUP = f"</script><img src=x onerror=alert(1)> {IMAGE} <svg onload=c>"
DIRECTIVES = ":material/skull: :red[loud] $\\frac{1}{2}$ `code` | a | b | :streamlit: # It"
HIDDEN = "\u202eturned\u202c zero\u200bwidth\ufeff bell\x07 line\u2028two 👩‍👩‍👧 \U000e0041 Z͑ͫ̓a"
TEXTS = {"markup": MARKUP, "directives": DIRECTIVES, "hidden": HIDDEN, "long": f"{MARKUP} " * 15}
LIVE = re.compile(
    r"""(?<!\\)!\[p\] | (?<!\\)\]\(javascript | (?<![\\\w]):material/skull | (?<![\\\w]):red\[
    | (?<!\\)\$\\+frac\{1""",
    re.VERBOSE,
)
TAGS = re.compile(r"<(img src=x|svg onload)")
CODE = re.compile(r"(`+).*?\1", re.DOTALL)
READ_AS_MARKDOWN = ("body", "label", "help", "content", "caption", "title")
every_view = pytest.mark.parametrize("shown", SHOWN, ids=str)


def taking(shown: Shown, text: str) -> dict[str, str]:
    """The view's parameters that take this text as it is."""
    found: dict[str, str] = {}
    for name in shown.params:
        param = next((one for key, one in PARAMS.items() if key == f"{shown.path}.{name}"), None)
        try:
            if param is not None and param.parse(text) == text:
                found[name] = text
        except Exception:
            continue
    return found


def written(node: Any) -> Iterator[tuple[str, bool]]:
    """What stands on a page as Markdown, and whether as HTML, too."""
    for one in _below(node):
        proto = getattr(one, "proto", None)
        if isinstance(proto, Message) and getattr(one, "type", "") not in ("code", "text"):
            html = bool(getattr(proto, "allow_html", False)) or one.type == "html"
            for name in READ_AS_MARKDOWN:
                value = getattr(proto, name, "")
                if isinstance(value, str) and value and not value.startswith("<style"):
                    yield value, html


@every_view
@pytest.mark.parametrize("kind", TEXTS)
def test_a_hostile_text_is_shown_as_text(shown: Shown, kind: str):
    given = taking(shown, TEXTS[kind])
    if not given:
        pytest.skip("takes no text")
    page = Page(shown.path, **shown.link | given)
    for value, html in written(page._tree):
        plain = value if html else CODE.sub("", value)
        assert not LIVE.search(plain), value[:300]
        assert not (html and TAGS.search(value)), value[:300]
    for name in page.files:
        if name.endswith((".html", ".svg")):
            assert not TAGS.search(page.file(name).decode()), name
    for frame in page._of_type("iframe"):
        assert not TAGS.search(str(frame.proto)), "in a frame"
