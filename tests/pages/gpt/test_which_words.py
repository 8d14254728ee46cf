"""Which words mattered for the next one? On tiny models: rows, refusals, the stand-in."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import core
from app.ui.which_words.params import METHODS
from core import LogitTarget
from tests.pages.gpt.shown import TEXT


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_every_row_holds_the_models_numbers(opened, own_checkpoints: dict[str, Path], family: str):
    page = opened(family, view="why")
    model = core.load(own_checkpoints[family])
    logits = model.trace(TEXT).logits
    assert logits is not None
    place = len(logits) - 1
    target = LogitTarget(place, int(logits[-1].argmax()))
    kept = dict(np.load(BytesIO(page.file("which-words.npz"))))
    for method in METHODS:
        values = model.evidence(TEXT, method, target).values
        np.testing.assert_allclose(kept[method], values, rtol=1e-3, atol=1e-5)
    assert kept["position"] == place
    assert "as the next token has a probability of" in page.answer
    assert page.figures["gpt.why.table"].header["hue"] == "decoder"
    assert len(page.charts[0]["data"]) == len(METHODS)


def test_another_word_is_explained(opened):
    page = opened(view="why", **{"for": "dog"})
    assert page.answer.startswith("dog as the next token has a probability of")
    assert ", rank " in page.answer


def test_a_model_that_hides_its_parts_lacks_those_methods_alone(opened):
    page = opened("gpt2", view="why", text="the cat " * 30)
    kept = dict(np.load(BytesIO(page.file("which-words.npz"))))
    assert set(METHODS) <= kept.keys()
    assert "No " not in page.notices
