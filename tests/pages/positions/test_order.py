"""Positions shuffled and dropped: what a model then sees and says, and who knows order without."""

from pathlib import Path

import numpy as np
import pytest

import core
from app.services.positions import other_places
from app.services.vision import sample
from app.views.positions.state import DEFAULT_TEXT
from core import DropPositions, PermutePositions
from core.models.text.encoder import TextEncoder
from tests.pages.page import Page
from tests.pages.positions.shown import drawn, opened, probabilities

BEFORE, AFTER = "order.order.As", "order.order.Po"


@pytest.fixture(scope="module")
def bert() -> TextEncoder:
    return core.load("bert-mini")


def verdict(page: Page, moved: str) -> str:
    """What was measured on text (“All tokens …”) or on a picture (“All patches …”)."""
    found = (each.value for each in page.markdown)
    return next(text for text in found if text.startswith(f"{moved} are put into another order"))


def test_shuffled_and_dropped_positions_change_what_bert_sees_and_says(bert: TextEncoder):
    page = opened("order")
    trace = bert.trace(DEFAULT_TEXT)
    shuffle = PermutePositions(other_places(trace.encoding, "shuffled", 1))
    weights = {
        how: bert.trace(DEFAULT_TEXT, interventions=change).attention(1).weights[5]
        for how, change in {"as": (), "shuffled": (shuffle,), "dropped": (DropPositions(),)}.items()
    }
    np.testing.assert_allclose(drawn(page, BEFORE), weights["as"], atol=1e-6)
    np.testing.assert_allclose(drawn(page, AFTER), weights["shuffled"], atol=1e-6)
    page.button_group(key="positions.order.how").set_value("dropped").run()
    np.testing.assert_allclose(drawn(page, AFTER), weights["dropped"], atol=1e-6)
    for key, change in (("as", ()), ("po", (DropPositions(),))):
        (best, *_) = bert.fill_mask(DEFAULT_TEXT, interventions=change)[0].candidates
        token, probability = next(iter(probabilities(page, f"order.answers.{key}.0").items()))
        assert token == best.token
        assert probability == pytest.approx(best.probability, abs=1e-5)
    assert "**equal to rounding.**" in verdict(page, "All tokens")
    assert "With a causal mask put on top" in page.text


def test_every_model_and_the_papers_ablation():
    page = opened("order", every_model="1")
    measured, ablation = (each.value for each in page.get("table"))
    assert measured["f(PX) = P f(X)"].tolist().count("holds") > 2
    assert "0.61382" in ablation["added at the input"].tolist()
    assert page.link["every_model"] == "1"


def test_patches_in_another_order_leave_a_vit_and_not_a_swin(folders: dict[str, Path]):
    page = opened("order", picture_model=str(folders["vit"]))
    assert "**equal to rounding.**" in verdict(page, "All patches")
    assert "With windows of 2 × 2 patches put on top" in page.text
    model = core.load(folders["vit"], device="cpu")
    picture = sample("chelsea").convert("RGB")
    best = model.classify(picture, interventions=[DropPositions()])[0]
    shown = probabilities(page, "order.classes.positions dropped")
    assert shown[best.label] == pytest.approx(best.probability, abs=1e-4)
    assert shown[best.label] == max(shown.values())
    page = opened("order", picture_model=str(folders["swin"]))
    assert "**not equal.** Its windows tell patches apart" in verdict(page, "All patches")


def test_a_causal_model_fails_by_its_own_mask(folders: dict[str, Path]):
    link = {"model": str(folders["gpt2"]), "text": "the cat sat on a street .", "every_model": "1"}
    page = opened("order", **link)
    assert "**not equal.** Its causal mask tells tokens apart" in verdict(page, "All tokens")
    assert len(probabilities(page, "order.answers.po.0")) == 5
    measured = page.get("table")[0].value
    for _, model in measured.iterrows():
        sees_order = model["attention"] == "causal" or "swin" in model["model"].lower()
        assert model["f(PX) = P f(X)"] == ("fails" if sees_order else "holds"), model["model"]


@pytest.mark.parametrize(
    ("family", "text", "said"),
    [
        ("bert", "", "The text is empty. Type at least one word."),
        ("bert", "the cat sat", "no [MASK]"),
        ("deberta", "the cat sat", "mixes distances into its scores"),
    ],
)
def test_what_can_not_be_shown_is_told(folders: dict[str, Path], family: str, text: str, said: str):
    page = opened("order", model=str(folders[family]), text=text)
    assert said in page.text
