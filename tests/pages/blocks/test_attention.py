"""“Attention from scratch”: every part's numbers, its presets, and what can't be computed."""

from pathlib import Path

import numpy as np
import pytest

import core
from app.views.blocks.attention.state import KEYS, QUERIES, VALUES
from core.blocks.attention import attention_steps
from core.blocks.iterated_attention import iterate, start
from core.blocks.qk_circuit import symmetric_share
from core.blocks.softmax_as_optimum import optimum
from tests.pages.curves import curves, rows
from tests.pages.page import Page

STEPS = "blocks.attention.steps"


def matrix(written: tuple) -> np.ndarray:
    return np.array([row[:4] for row in written[:4]], dtype=np.float32)


def worked(q: np.ndarray, allowed: np.ndarray | None = None, scale: float = 0.5):
    mask = np.ones((4, 4), dtype=bool) if allowed is None else allowed
    return attention_steps(q, matrix(KEYS), matrix(VALUES), scale=scale, allowed=mask)


def drawn(page: Page, key: str) -> np.ndarray:
    """A heat map's numbers."""
    return page.figures[key].arrays["values"]


def test_an_edited_number_goes_through_all_five_matrices_and_into_the_link():
    page = Page("blocks", q="1,0,0,1;0,2,0,0;-2,0,1,0;0,0,2,1")
    edited = matrix(QUERIES)
    edited[2, 0] = -2
    steps = worked(edited)
    np.testing.assert_array_equal(drawn(page, f"{STEPS}.step-1"), steps.dots)
    np.testing.assert_array_equal(drawn(page, f"{STEPS}.weights"), steps.weights)
    np.testing.assert_array_equal(drawn(page, f"{STEPS}.step-5"), steps.output)
    assert page.link["q"].startswith("1,0,0,1,0,0;0,2,0,0,0,0;-2,0,1,0,0,0;")


def test_a_causal_mask_and_a_temperature():
    page = Page("blocks", mask="causal", no_root="1", temperature="2")
    steps = worked(matrix(QUERIES), np.tri(4, dtype=bool))
    np.testing.assert_array_equal(drawn(page, f"{STEPS}.weights"), steps.weights)
    assert "3 · causal" in page.figures[f"{STEPS}.step-3"].header["title"]


def test_a_clicked_weight_is_worked_out_and_put_aside():
    page = Page("blocks")
    page.choose(f"{STEPS}.weights", [3, 2])
    assert page.link["cell"] == "3.2"
    assert f"{STEPS}.worked" in page.figures
    page.choose(f"{STEPS}.weights", [-1, -1])
    assert f"{STEPS}.worked" not in page.figures
    assert "Click a cell of the softmax" in page.text


def test_a_preset_puts_its_numbers_in_place_and_the_others_back():
    page = Page("blocks", mask="causal", words="a b c d e")
    page.button_group(key=f"{STEPS}.preset").set_value("two keys alike share").run()
    assert page.text_input(key="blocks.attention.words").value == "red crimson blue it"
    assert "mask" not in page.link
    weights = drawn(page, f"{STEPS}.weights")
    np.testing.assert_array_equal(weights[:, 0], weights[:, 1])


def test_an_empty_cell_is_named_and_keeps_its_neighbours():
    page = Page("blocks", q="1,,3;4,5,6;7,8,9;1,1,1", d_k="3")
    assert "Q, row 0, column 1 is empty" in page.notices
    assert page.session_state["blocks.attention.q"][0][:3] == (1, None, 3)


@pytest.mark.parametrize(
    ("typed", "said"), [("one two", "2 tokens stand there"), ("a b c d e f g", "7 tokens")]
)
def test_too_few_or_too_many_tokens(typed: str, said: str):
    page = Page("blocks", words=typed)
    assert said in page.notices
    assert page.text_input(key="blocks.attention.words").value == typed


def test_a_query_that_may_look_nowhere_says_so():
    page = Page("blocks", mask="chosen", hidden="1.0,1.1,1.2,1.3")
    assert "Query 2 may look at no key" in page.notices


def test_what_a_link_may_not_hold_counts_as_absent():
    page = Page("blocks", part="nowhere", d_k="99", q="1,x", hidden="9.x", seed="-1", cell="7.7")
    np.testing.assert_array_equal(drawn(page, f"{STEPS}.weights"), worked(matrix(QUERIES)).weights)
    assert page.link == {}


def test_saturation_by_width():
    page = Page("blocks", part="root", d_k="256")
    scaled, theory = curves(page, 0)["q · k / √d_k"][1], curves(page, 0)["d_k, in theory"][1]
    assert np.allclose(scaled, 1, atol=0.2)
    assert theory[-1] == 1024
    weights = drawn(page, "blocks.attention.root.row")
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
    assert weights[0].max() > weights[1].max()


def test_two_kinds_of_score_grow_and_do_not():
    page = Page("blocks", part="scores")
    growing = curves(page, 0)
    assert growing.keys() == {"q · k", "q · k / √d_k", "additive"}
    assert growing["q · k"][1].max() == pytest.approx(8)  # 4 / √4 · ‖(1, 1, 1, 1)‖²
    assert "64,512,000 with 64 hidden units" in page.text.replace("\n", " ")


@pytest.mark.parametrize("number", ["1e19", ""])
def test_a_cell_that_cannot_be_scored(number: str):
    page = Page("blocks", part="scores", q=f"{number},0;0,1;1,1;1,1")
    assert "a cell that is empty or too large" in page.notices


def test_softmax_is_the_optimum():
    page = Page("blocks", part="entropy")
    page.button_group(key="blocks.attention.entropy.preset").set_value("a clear winner").run()
    assert {name: page.link[name] for name in ("s1", "s2", "s3")} == {
        "s1": "3",
        "s2": "0",
        "s3": "-3",
    }
    _, value = optimum(np.array([3.0, 0.0, -3.0]), 1.0)
    assert f"maximum {value:.6g}" in page.file("why-softmax.csv").decode()
    reached = [float(row[4]) for row in rows(page, "why-softmax.csv")]
    assert reached[-1] == pytest.approx(value)


def test_a_real_heads_m_and_another_head_by_click():
    page = Page("blocks", part="metric", layer="2", head="3")
    assert "**rank 32**" in page.text
    shares = "blocks.attention.metric.shares"
    page.choose(shares, [5, 1])
    assert (page.link["layer"], page.link["head"]) == ("5", "1")
    head = core.load("bert-mini").head_projections(5, 1)
    assert f"**{symmetric_share(head.query, head.key):.3g}** of ‖M‖²" in page.text
    whole, even, odd = (drawn(page, f"blocks.attention.metric.part-{i}") for i in range(3))
    np.testing.assert_allclose(whole, even + odd, atol=1e-5)


@pytest.mark.parametrize(
    ("family", "said"), [("deberta", "hides its queries and keys"), ("llama", "rotary positions")]
)
def test_heads_of_other_families(offered: dict[str, Path], family: str, said: str):
    page = Page("blocks", part="metric", model=str(offered[family]), text="the cat sat")
    assert said in page.text


def test_points_meet():
    page = Page("blocks", part="limit", temperature="2")
    run = iterate(start("scattered", n_points=40, seed=0), temperature=2.0, steps=60)
    figure = page.figures["blocks.attention.limit.drift"]
    np.testing.assert_array_equal(figure.arrays["points"], run.points)
    assert "points have met after" in page.answer
    page.choose("blocks.attention.limit.drift", 60)
    assert page.link["step"] == "60"


def test_groups_that_stay():
    page = Page("blocks", part="limit", temperature="0.1")
    assert "4 groups are left" in page.answer
