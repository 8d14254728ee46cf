"""The first file that a browser gets."""

import re
from pathlib import Path

import pytest
from streamlit import file_util

from app import server
from app.style import theme
from app.ui import navigation

ASKED = re.compile(r'rel="modulepreload"[^>]*href="\./([^"]+)"')


def test_it_is_streamlits_own_with_our_style_after_everything():
    own = (Path(file_util.get_static_dir()) / "index.html").read_text("utf-8")
    dressed = server.dressed()
    assert dressed.endswith(f"<style>{theme.page_style()}</style>{own[own.index('</body>') :]}")
    assert dressed.startswith(own[: own.index("</head>")])


def test_it_names_modules_that_are_there_each_once():
    asked = ASKED.findall(server.dressed())
    static = Path(file_util.get_static_dir())
    assert all((static / one).is_file() for one in asked)
    assert len(asked) == len(set(asked))
    for name in server.NEXT:
        assert any(f"js/{name}." in one for one in asked), name


@pytest.mark.parametrize("path", ["/", *(f"/{page}" for page in navigation.PLACES if page)])
def test_every_page_begins_with_it(path: str):
    assert server.PAGES.path_regex.match(path)


@pytest.mark.parametrize("path", ["/favicon.png", "/_stcore/health", "/static/js/a.js", "/a/b"])
def test_files_are_streamlits_own(path: str):
    assert not server.PAGES.path_regex.match(path)


def test_what_a_projector_wears_is_worn_on_a_projector_only():
    style = theme.page_style()
    begins = style.index(":root:has(.st-key-on-projector) {")
    assert style.count("font-size: 140%") == 1
    assert style.index("font-size: 140%") > begins
