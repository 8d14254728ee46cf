"""What fails beneath a page is told there; the next run goes on, with all that was typed."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from app.services import engine
from app.ui.options import WIDGET
from core.engine import EmbeddedEngine
from core.models.load import load
from tests.pages.page import Page

VIEW = "attention.view.encoder"
TEXT = "Nothing of this is lost."


class Machine:
    """Opens models as long as nothing is wrong."""

    def __init__(self) -> None:
        self.wrong: Exception | None = None
        self.full = False  # the graphics card
        self.asked: list[str] = []

    def load(self, model_id: str, *, device: str | None = None, **_: object) -> Any:
        self.asked.append(model_id)
        if self.wrong is not None:
            raise self.wrong
        model: Any = load(model_id, device="cpu")
        if self.full and device is None:
            model.module.register_forward_pre_hook(_no_room)
        return model


def _no_room(*_: object) -> None:
    raise torch.cuda.OutOfMemoryError("CUDA out of memory.")


def pick(page: Page, model_id: str) -> None:
    box = next(one for one in page.selectbox if one.key == f"attention.model{WIDGET}")
    box.set_value(model_id).run()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    made = Machine()
    own = EmbeddedEngine(made.load)
    monkeypatch.setattr(engine, "_only_engine", lambda: own)
    yield made
    own.close()


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), RuntimeError("half a file")]
)
def test_a_model_that_fails_to_open(machine: Machine, error: Exception):
    """What stood there before stays; the model is opened when it is asked for again."""
    page = Page("attention", text=TEXT)
    machine.wrong = error
    pick(page, "bert-mini")
    assert "bert-mini could not be opened here" in page.notices
    assert "Still shown: MiniLM" in page.notices
    assert page.text_area(key="attention.text").value == TEXT
    assert VIEW in page.figures
    machine.wrong = None
    pick(page, "bert-mini")
    assert page.notices == ""
    assert page.link["model"] == "bert-mini"
    assert page.link["text"] == TEXT


def test_the_model_before_comes_back(machine: Machine):
    page = Page("attention", text=TEXT)
    pick(page, "bert-mini")
    machine.wrong = OSError(28, "No space left on device")
    pick(page, "minilm-mlm")
    assert "Still shown: BERT mini" in page.notices
    assert page.link["model"] == "bert-mini"
    assert VIEW in page.figures


def test_a_server_that_opens_nothing_is_not_asked_for_every_model(machine: Machine):
    """The reader's own choice stands, and is tried again at the next click."""
    machine.wrong = OSError(28, "No space left on device")
    page = Page("attention", text=TEXT, model="bert-mini")
    assert set(machine.asked) == {"bert-mini", "minilm-l6"}
    assert page.notices.count("bert-mini could not be opened here") == 1
    assert page.link["model"] == "bert-mini"
    machine.wrong = None
    page.run()
    assert page.notices == ""
    assert page.link["model"] == "bert-mini"
    assert VIEW in page.figures


def test_memory_that_ran_out_is_told_until_there_is_some(machine: Machine):
    machine.wrong = MemoryError()
    page = Page("attention", text=TEXT)
    assert "There is not enough memory for this now." in page.notices
    machine.wrong = None
    page.run()
    assert page.notices == ""
    assert page.text_area(key="attention.text").value == TEXT
    assert VIEW in page.figures


def test_a_graphics_card_without_room_changes_no_number(machine: Machine):
    machine.full = True
    page = Page("attention", text=TEXT)
    assert page.notices == ""
    trace: Any = load("minilm-l6", device="cpu").trace(TEXT)
    layer, head = map(int, page.link["heads"].split("."))
    found = page.figures[VIEW].arrays["maps"][0]
    np.testing.assert_allclose(found, trace.attention(layer).weights[head], atol=1e-5)
