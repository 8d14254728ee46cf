"""What the model makes of a text: its surprise, its layers, its induction heads."""

from pathlib import Path

import numpy as np
import pytest

import core
from app.style.number_format import three
from core.explain.attention.induction_heads import induction_scores, repeated_sequence
from core.explain.predictions.logit_lens import read_layers
from core.explain.predictions.surprisal import surprise
from tests.pages.gpt.shown import TEXT


def test_surprise_of_a_text_and_what_was_expected(opened, model):
    text = "the dog ran because it was too tired ."
    page = opened(view="surprise", text=text)
    trace = model.trace(text)
    found = surprise(trace.logits, trace.encoding, text)
    numbers = (found.perplexity, found.total / found.n_counted, found.bits_per_byte)
    assert [metric.value for metric in page.metric][:3] == [three(number) for number in numbers]
    notes = [chip["note"] for chip in page.figures["gpt.surprise.tokens"].header["chips"]]
    assert notes == ["–", *(f"{bits:.1f}" for bits in found.bits[1:])]
    page.fire("gpt.surprise.tokens", 5)
    assert page.link["token"] == "5"
    (lit,) = (row for row in page.figures["gpt.surprise.expected"].header["rows"] if row["lit"])
    assert lit["probability"] == pytest.approx(2 ** -found.bits[5], rel=1e-4)
    assert f"Rank {found.ranks[5]} of 52" in page.text


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_the_lens_reads_every_layer(opened, own_checkpoints: dict[str, Path], family: str):
    page = opened(family, view="layers", word="dog")
    model = core.load(own_checkpoints[family])
    vocabulary = model.vocabulary()
    read = model.layer_logits(TEXT)
    following = np.array([*read.encoding.ids[1:], vocabulary.index("dog")])
    layers = read_layers(read.logits, following)
    table = page.figures["gpt.layers.lens"].header
    expected = [[vocabulary[index] for index in layers.first[layer]] for layer in (3, 2, 1, 0)]
    assert table["cells"] == expected
    assert table["notes"][0][2] == f"on is rank {layers.rank[3, 2]} of 52"
    page.choose("gpt.layers.lens", [0, 2])
    assert page.link["token"] == "2"
    assert "The rank of on after sat" in page.text


def test_induction_scores_are_the_models(opened, model):
    page = opened(view="induction", length="12", copies="3", seed="4", silenced="2")
    ids = (3, *repeated_sequence(model.inventory().plain, length=12, copies=3, seed=4))
    trace = model.trace_ids(ids)
    weights = [trace.attention(i).weights for i in range(3)]
    scores = induction_scores(weights, length=12, start=1)
    shown = page.figures["gpt.induction.induction"].arrays["values"]
    np.testing.assert_allclose(shown, scores, atol=1e-6)
    layer, head = np.unravel_index(scores.argmax(), scores.shape)
    assert f"the strongest is layer {layer}, head {head}" in page.answer
    assert "With 2 silenced: later copies" in page.text
    stripe = page.figures["gpt.induction.stripe"].arrays["values"]
    np.testing.assert_allclose(stripe, weights[layer][head], atol=1e-6)
    page.button_group(key="gpt.induction.score").set_value("previous").run()
    assert page.link["score"] == "previous"
