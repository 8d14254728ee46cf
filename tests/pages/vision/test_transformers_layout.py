"""Models in transformers' layout on every view: drawn as timm's, or declined with words."""

import numpy as np
import pytest

from core.trace import AttentionKind
from tests.pages.declared import SHOWN, Shown
from tests.pages.page import Page
from tests.pages.vision.conftest import OF_TRANSFORMERS
from tests.pages.vision.shown import PICTURE, Folders, drawn, loaded, opened

VIEWS = [shown for shown in SHOWN if shown.path == "vision"]


@pytest.mark.parametrize("shown", VIEWS, ids=str)
@pytest.mark.parametrize("name", OF_TRANSFORMERS)
def test_every_view_answers(name: str, shown: Shown, folders: Folders):
    """A run fails where the app raised, or caught an error that is no reader's."""
    page = Page("vision", model=str(folders[f"transformers-{name}"]), **shown.link)
    assert page.title[0].value == "What does a Vision Transformer see?"
    assert "this model" in page.text.lower() or page.figures or page.charts


def test_attention_is_the_models_own(folders: Folders):
    folder = folders["transformers-vit"]
    trace = loaded(folder).trace(PICTURE)
    page = opened("attention", folder, layer="1", head="2", token="3", fusion="one")
    own = trace.layers[AttentionKind.ENCODER][1].weights[2, 3, 1:]
    np.testing.assert_allclose(drawn(page, "attention.picture").ravel(), own, atol=1e-5)
    assert "[CLS]" in page.text


def test_classes_have_the_configs_names(folders: Folders):
    page = opened("why", folders["transformers-vit"])
    best = loaded(folders["transformers-vit"]).classify(PICTURE)[0].label
    assert best in page.text


def test_what_makes_no_sense_is_declined(folders: Folders):
    assert "knows no classes" in opened("why", folders["transformers-clip"]).text
