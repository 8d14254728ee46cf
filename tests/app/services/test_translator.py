"""The Transformer page's door: which model is the default, which maps are averaged."""

import numpy as np
import pytest

import core
from app.services import models, translator
from core.catalog import Family, ModelCard, Origin


def card(name: str, origin: Origin) -> ModelCard:
    return ModelCard(name, name, Family.TRANSLATOR, "", 1, 1, 8, 0, "", "", origin)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ([card("own", Origin.DIRECTORY), card("t5-small", Origin.HUB)], "own"),
        ([card("t5-small", Origin.HUB)], "t5-small"),
        ([], translator.EMBEDDED),
    ],
)
def test_the_default_is_at_hand_if_any_is(cards, expected, monkeypatch):
    monkeypatch.setattr(models, "offer", lambda: models.Offer(tuple(cards), ()))
    assert translator.default_model() == expected


def test_the_embedded_model_comes_first(monkeypatch):
    cards = (card("own", Origin.DIRECTORY), card(translator.EMBEDDED, Origin.EMBEDDED))
    monkeypatch.setattr(models, "offer", lambda: models.Offer(cards, ()))
    monkeypatch.setattr(models, "needs_network", lambda _: False)
    assert translator.default_model() == translator.EMBEDDED


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
        np.testing.assert_allclose(translator.maps(trace, kind, layer, head), expected, atol=1e-6)
