"""The next word: the model's own logits through temperature, cuts and a seed."""

import numpy as np
import pytest

from core.explain.predictions.sampling import Sampling, distribution, draw
from tests.pages.gpt.shown import TEXT, probabilities, tokens


def test_the_bars_are_the_models_logits_through_the_sliders(opened, model):
    page = opened(temperature="0.5", top_k="8", top_p="0.9", seed="3")
    cut = distribution(model.next_step(TEXT).logits, Sampling(0.5, 8, 0.9))
    np.testing.assert_allclose(probabilities(page, "next"), cut.final[cut.order[:12]], atol=1e-6)
    assert f"Seed 3 draws {draw(cut, seed=3, step=0).number:.4f}" in page.text
    kept = f"Kept: **{cut.n_kept}** of {len(cut.logits)} tokens with a mass of"
    assert kept in page.text


def test_a_slider_acts_on_the_same_logits_and_enters_the_link(opened, model):
    page = opened()
    page.slider(key="gpt.temperature").set_value(0.5).run()
    cut = distribution(model.next_step(TEXT).logits, Sampling(0.5))
    assert probabilities(page, "next")[0] == pytest.approx(cut.final.max())
    assert page.link["temperature"] == "0.5"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"temperature": "0"}, "temperature 0"),
        ({"top_p": "0"}, "top-p 0"),
        ({"top_k": "1"}, "top-k 1"),
    ],
)
def test_greedy_is_said(opened, link: dict[str, str], said: str):
    page = opened(**link)
    assert f"{said} leaves only the most probable token" in page.text
    found = probabilities(page, "next")
    assert found[0] == 1
    assert sum(found) == 1


def test_csv_holds_every_step_of_the_arithmetic(opened):
    table = opened("llama", temperature="2").table("next-token.csv")
    assert len(table) == 52
    assert sum(float(row["final"]) for row in table) == pytest.approx(1)
    assert float(table[0]["logit"]) == max(float(row["logit"]) for row in table)


def test_a_click_on_a_candidate_begins_a_text(opened, model):
    page = opened()
    cut = distribution(model.next_step(TEXT).logits, Sampling())
    page.fire("gpt.next", 2)
    assert page.link["view"] == "generate"
    assert tokens(page, "path")[-1] == model.vocabulary()[cut.order[2]]
