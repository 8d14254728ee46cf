"""The Transformer page's door: which model is the default, which maps are averaged."""

import numpy as np
import pytest

import core
from app import inference, translating
from core.catalog import Family, ModelCard, Origin


def card(name: str, origin: Origin) -> ModelCard:
    return ModelCard(name, name, Family.TRANSLATOR, "", 1, 1, 8, 0, "", "", origin)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ([card("own", Origin.DIRECTORY), card("t5-small", Origin.HUB)], "own"),
        ([card("t5-small", Origin.HUB)], "t5-small"),
        ([], translating.EMBEDDED),
    ],
)
def test_the_default_is_at_hand_if_any_is(cards, expected, monkeypatch):
    monkeypatch.setattr(inference, "text_models", lambda: inference.Models(tuple(cards), ()))
    assert translating.default_model() == expected


def test_the_embedded_model_comes_first(monkeypatch):
    cards = (card("own", Origin.DIRECTORY), card(translating.EMBEDDED, Origin.EMBEDDED))
    monkeypatch.setattr(inference, "text_models", lambda: inference.Models(cards, ()))
    monkeypatch.setattr(inference, "needs_network", lambda _: False)
    assert translating.default_model() == translating.EMBEDDED


def test_maps_are_averaged_over_what_is_asked(tiny_checkpoint):
    trace = core.load(tiny_checkpoint("marian")).trace("the cat sat .", target="a dog ran .")
    kind = core.AttentionKind.CROSS
    layers = np.stack([one.weights for one in trace.layers[kind]])
    for layer, head, expected in (
        (1, 2, layers[1, 2]),
        (1, -1, layers[1].mean(axis=0)),
        (-1, 2, layers[:, 2].mean(axis=0)),
        (-1, -1, layers.mean(axis=(0, 1))),
    ):
        np.testing.assert_allclose(translating.maps(trace, kind, layer, head), expected, atol=1e-6)
