"""Activations and normalisation in a real browser."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.blocks.activations import gelu
from core.blocks.gated_ffn import gated_steps, random_block
from core.blocks.pre_post_norm import gradient_depth
from tests.e2e.test_blocks_attention import chart, figure, painted

PAGE = "blocks"


def test_curves_follow_the_pills_and_the_sliders(app):
    page = app.open(PAGE, view="activations", functions="gelu", x="2")
    expect(chart(page, "activations").locator(".scatterlayer .trace")).to_have_count(1)
    expect(page.get_by_role("cell", name=f"{gelu(np.array([2.0]))[0]:.4g}")).to_be_visible()
    page.get_by_text("GELU's three forms", exact=True).click()
    app.settled()
    expect(chart(page, "slopes").locator(".scatterlayer .trace")).to_have_count(3)
    expect(page.get_by_text("tanh form 0.00047, sigmoid form 0.02")).to_be_visible()
    expect(page).to_have_url(re.compile(r"functions=gelu%2Cgelu-tanh%2Cgelu-sigmoid"))


def test_coins_keep_with_probability_phi(app):
    page = app.open(PAGE, view="activations", part="dropout", tosses="1000000")
    expect(page.get_by_text(re.compile(r"Largest distance from GELU: 0\.00\d+"))).to_be_visible()
    expect(page.get_by_text("dropped with Φ(x), the slip")).to_be_visible()


def test_a_gate_multiplies_two_projections(app):
    page = app.open(PAGE, view="activations", part="gates")
    steps = gated_steps(np.array([1.0, -0.5, 2.0, 0.5]), random_block(4, 8, seed=0), "swiglu")
    output = figure(page, "Output")
    expect(output).to_have_attribute("data-painted", painted(steps.output[None]))
    page.get_by_text("GeGLU", exact=True).click()
    app.settled()
    steps = gated_steps(np.array([1.0, -0.5, 2.0, 0.5]), random_block(4, 8, seed=0), "geglu")
    expect(output).to_have_attribute("data-painted", painted(steps.output[None]))


def test_gradients_by_depth(app):
    page = app.open(PAGE, view="norms", layers="6")
    expect(page.get_by_role("img", name="One layer with the norm in four places")).to_be_visible()
    expect(chart(page, "by-depth").locator(".scatterlayer .trace")).to_have_count(4)
    page.get_by_text("48 layers", exact=True).click()
    app.settled()
    expect(page).to_have_url(re.compile(r"layers=48"))
    hovered = gradient_depth("post", layers=48, seed=0)
    assert hovered.feed_forward.shape == (48,)
    expect(chart(page, "by-depth").locator(".scatterlayer .trace").first).to_be_visible()


def test_norms_of_the_token_that_is_clicked(app):
    page = app.open(PAGE, view="norms", part="vectors", layer="4", token="1")
    before = painted_words(page)
    page.get_by_role("button", name=re.compile("^street")).click()
    app.settled()
    expect(page).to_have_url(re.compile(r"token=8"))
    expect(figure(page, "After it")).not_to_have_attribute("data-painted", before)
    page.get_by_text("after feed-forward", exact=True).click()
    app.settled()
    expect(page).to_have_url(re.compile(r"sublayer=mlp"))


def painted_words(page: Page) -> str:
    after = figure(page, "After it")
    expect(after).to_be_visible(timeout=60_000)
    return after.get_attribute("data-painted") or ""


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_scrolls_down_and_never_sideways(app):
    for view in ("activations", "norms"):
        page = app.open(PAGE, view=view)
        wide = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth")
        assert wide <= 390
