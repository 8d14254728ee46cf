"""Pages without a browser: app/main.py run by AppTest, as a link or a reader's actions make it.

A warm page takes some 50 ms, so every view, every bad link and every bad input is tried here.
The models are those on board, opened once a process by one engine that all pages share; the
fixture `offered` adds tiny ones of other families.

    def test_an_empty_sentence_is_asked_for():
        page = Page("attention", text=" ")
        assert "The text is empty. Type at least one word." in page.text

    def test_a_head_can_be_chosen():
        page = Page("attention")
        page.choose("attention.grid.encoder", [[5, 11]])     # a click in the figure
        assert page.link["heads"] == "5.11"
        assert page.figures["attention.view.encoder"].header["names"] == ["layer 5 · head 11"]
        page.text_area(key="attention.text").set_value("The cat sat.").run()      # a widget
        assert b"cat" in page.file("attention.csv")
        page.go("about").go("attention")                        # leave and come back

Every run fails the test if the app raised, or caught an error of its own. Widgets are AppTest's;
`page.text` is all that is written, `page.notices` the boxes of it, `page.figures` what the
components got to draw, `page.charts` Plotly's figures, `page.link` what the address bar gets,
`page.file(name)` a download. Options of a select box are in `page.text` too: for what must *not*
stand there, look at the elements themselves (page.caption, page.info).
"""

import logging
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import torch

from app.services import engine, models
from core.engine import EmbeddedEngine

torch.set_num_threads(1)  # tests run side by side


@cache
def one_engine() -> EmbeddedEngine:
    """What one page asked is answered at once to the next."""
    return EmbeddedEngine()


@pytest.fixture(autouse=True)
def _served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_only_engine", one_engine)
    monkeypatch.setattr(engine, "warm_up", lambda _: None)
    logging.getLogger("streamlit.runtime.scriptrunner_utils").setLevel(logging.ERROR)


@pytest.fixture
def offered(
    own_checkpoints: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Path]]:
    """The server's owner offers tiny models of every family, and a directory that is none."""
    paths = os.pathsep.join(map(str, own_checkpoints.values()))
    monkeypatch.setenv(models.OWN_CHECKPOINTS, paths)
    models.offer.cache_clear()
    yield own_checkpoints
    models.offer.cache_clear()
