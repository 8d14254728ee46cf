"""Learning rates, label smoothing and Adam: the page's numbers are the core's."""

import math

import numpy as np
import pytest

from app.views.blocks.optimisation.prediction import MOST_LOGITS
from core.blocks.label_smoothing import LARGEST_LOGIT, smoothed_loss, smoothed_target
from core.blocks.lr_schedules import transformer_peak
from tests import printed
from tests.pages.curves import curves, metric, words
from tests.pages.page import Page

SCHEDULE = "blocks.optimisation.schedule"
SMOOTHING = "blocks.optimisation.smoothing"


def opened(part: str = "schedule", **link: str) -> Page:
    return Page("blocks", view="optimisation", part=part, **link)


def test_the_papers_peak():
    page = opened()
    drawn = curves(page, 0)
    assert drawn.keys() == {"inverse square root", "linear", "cosine"}
    for steps, rates in drawn.values():
        assert rates[steps == 4000] == transformer_peak(512, 4000)
    assert "peak 0.000699 at step 4,000" in words(page, 0)
    assert metric(page, "Peak") == "0.000699"


def test_a_preset_is_a_link_that_comes_back():
    page = opened()
    page.button_group(key=f"{SCHEDULE}.preset").set_value("BERT").run()
    assert page.link["schedule"] == "linear"
    assert page.link["steps"] == "1000000"
    again = Page("blocks", **page.link)
    assert "peak 0.000100 at step 10,000" in words(again, 0)
    assert metric(again, "Last step") == "0"


def test_a_warm_up_that_never_ends_is_explained():
    page = opened(warmup="5000", steps="4000")
    assert "The warm-up has 5,000 steps and the whole training 4,000" in page.notices
    assert page.number_input(key=f"{SCHEDULE}.steps").value == 4000  # nothing is lost


def test_smoothing_a_real_prediction():
    page = opened("smoothing")
    p, q = curves(page, 0).values()
    assert p[0][0] == "france"
    np.testing.assert_allclose(q[1][:2], smoothed_target(9472, 0, 0.1)[:2])
    chance, loss = metric(page, "p of the right class"), metric(page, "Loss, ε = 0")
    assert printed.follows(float(p[1][0]), chance)
    assert printed.follows(-math.log(printed.value(chance)), loss.removesuffix(" nats"))


def test_logits_of_ones_own_and_their_mistakes():
    page = opened("smoothing", source="logits", logits="2,0,0", share="0.3")
    loss = smoothed_loss(np.array([2.0, 0.0, 0.0]), 0, 0.3)
    total = metric(page, "Loss, ε = 0.3").removesuffix(" nats")
    assert printed.follows(loss.total, total)
    own = metric(page, "Loss, ε = 0").removesuffix(" nats")
    mean = next(each.help for each in page.metric if each.label == "Loss, ε = 0.3").split(" · ")[2]
    assert printed.follows(
        0.7 * printed.value(own) + 0.3 * printed.value(mean.split(",")[0]), total
    )
    assert metric(page, "Lowest possible") == f"{loss.floor:.3f} nats"
    for wrong, said in (
        ("1, two", "is no list of numbers"),
        ("1, nan", "Each logit lies between"),
        (f"1, {2 * LARGEST_LOGIT}", f"Each logit lies between −{LARGEST_LOGIT:,.0f}"),
        ("1", "1 logits came; 2 to 40"),
        ("1, " * (MOST_LOGITS + 1), "41 logits came; 2 to 40"),
    ):
        page.text_input(key=f"{SMOOTHING}.logits").set_value(wrong).run()
        assert said in page.notices
        assert page.text_input(key=f"{SMOOTHING}.logits").value == wrong
    page.text_input(key=f"{SMOOTHING}.logits").set_value("1, 2").run()
    page.number_input(key=f"{SMOOTHING}.class").set_value(2).run()
    assert "The right class is 2, but the 2 classes count from 0 to 1" in page.notices


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"text": "no mask here"}, "The sentence has 0 [MASK]"),
        ({"word": "$x$ **zyzzyva**"}, "“$x$ **zyzzyva**” is not one token"),
    ],
)
def test_a_word_or_sentence_that_cannot_be_asked(link: dict[str, str], said: str):
    assert said in opened("smoothing", **link).notices


def test_an_example_is_asked():
    page = opened("smoothing")
    page.button_group(key=f"{SMOOTHING}.example").set_value("the river").run()
    assert page.link["word"] == "river"
    assert curves(page, 0)["the model's p"][0][0] == "river"


def test_adams_memory():
    page = opened("adam")
    assert metric(page, "Memory 1 / (1 − β₂)") == "50.0 steps"
    assert metric(page, "First step, uncorrected") == "0.707 × lr"
    page.button_group(key="blocks.optimisation.adam.preset").set_value("BERT").run()
    assert metric(page, "Memory 1 / (1 − β₂)") == "1,000 steps"
    assert metric(page, "First step, uncorrected") == "3.16 × lr"
    first = {name: lengths[0] for name, (_, lengths) in curves(page, 1).items()}
    assert first == pytest.approx({"with bias correction": 1, "without": 3.1623}, rel=1e-3)
