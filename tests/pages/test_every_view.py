"""Every view is drawn by its link, a link gives the state back, nonsense in it counts as absent."""

import io
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import plotly.graph_objects as go
import pytest

from app.ui.page import NUMBERING
from app.ui.provenance import MADE_BY
from tests.pages.declared import SHOWN, Shown
from tests.pages.page import Page

NONSENSE = ("", "nonsense", "-1", "1e999", "99999999999999999999", "0.5.x,7", "</script>\x00🦊")
every_view = pytest.mark.parametrize("shown", SHOWN, ids=str)


def title(page: Page) -> str:
    return page.title[0].value


@every_view
def test_its_link_draws_it(shown: Shown):
    page = Page(shown.path, **shown.link)
    assert title(page) == shown.title or not shown.title
    doubled = re.findall(r"[^\n]{0,30}(?<![./])\\?\.\\?\.(?![./\\])[^\n]{0,10}", page.text)
    assert doubled == []  # a text that ends with a full stop gets no second one
    assert NUMBERING in page.text or not shown.title  # one numbering, said at one place
    for chart in page.charts:
        go.Figure(chart)  # Plotly refuses words that it does not know, which nobody would see
    for component in page.mounted:  # its module lies in a file, which browsers keep
        assert not component.js_content
        assert not component.css_content
    headings = [one.value for one in page.subheader]
    assert headings.count("What am I looking at?") == bool(shown.title)


@every_view
def test_what_it_writes_into_the_address_bar_brings_it_back(shown: Shown):
    if not shown.params:
        pytest.skip("no parameters")
    written = Page(shown.path, **shown.link).link
    assert Page(shown.path, **written).link == written


@every_view
def test_its_files_are_made_outside_of_any_session(shown: Shown):
    """As a server makes them: when a button is pressed, in a thread without a session."""
    page = Page(shown.path, **shown.link)
    with ThreadPoolExecutor(1) as elsewhere:
        for name in page.files:
            content = elsewhere.submit(page.file, name).result()
            assert content, f"{name} is empty"
            if name.endswith(".csv"):
                assert MADE_BY in content.decode().partition("\n")[0], name
            if name == f"{shown.path}.npz":
                assert MADE_BY in str(np.load(io.BytesIO(content))["provenance"])


@every_view
@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_in_every_parameter(shown: Shown, nonsense: str):
    page = Page(shown.path, **dict.fromkeys(shown.params, nonsense), **shown.link)
    assert title(page) == shown.title or not shown.title


@pytest.mark.parametrize(
    ("shown", "name"),
    [(shown, name) for shown in SHOWN if shown.title for name in shown.params],
    ids=str,
)
def test_nonsense_in_one_parameter_leaves_the_others_alone(shown: Shown, name: str):
    for nonsense in ("nonsense", "-1", "99999"):  # more at once is tried above
        page = Page(shown.path, **shown.link | {name: nonsense})
        assert title(page) == shown.title
