"""Activations and normalisation: the page's numbers are the core's."""

from dataclasses import replace

import numpy as np
import pytest

import core
from app.views.blocks.norms import vectors
from core.blocks.activations import gelu
from core.blocks.gated_ffn import gated_steps, random_block
from core.blocks.norms import layer_norm
from core.blocks.pre_post_norm import gradient_depth
from core.trace.residual_stream import Part
from tests.pages.curves import curves
from tests.pages.page import Page

X = np.array([1.0, -0.5, 2.0, 0.5])
GATES = "blocks.activations.gates"
VECTORS = "blocks.norms.vectors"


def test_curves_follow_the_presets_and_the_sliders():
    page = Page("blocks", view="activations", functions="gelu", x="2")
    assert len(curves(page, 0)) == 1
    assert f"{gelu(np.array([2.0]))[0]:.4g}" in page.text
    page.button_group(key="blocks.activations.curves.preset").set_value("GELU's three forms").run()
    assert len(curves(page, 1)) == 3
    assert "tanh form 0.00047, sigmoid form 0.02" in page.text
    assert page.link["functions"] == "gelu,gelu-tanh,gelu-sigmoid"
    assert page.link["range"] == "4"


def test_functions_are_chosen_one_by_one_or_not_at_all():
    page = Page("blocks", view="activations", functions="relu")
    pills = "blocks.activations.curves.functions:options"
    page.button_group(key=pills).set_value(["relu", "elu"]).run()
    assert page.link["functions"] == "relu,elu"
    page.button_group(key=pills).set_value([]).run()
    assert "No function is chosen" in page.notices
    assert page.charts == []


def test_coins_keep_with_probability_phi():
    page = Page("blocks", view="activations", part="dropout", tosses="1000000")
    drawn = curves(page, 0)
    mean, exact = drawn["mean of m · x"][1], drawn["GELU: x Φ(x)"][1]
    assert np.abs(mean - exact).max() < 0.01
    assert "dropped with Φ(x), the slip: x (1 − Φ(x))" in drawn


def test_a_gate_multiplies_two_projections():
    page = Page("blocks", view="activations", part="gates")
    for kind in ("swiglu", "geglu"):
        page.button_group(key=f"{GATES}.gate").set_value(kind).run()
        steps = gated_steps(X, random_block(4, 8, seed=0), kind)
        output = page.figures[f"{GATES}.gate-output"].arrays["values"]
        np.testing.assert_allclose(output, steps.output[None], rtol=1e-6)


def test_a_gates_vector_with_a_hole():
    page = Page("blocks", view="activations", part="gates", x="1,,2,3")
    assert "A cell of x is empty" in page.notices


def test_gradients_by_depth():
    page = Page("blocks", view="norms", layers="6")
    page.button_group(key="blocks.norms.depth.preset").set_value("12 layers").run()
    assert page.link["layers"] == "12"
    measured = gradient_depth("post", layers=12, seed=0)
    np.testing.assert_array_equal(curves(page, 0)["post-norm"][1], measured.feed_forward)
    page.button_group(key="blocks.norms.depth.quantity").set_value("states").run()
    np.testing.assert_array_equal(curves(page, 0)["post-norm"][1], measured.states)
    assert "(2N)^{1/4}=2.21" in page.text.replace("\\", "")


def test_norms_of_the_token_that_is_clicked():
    page = Page("blocks", view="norms", part="vectors", layer="4", token="1")
    page.fire(f"{VECTORS}.tokens", 8)
    assert page.link["token"] == "8"
    page.button_group(key=f"{VECTORS}.sublayer").set_value("mlp").run()
    assert page.link["sublayer"] == "mlp"
    trace = core.load("bert-mini").trace(
        "The animal didn't cross the street because it was too tired.", blocks=True
    )
    sublayer = trace.block(4).sublayer(Part.MLP)
    total = sublayer.received[8] + sublayer.output[8]
    drawn = page.figures[f"{VECTORS}.normed"].arrays["values"]
    np.testing.assert_allclose(drawn[0], layer_norm(total), rtol=1e-5, atol=1e-6)
    assert "N = 6 layers here" in page.text


def test_a_layer_and_a_token_that_are_not_there_are_the_last():
    page = Page("blocks", view="norms", part="vectors", layer="99", token="511", text="two words")
    assert page.link["layer"] == "5"
    assert "layer 5, after attention, token 3" in page.file("norms.csv").decode()


def test_a_model_of_one_layer_has_none_to_choose(monkeypatch: pytest.MonkeyPatch):
    asked = vectors.sentence_and_model
    monkeypatch.setattr(vectors, "sentence_and_model", lambda: replace(asked(), layers=1))
    page = Page("blocks", view="norms", part="vectors")
    assert f"{VECTORS}.normed" in page.figures
    assert not any(slider.label == "layer" for slider in page.slider)
