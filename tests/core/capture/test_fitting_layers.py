"""A map that doesn't fit its input is never shown: each of these once came through unnoticed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import timm
from PIL import Image
from safetensors.torch import save_file

import core
from core.capture import fitting_layers
from core.capture.fitting_layers import layers_by_row
from core.trace import AttentionKind
from tests.benchmarks.parity.texts import save_text

TEXT = "the cat sat on a street ."
PICTURES: Mapping[str, Mapping[str, Any]] = {
    "convit_tiny": {"depth": 2, "embed_dim": 32, "local_up_to_layer": 1},
    "volo_d1_224": {},
    "nest_tiny": {},
    "hiera_tiny_224": {"embed_dim": 16, "stages": (1, 1, 1, 1)},
    "twins_svt_small": {"embed_dims": (16, 16, 16, 16), "depths": (1, 1, 1, 1)},
}
TEXTS = ("longformer", "granite_swa", "prophetnet", "diffllama", "led", "cpmant")


def save_timm(architecture: str, folder: Path) -> Path:
    module = timm.create_model(architecture, num_classes=3, **PICTURES[architecture])
    save_file(module.state_dict(), folder / "model.safetensors")
    config = {
        "architecture": architecture,
        "num_classes": 3,
        "model_args": PICTURES[architecture],
        "pretrained_cfg": {"input_size": (3, 224, 224)},
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture(params=["with its reason", "by the rule alone"])
def _known(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once as shipped, once without any family's name: the rule itself must hold."""
    if request.param == "by the rule alone":
        monkeypatch.setattr(fitting_layers, "DECLINED", {})


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("architecture", PICTURES)
def test_pictures_are_refused_with_a_reason_and_still_classified(architecture: str, tmp_path: Path):
    model = core.load(save_timm(architecture, tmp_path), core.VisionModel)
    picture = Image.fromarray(np.zeros((224, 224, 3), np.uint8))
    with pytest.raises(core.InputError, match="can't be shown; choose"):
        model.trace(picture)
    assert len(model.classify(picture)) == 3


@pytest.mark.usefixtures("_known")
@pytest.mark.parametrize("model_type", TEXTS)
def test_texts_are_refused_with_a_reason(model_type: str, tmp_path: Path):
    assert save_text(model_type, tmp_path)
    given = {"target": "a dog ran"} if model_type in ("prophetnet", "led") else {}
    with pytest.raises(core.InputError, match="can't be shown; choose"):
        core.load(tmp_path).trace(TEXT, **given)


def test_reasons_are_the_families_own(tmp_path: Path):
    assert save_text("granite_swa", tmp_path)
    with pytest.raises(core.InputError, match="by a learned sink, after its softmax"):
        core.load(tmp_path).trace(TEXT)


class TestATrace:
    """Whatever makes one: rows and columns are its tokens."""

    @pytest.fixture
    def trace(self, tiny_checkpoint) -> core.Trace:
        return core.load(tiny_checkpoint("bert")).trace(TEXT)

    def test_of_another_length_than_its_tokens(self, trace: core.Trace, tiny_checkpoint):
        longer = core.load(tiny_checkpoint("bert")).trace(TEXT + " it was tired").encoding
        with pytest.raises(core.InputError, match=r"9 queries × 9 keys, .* 12 × 12 places"):
            replace(trace, encoding=longer)

    def test_with_one_key_more(self, trace: core.Trace):
        layer = trace.attention(1)
        uniform = np.full((4, 9, 10), 0.1, np.float32)
        made = replace(
            layer, queries=None, grouped_keys=None, grouped_values=None, recorded_weights=uniform
        )
        with pytest.raises(core.InputError, match=r"9 queries × 10 keys.*such as a learned sink"):
            replace(trace, layers={AttentionKind.ENCODER: (layer, made)})

    def test_of_another_grid(self, trace: core.Trace):
        grid = core.trace.PatchGrid(2, 4, 0)
        layer = replace(trace.attention(0), query_grid=grid, key_grid=grid)
        with pytest.raises(core.InputError, match=r"9 queries × 9 keys, .* 8 × 8 places"):
            core.Trace("vit", {AttentionKind.ENCODER: (layer,)}, {}, patches=grid)


def test_a_call_over_pieces_of_its_rows(tiny_checkpoint):
    from core.capture import Recorder

    model: Any = core.load(tiny_checkpoint("bert"))
    recorder = Recorder(model.paths, model.kind_of)
    with recorder:
        model.module(**model.tensors([model.prepare(TEXT)] * 4))
    promised = {AttentionKind.ENCODER: 3}
    with pytest.raises(core.InputError, match="attends within 2 windows or chunks"):
        layers_by_row("toy", model.module, recorder.calls, promised, rows=2)
    assert len(layers_by_row("toy", model.module, recorder.calls, promised, rows=4)) == 4
