"""How models learned: every number shown is what the training kept."""

import io
from pathlib import Path

import numpy as np
import pytest

import core
from core.data.snapshots import Moments, read_moments
from tests.pages.page import Page

MODELS = Path(core.__file__).parents[1] / "assets" / "models"
FILM = "training.film"


def opened(**link: str) -> Page:
    return Page("training", **link)


def kept(model: str, name: str) -> Moments:
    found = read_moments(MODELS / model / "snapshots.npz", name)
    assert found is not None
    return found


def stands(page: Page) -> tuple[int, list[int]]:
    """The moment and the head that the film is told to show."""
    moment, head = page.figures[FILM].header["selection"]["value"]
    return moment, head


def expect_film(page: Page, values: np.ndarray) -> None:
    drawn = page.figures[FILM].arrays["values"]
    np.testing.assert_array_equal(drawn, values.astype(np.float32).reshape(drawn.shape))


def test_the_film_is_what_was_kept_and_a_moment_and_a_head_enter_the_link():
    page = opened(head="1.5")
    expect_film(page, kept("bert-mini", "attention").values)
    assert stands(page) == (7, [1, 5])
    page.choose(FILM, [0, [0, 3]])
    assert page.link == {"head": "0.3", "moment": "0"}
    assert "Layer 0, head 3" in page.text
    assert stands(opened(**page.link)) == (0, [0, 3])
    page.choose(FILM, [7, [0, 2]])  # the one that the page begins with
    assert "moment" not in page.link


def test_three_kinds_of_a_translator_and_a_head_worth_watching():
    page = opened(model="transformer-en-de", maps="cross", head="3.3")
    expect_film(page, kept("transformer-en-de", "cross").values)
    assert stands(page) == (7, [3, 3])
    sharpest = next(button for button in page.button if button.label.startswith("sharpest"))
    layer, head = sharpest.label.removeprefix("sharpest: ").split("·")
    sharpest.click().run()
    assert stands(page) == (7, [int(layer), int(head)])
    assert f"Layer {layer}, head {head}" in page.text
    page.button_group(key="training.maps:options").set_value("encoder").run()
    assert any(button.label.startswith("the token before") for button in page.button)
    assert page.figures[FILM].header["label"].startswith("Encoder self-attention of Transformer")


@pytest.mark.parametrize(
    ("model", "name"), [("vit-mini", "class_attention"), ("swin-mini", "relative_position_bias")]
)
def test_heads_of_picture_models(model: str, name: str):
    page = opened(model=model, moment="2", head="1.0")
    expect_film(page, kept(model, name).values)
    assert stands(page) == (2, [1, 0])
    assert ("It began with mae-mini’s weights" in page.text) == (model == "vit-mini")
    assert "Loss" in [heading.value for heading in page.subheader]
    assert len(page.charts) == 3


def test_paintings_at_every_moment_and_a_clicked_one():
    page = opened(model="mae-mini", moment="2")
    painted = kept("mae-mini", "painted")
    paintings = page.figures["training.paintings"]
    titles = [figure["title"] for figure in paintings.header["figures"]]
    assert titles == [f"step {step:,}" for step in painted.steps]
    assert paintings.header["label"].startswith("One picture as MAE mini")
    np.testing.assert_array_equal(paintings.arrays["picture2"], painted.values[2].astype(np.uint8))
    assert len(page.charts) == 2
    page.fire("training.paintings", 5)
    assert page.link["moment"] == "5"


def test_a_scene_with_the_slots_that_claim_an_object():
    page = opened(model="detr-mini", moment="2")
    boxes, chances = kept("detr-mini", "boxes"), kept("detr-mini", "probabilities")
    claims = int((chances.values[2].argmax(axis=1) < 4).sum())
    assert f"At step {boxes.steps[2]:,} {claims} of 10 slots claim an object" in page.answer
    drawn = page.figures["training.scene"].header["boxes"]
    assert sum(not box["dashed"] for box in drawn) == claims
    assert len(page.charts) == 2


def test_another_model_forgets_the_head_and_tells_how_it_was_trained():
    page = opened(head="5.7", moment="3")
    page.button_group(key="training.model:options").set_value("gpt-mini").run()
    assert "head" not in page.link
    assert page.link["moment"] == "3"
    assert "How GPT mini (trained here) was trained" in page.text
    assert "python -m core.training.gpt_mini --data DIR" in page.text


def test_the_numbers_to_take_along_are_those_that_were_kept():
    page = opened(head="0.2", moment="4")
    with np.load(io.BytesIO(page.file("training-of-bert-mini.npz"))) as arrays:
        maps = kept("bert-mini", "attention").values
        np.testing.assert_array_equal(arrays["maps"], maps.reshape(arrays["maps"].shape))
        assert len(arrays["loss_curve"]) > 300
        lines = page.table("training-of-bert-mini.csv")
        assert [int(line["step"]) for line in lines] == arrays["steps"].tolist()


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ({"model": "<b>nobody"}, "“<b>nobody” kept no moments of its training; showing BERT mini"),
        ({"head": "99.99", "moment": "77", "maps": "none"}, ""),
        ({"head": "x.y", "moment": "soon"}, ""),
    ],
)
def test_links_that_ask_for_what_is_not_there(link: dict[str, str], told: str):
    page = opened(**link)
    assert told in page.notices
    assert stands(page) == stands(opened())
    assert page.link == opened().link
