"""Objectives and experts: the page's numbers are the models' own."""

import numpy as np
import pytest
from scipy.special import log_softmax

import core
from app.ui.number_box import BOX
from core.blocks.mixture_of_experts import route, toy_router
from tests.pages.curves import rows
from tests.pages.page import Page

CAT = "The cat sat on the mat."
CHEF = "The chef cooked the meal and served it to the guests."


def opened(part: str = "all", **link: str) -> Page:
    return Page("blocks", view="objectives", part=part, **link)


def test_the_same_sentence_in_five_objectives():
    by_name = {row[0]: row for row in rows(opened(text=CAT), "objectives.csv")}
    gpt = core.load("gpt-mini").trace(CAT)
    n = len(gpt.tokens)
    log_p = log_softmax(gpt.logits, axis=1)
    loss = -float(np.mean([log_p[i, gpt.encoding.ids[i + 1]] for i in range(n - 1)]))
    assert int(by_name["Causal LM"][1]) == n - 1
    assert float(by_name["Causal LM"][3]) == pytest.approx(loss, abs=1e-4)
    follows = core.load("bert-mini").next_sentence(CAT, "They enjoyed it very much.")
    nats = float(by_name["Next sentence, if it does follow"][3])
    assert nats == pytest.approx(-float(np.log(follows)), abs=1e-4)


@pytest.mark.parametrize("text", ["", "   "])
@pytest.mark.parametrize("part", ["all", "replaced", "experts"])
def test_an_empty_sentence_is_told(part: str, text: str):
    page = opened(part)
    page.text_input(key="blocks.objectives.text").set_value(text).run()
    assert page.notices


def test_t5s_own_example_and_other_spans():
    page = opened("spans", paper="1")
    assert rows(page, "t5-spans.csv") == [
        ["Thank you <X> me to your party <Y> week .", "<X> for inviting <Y> last <Z>"]
    ]
    page.button_group(key="blocks.objectives.spans.preset").set_value("50 %, spans of 3").run()
    assert "**6 of 11** tokens in **2** spans" in page.text
    assert page.link["density"] == "50"
    assert "paper" not in page.link


def test_every_token_is_judged_and_a_lucky_sample_is_no_replacement():
    page = opened("replaced", masked="40")
    assert "No discriminator is shipped" in page.text
    judged = rows(page, "replaced-tokens.csv")
    for original, read, masked, replaced in judged:
        assert (replaced == "True") == (original != read)
        assert masked == "True" or original == read
    words = [row for row in judged if not row[0].startswith("[")]
    assert f"The loss counts all **{len(words)}** tokens" in page.text


def test_experts_share_out_real_states():
    page = opened("experts", experts="4", top_k="1")
    states = core.load("bert-mini").trace(CHEF).hidden_states()[3]
    found = route(states, toy_router(states.shape[1], 4, seed=0), k=1)
    assert f"N · Σ f·P is {found.balance:.3g}"[:16] in page.answer
    gates = page.figures["blocks.objectives.experts.gates"].arrays["values"]
    np.testing.assert_allclose(gates, found.gate_matrix, atol=1e-6)
    assert "was never trained" in page.notices
    slider = page.select_slider(key="blocks.objectives.experts.layer:options")
    assert (slider.options[0], slider.options[3]) == ("input", "layer 2")
    assert page.number_input(key=f"{slider.key}{BOX}").value == 2
    assert "states, layer 2 ·" in page.figures["blocks.objectives.experts.gates"].header["caption"]


@pytest.mark.parametrize(("ratio", "left"), [("50", 0.5), ("75", 0.25)])
def test_a_picture_is_hidden_and_painted(ratio: str, left: float):
    page = opened("pictures", ratio=ratio, seed="2")
    n_patches = len(rows(page, "hidden-patches.csv"))
    assert f"reads **{round(left * n_patches)} of {n_patches}** patches" in page.text
    assert page.figures["blocks.objectives.pictures.row"].header["caption"].endswith("seed 2")
