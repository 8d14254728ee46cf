"""States between the blocks of a picture model, told without hooks: equal to what hooks see."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import core
from core.capture.hidden_states import StateRecorder
from core.trace import AttentionKind
from tests.tiny_pictures import ARCHITECTURES, save_picture_model

BLOCKLESS = {"poolformer"}
Opened = Callable[[str], Any]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    models: dict[str, Any] = {}

    def model(name: str) -> Any:
        if name not in models:
            folder: Path = tmp_path_factory.mktemp(name)
            models[name] = core.load(save_picture_model(name, folder), device="cpu")
        return models[name]

    return model


def a_picture(seed: int) -> Image.Image:
    pixels = np.random.default_rng(seed).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    return Image.fromarray(pixels)


def seen_by_hooks(module: Any, pixels: torch.Tensor) -> list[torch.Tensor]:
    seen: list[torch.Tensor] = []
    blocks = [part for part in module.modules() if hasattr(part, "attn")]
    hooks = [blocks[0].register_forward_pre_hook(lambda _m, given: seen.append(given[0]))]
    hooks += [b.register_forward_hook(lambda _m, _given, made: seen.append(made)) for b in blocks]
    try:
        with torch.inference_mode():
            module(pixels)
    finally:
        for hook in hooks:
            hook.remove()
    return seen


@pytest.mark.parametrize("name", sorted(ARCHITECTURES.keys() - BLOCKLESS))
def test_are_what_hooks_would_see(name: str, opened: Opened):
    model = opened(name)
    pixels = model.transform(a_picture(0))[None]
    recorder = StateRecorder(model.module, model.paths, lambda _: AttentionKind.ENCODER)
    with torch.inference_mode(), recorder:
        model.module(pixels)
    expected = seen_by_hooks(model.module, pixels)
    assert len(recorder.states) == len(expected) > 1
    for state, wanted in zip(recorder.states, expected, strict=True):
        assert torch.equal(state, wanted)


def test_a_model_without_blocks_has_none(opened: Opened):
    model = opened("poolformer")
    recorder = StateRecorder(model.module, model.paths, lambda _: AttentionKind.ENCODER)
    with torch.inference_mode(), recorder:
        model.module(model.transform(a_picture(0))[None])
    assert recorder.states == []


@pytest.mark.parametrize("name", ["vit", "swin"])
def test_threads_that_share_a_model_never_mix(name: str, opened: Opened):
    model = opened(name)
    expected = {seed: model.trace(a_picture(seed)).hidden_states() for seed in range(4)}

    def wrong(seed: int) -> int:
        return sum(
            not all(map(np.array_equal, model.trace(a_picture(seed)).hidden_states(), states))
            for states in [expected[seed]] * 15
        )

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(wrong, range(4))) == [0, 0, 0, 0]


@pytest.mark.parametrize("name", ["vit", "swin"])
def test_a_loaded_model_carries_no_hooks(name: str, opened: Opened):
    model = opened(name)
    model.trace(a_picture(0))
    for part in model.module.modules():
        assert not part._forward_hooks
        assert not part._forward_pre_hooks
