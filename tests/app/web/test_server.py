"""The first file that a browser gets."""

import re
import sys
from pathlib import Path

import pytest
from streamlit import file_util
from streamlit.testing.v1 import AppTest

from app.style import theme
from app.ui import navigation
from app.web import server

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


@pytest.mark.parametrize(
    ("address", "named", "hosts"),
    [
        ("127.0.0.1", [], ["localhost", "127.0.0.1", "::1"]),
        ("localhost", ["reading.example.org"], ["reading.example.org"]),
        ("0.0.0.0", [], []),
        (None, [], []),
    ],
)
def test_who_listens_here_alone_is_asked_by_its_own_names_alone(
    monkeypatch: pytest.MonkeyPatch, address: str | None, named: list[str], hosts: list[str]
):
    options = {"server.address": address, "server.allowedHosts": named}
    monkeypatch.setattr(server.config, "get_option", options.__getitem__)
    monkeypatch.setattr(server.config, "set_option", options.__setitem__)
    server.keep_to_itself()
    assert options["server.allowedHosts"] == hosts


def test_what_a_projector_wears_is_worn_on_a_projector_only():
    style = theme.page_style()
    begins = style.index(':root[data-gf~="projector"] {')
    assert style.count("font-size: 140%") == 1
    assert style.index("font-size: 140%") > begins


def test_the_root_is_marked_by_the_names_that_containers_have():
    marks = server.ROOT_MARKS.read_text("utf-8")
    for key in (theme.ON_PROJECTOR, theme.LESSON):
        assert f'".st-key-{key}"' in marks
    for beginning in (theme.EMBEDDED, theme.PREDICTED):
        assert f"""'[class*="st-key-{beginning}"]'""" in marks
    (theirs,) = re.findall(r'data-testid="(\w+)"', marks)
    scripts = (Path(file_util.get_static_dir()) / "static" / "js").glob("index.*.js")
    assert any(theirs in script.read_text("utf-8") for script in scripts)
    asked = set(re.findall(r'\[data-gf~="(\w+)"\]', theme.page_style()))
    assert asked == set(re.findall(r"^    (\w+): ['\"]", marks, re.MULTILINE))


def test_no_run_changes_where_modules_are_looked_for(tmp_path: Path):
    """Who imports in another thread would miss a folder that moves meanwhile."""
    script = tmp_path / "script.py"
    script.write_text("import sys\nimport streamlit as st\nst.session_state.path = [*sys.path]\n")
    before = [*sys.path]
    run = AppTest.from_file(str(script)).run()
    assert not run.exception
    assert run.session_state.path == sys.path == before
