"""The small DETR: its maps are its own attention's, and it opens as other checkpoints do."""

import json

import numpy as np
import pytest
import torch

from core.catalog import Family
from core.data.synthetic_scenes import make_scene
from core.errors import InputError
from core.interventions import SilenceHead
from core.models.load import load
from core.models.vision.detr_network import Attention, normalised
from core.trace import AttentionKind
from tests.tiny_detector import SHAPE, save_tiny_detector


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny_detector(tmp_path_factory.mktemp("detector"))


@pytest.fixture(scope="module")
def model(folder):
    return load(folder, device="cpu")


def test_a_directory_opens_as_a_detector(model):
    assert model.card.family == Family.DETECTOR
    assert model.card.labels == ("circle", "square", "triangle", "star")
    assert (model.card.layers, model.card.heads, model.card.d_model) == (2, 2, 16)


def test_every_layer_says_boxes_and_classes(model):
    found = model.detect(7)
    assert found.layer_boxes.shape == (2, 5, 4)
    assert found.layer_probabilities.shape == (2, 5, 5)
    np.testing.assert_allclose(found.probabilities.sum(-1), 1, atol=1e-5)
    assert ((found.boxes > 0) & (found.boxes < 1)).all()
    np.testing.assert_array_equal(found.picture, make_scene(7).draw(32))
    np.testing.assert_array_equal(found.boxes, model.detect(make_scene(7)).boxes)


def test_the_maps_are_those_of_eager_attention(model, monkeypatch):
    """The same forward with the softmax written out, every map kept by hand."""
    kept = []

    def eager(self, queries, keys, values):
        q, k, v = (
            self._split(project(given))
            for project, given in (
                (self.to_query, queries), (self.to_key, keys), (self.to_value, values),
            )
        )  # fmt: skip
        weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
        kept.append(weights[0].numpy())
        return self.out((weights @ v).transpose(1, 2).flatten(2))

    trace = model.trace(7)
    monkeypatch.setattr(Attention, "forward", eager)
    pixels = torch.tensor(make_scene(7).draw(32)).permute(2, 0, 1)[None]
    with torch.inference_mode():
        model.module(normalised(pixels))
    maps = [trace.attention(layer, kind=AttentionKind.ENCODER).weights for layer in range(2)]
    for layer in range(2):
        for kind in (AttentionKind.DECODER, AttentionKind.CROSS):
            maps.append(trace.attention(layer, kind=kind).weights)
    assert len(kept) == len(maps) == 6
    for mine, theirs in zip(maps, kept, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-5)


def test_grids_say_what_is_a_place_and_what_a_slot(model):
    trace = model.trace(7)
    encoder, decoder, cross = (trace.attention(0, kind=kind) for kind in AttentionKind)
    assert (encoder.query_grid, encoder.key_grid) == (trace.patches, trace.patches)
    assert (decoder.query_grid, decoder.key_grid) == (None, None)
    assert (cross.query_grid, cross.key_grid) == (None, trace.patches)
    assert (trace.patches.rows, trace.patches.columns, trace.patches.prefix_tokens) == (8, 8, 0)


def test_a_silenced_head_changes_the_answer(model):
    change = (SilenceHead(0, 1, AttentionKind.CROSS),)
    changed = model.detect(7, interventions=change)
    assert np.abs(changed.boxes - model.detect(7).boxes).max() > 1e-6


def test_statistics_are_the_answers_scene_by_scene(model):
    found = model.slot_boxes(scenes=3, first=10)
    for row, seed in enumerate((10, 11, 12)):
        alone = model.detect(seed)
        np.testing.assert_allclose(found.boxes[row], alone.boxes, atol=1e-5)
        np.testing.assert_allclose(found.probabilities[row], alone.probabilities, atol=1e-5)


def test_too_many_scenes_are_told(model):
    with pytest.raises(InputError, match="up to 2000"):
        model.slot_boxes(scenes=5000)


def test_a_broken_checkpoint_is_told(folder, tmp_path):
    (tmp_path / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes())
    shape = {**SHAPE, "slots": 9}
    config = {"detector": shape, "labels": ["circle", "square", "triangle", "star"]}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="can't be opened as a detector"):
        load(tmp_path, device="cpu")
