"""DETR in transformers' layout: its own answers and its own eager maps, or the reason why not."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as hf

from core.catalog import Family
from core.data.synthetic_scenes import make_scene
from core.errors import InputError
from core.interventions import SilenceHead
from core.models.load import load
from core.trace import AttentionKind
from tests.tiny_transformers_pictures import CLASSES, save_transformers_pictures

SCENE = 7


def saved(folder: Path) -> Path:
    processor = hf.DetrImageProcessor(size={"height": 96, "width": 96})
    return save_transformers_pictures("detr", folder, processor)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("detr"))


@pytest.fixture(scope="module")
def model(folder: Path):
    return load(folder, device="cpu")


@pytest.fixture(scope="module")
def made(folder: Path):
    """transformers' own processor and eager forward."""
    eager = hf.DetrForObjectDetection.from_pretrained(folder, attn_implementation="eager").eval()
    processor = hf.AutoImageProcessor.from_pretrained(folder)
    pixels = processor(images=make_scene(SCENE).draw(96).copy(), return_tensors="pt")[
        "pixel_values"
    ]
    with torch.no_grad():
        return eager(pixels, output_attentions=True, output_hidden_states=True)


def test_it_opens_as_a_detector(model):
    assert model.card.family == Family.DETECTOR
    assert model.card.labels == CLASSES
    assert (model.card.layers, model.card.heads, model.card.d_model) == (2, 2, 16)


def test_boxes_and_classes_are_transformers_own(model, made):
    found = model.detect(SCENE)
    np.testing.assert_allclose(found.boxes, made.pred_boxes[0], atol=1e-5)
    np.testing.assert_allclose(found.probabilities, made.logits[0].softmax(-1), atol=1e-5)
    assert found.layer_boxes.shape == (2, 4, 4)
    assert found.references is None
    np.testing.assert_array_equal(found.picture, make_scene(SCENE).draw(96))


def test_the_maps_are_transformers_eager_ones(model, made):
    trace = model.trace(SCENE)
    assert (trace.patches.rows, trace.patches.columns) == (3, 3)
    theirs = {
        AttentionKind.ENCODER: made.encoder_attentions,
        AttentionKind.DECODER: made.decoder_attentions,
        AttentionKind.CROSS: made.cross_attentions,
    }
    for kind, maps in theirs.items():
        assert trace.n_layers(kind) == len(maps) == 2
        for layer, expected in enumerate(maps):
            mine = trace.attention(layer, kind=kind)
            np.testing.assert_allclose(mine.weights, expected[0], atol=1e-5)
    assert trace.attention(0, kind=AttentionKind.CROSS).key_grid == trace.patches


def test_a_silenced_head_moves_the_answer(model):
    whole = model.detect(SCENE).boxes
    silent = model.detect(SCENE, interventions=[SilenceHead(1, 0, AttentionKind.CROSS)]).boxes
    assert np.abs(whole - silent).max() > 1e-4


def test_a_backbone_of_timm_comes_from_the_checkpoint(tmp_path: Path):
    """As facebook/detr-resnet-50 has it: nothing is fetched."""
    torch.manual_seed(0)
    small = {"encoder_layers": 1, "decoder_layers": 1, "d_model": 16, "num_queries": 4}
    heads = {"encoder_attention_heads": 2, "decoder_attention_heads": 2}
    config = hf.DetrConfig(
        use_timm_backbone=True, backbone="resnet18", use_pretrained_backbone=False, **small, **heads
    )
    hf.DetrForObjectDetection(config).save_pretrained(tmp_path)
    hf.DetrImageProcessor().save_pretrained(tmp_path)
    model = load(tmp_path, device="cpu")
    assert model.detect(SCENE).picture.shape == (480, 480, 3)  # 800 at most 480
    assert model.trace(SCENE).patches.rows == 15


@pytest.mark.parametrize("missing", ["preprocessor_config.json", "model.safetensors"])
def test_a_broken_directory_is_told(tmp_path: Path, missing: str):
    saved(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(InputError):
        load(tmp_path, device="cpu")


def test_weights_that_are_not_there_are_told(tmp_path: Path):
    saved(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"decoder_layers": 3}))
    with pytest.raises(InputError, match=r"lacks \d+ weights of DetrForObjectDetection"):
        load(tmp_path, device="cpu")
