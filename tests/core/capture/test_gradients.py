"""Gradients of an answer with respect to attention: against autograd, and by finite differences."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import core
from core import ClassContrast, ClassTarget, InputError, LogitTarget, ReplaceWeights
from core.models.vision.classifier import VisionModel
from core.trace import AttentionKind
from tests.tiny import TRANSLATORS, tiny_model
from tests.tiny_pictures import save_picture_model

TOLERANCE = 1e-5
TEXT = "the animal did n't cross the street"
TARGET = "a dog ran to the cat"
FAMILIES = ["vit", "wide", "gap", "distilled", "registers", "register-gap", "beit", "eva02"]
Opened = Callable[[str], VisionModel]


@pytest.fixture(scope="module")
def opened(tmp_path_factory) -> Opened:
    made: dict[str, VisionModel] = {}

    def model(name: str) -> VisionModel:
        if name not in made:
            loaded = core.load(save_picture_model(name, tmp_path_factory.mktemp(name)))
            assert isinstance(loaded, VisionModel)
            made[name] = loaded
        return made[name]

    return model


@pytest.fixture(scope="module")
def picture() -> Image.Image:
    return Image.fromarray(np.random.default_rng(0).integers(0, 256, (50, 70, 3), dtype=np.uint8))


def eager_gradients(model: VisionModel, picture: Image.Image, index: int) -> list[np.ndarray]:
    """timm's own path without the fused kernel; its dropout of weights gives what is derived by."""
    maps: list[torch.Tensor] = []
    attentions: list[Any] = [m for m in model.module.modules() if hasattr(m, "attn_drop")]

    def keep(_: Any, __: Any, weights: torch.Tensor) -> None:
        maps.append(weights)

    hooks = [attention.attn_drop.register_forward_hook(keep) for attention in attentions]
    fused = [attention.fused_attn for attention in attentions]
    try:
        for attention in attentions:
            attention.fused_attn = False
        pixels = model.transform(picture)[None].requires_grad_()
        logits = model.module(pixels)
    finally:
        for attention, was, hook in zip(attentions, fused, hooks, strict=True):
            attention.fused_attn = was
            hook.remove()
    return [g[0].numpy() for g in torch.autograd.grad(logits[0, index], maps)]


@pytest.mark.parametrize("name", FAMILIES)
def test_of_pictures_equal_autograd_through_timms_own_attention(name, opened: Opened, picture):
    model = opened(name)
    bare = model.trace(picture)  # first: what a model keeps from it must not be in the way
    trace = model.trace(picture, gradient_of=ClassTarget(2))
    assert bare.logits is not None
    np.testing.assert_allclose(trace.logits, bare.logits, atol=TOLERANCE)
    layers = trace.layers[AttentionKind.ENCODER]
    expected = eager_gradients(model, picture, 2)
    assert len(expected) == len(layers)
    for layer, bare_layer, gradient in zip(
        layers, bare.layers[AttentionKind.ENCODER], expected, strict=True
    ):
        assert layer.gradients is not None
        assert not layer.gradients.flags.writeable
        assert bare_layer.gradients is None
        np.testing.assert_allclose(layer.weights, bare_layer.weights, atol=TOLERANCE)
        np.testing.assert_allclose(layer.gradients, gradient, atol=TOLERANCE)
    assert max(float(np.abs(gradient).max()) for gradient in expected) > 1e-3  # not all zero
    assert all(parameter.grad is None for parameter in model.module.parameters())


def test_of_an_attention_pool(opened: Opened, picture: Image.Image):
    trace = opened("siglip").trace(picture, gradient_of=ClassTarget(1))
    assert trace.pool is not None
    assert trace.pool.gradients is not None
    assert np.abs(trace.pool.gradients).max() > 1e-3


@pytest.mark.parametrize("entry", [(0, 1, 0, 3), (1, 2, 0, 7)])
def test_are_what_a_small_change_of_one_weight_does(entry, opened: Opened, picture):
    layer, head, query, key = entry
    model = opened("vit")
    trace = model.trace(picture, gradient_of=ClassTarget(3))
    gradients = trace.attention(layer).gradients
    assert gradients is not None

    def logit(change: float) -> float:
        weights = trace.attention(layer).weights[head].copy()
        weights[query, key] += change
        given = ReplaceWeights(layer, head, weights)
        logits = model.trace(picture, interventions=(given,)).logits
        assert logits is not None
        return float(logits[3])

    step = 1e-2
    slope = (logit(step) - logit(-step)) / (2 * step)
    assert abs(slope) > 1e-3
    assert gradients[head, query, key] == pytest.approx(slope, rel=2e-2, abs=1e-4)


def test_after_a_class_token_is_read_only_its_row_matters(opened: Opened, picture):
    gradients = opened("vit").trace(picture, gradient_of=ClassTarget(0)).attention(1).gradients
    assert gradients is not None
    assert np.all(gradients[:, 1:] == 0)
    assert np.all(np.abs(gradients[:, 0]).max(axis=-1) > 0)


def test_of_a_contrast_are_the_difference(opened: Opened, picture: Image.Image):
    model = opened("vit")
    one, other, both = (
        model.trace(picture, gradient_of=target).attention(0).gradients
        for target in (ClassTarget(1), ClassTarget(4), ClassContrast(1, 4))
    )
    assert one is not None
    assert other is not None
    np.testing.assert_allclose(both, one - other, atol=TOLERANCE)


def test_threads_that_share_a_model_never_mix(opened: Opened, picture: Image.Image):
    model = opened("vit")
    expected = {
        index: model.trace(picture, gradient_of=ClassTarget(index)).attention(0).gradients
        for index in range(4)
    }
    wrong: list[int] = []

    def many(index: int) -> None:
        for _ in range(10):
            found = model.trace(picture, gradient_of=ClassTarget(index)).attention(0).gradients
            if not np.array_equal(found, expected[index]):
                wrong.append(index)

    threads = [threading.Thread(target=many, args=(index,)) for index in expected]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize("family", ["bert", "deberta", "llama", "t5"])
def test_of_texts_equal_autograd_through_eager_attention(family: str, tiny_checkpoint):
    folder: Path = tiny_checkpoint(family)
    model = core.load(folder)
    given = {"target": TARGET} if family in TRANSLATORS else {}
    trace = model.trace(TEXT, gradient_of=LogitTarget(2, 7), **given)
    eager: Any = type(tiny_model(family)).from_pretrained(folder, attn_implementation="eager")
    eager.eval()  # its parameters ask for gradients, so its maps do
    output = eager(**model.tensors([model.prepare(TEXT, **given)]), output_attentions=True)
    logits = output.get("logits", output.get("prediction_logits"))
    for kind, layers in trace.layers.items():
        maps = output[f"{kind}_attentions"] if family in TRANSLATORS else output.attentions
        if kind == AttentionKind.CROSS and family in TRANSLATORS:
            maps = output.cross_attentions
        found = torch.autograd.grad(logits[0, 2, 7], maps, retain_graph=True)
        for layer, expected in zip(layers, found, strict=True):
            np.testing.assert_allclose(layer.gradients, expected[0], atol=TOLERANCE)


class TestNonsenseIsRefused:
    def test_a_class_that_is_not_there(self, opened: Opened, picture: Image.Image):
        with pytest.raises(InputError, match=r"no class 5: classes count from 0 to 4"):
            opened("vit").trace(picture, gradient_of=ClassTarget(5))
        with pytest.raises(InputError, match="no class -1"):
            opened("vit").trace(picture, gradient_of=ClassContrast(1, -1))

    def test_a_token_of_a_picture_and_a_class_of_a_text(self, opened, picture, tiny_checkpoint):
        with pytest.raises(InputError, match="give a ClassTarget"):
            opened("vit").trace(picture, gradient_of=LogitTarget(0, 0))
        text = core.load(tiny_checkpoint("bert"))
        with pytest.raises(InputError, match="give a LogitTarget"):
            text.trace(TEXT, gradient_of=ClassTarget(0))
        with pytest.raises(InputError, match="no logit of token 0 at position 99"):
            text.trace(TEXT, gradient_of=LogitTarget(99, 0))

    def test_a_model_without_a_head(self, tmp_path, picture: Image.Image):
        model = core.load(save_picture_model("vit", tmp_path, n_classes=0))
        with pytest.raises(InputError, match="no head"):
            model.trace(picture, gradient_of=ClassTarget(0))
