"""Every evidence method on every family of ViT, against its own definition on the raw model."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import core
from core import ClassTarget, InputError
from core.engine import EmbeddedEngine, Request
from core.explain import attention_rollout, gradient_rollout, relevance
from core.explain.attribution.registry import CAMS, EVERY, EVIDENCE
from core.long_work import WithdrawnError, looking_up
from core.models.vision.classifier import VisionModel
from core.outputs import families
from core.trace import AttentionKind, Trace
from tests.tiny_pictures import save_picture_model

CLASS = ClassTarget(2)
OTHER = ClassTarget(4)
PREFIX = {"gap": 0, "siglip": 0, "vit": 1, "wide": 1, "beit": 1, "distilled": 2, "registers": 5}
ATTENTION = [method.id for method in EVIDENCE if method.needs_attention]
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


def pixels_of(model: VisionModel, picture: Image.Image) -> torch.Tensor:
    return model.transform(picture)[None]


def patches(model: VisionModel, row: np.ndarray) -> np.ndarray:
    """A row over all tokens, cut to the grid."""
    grid = model.seen(Image.new("RGB", (50, 50))).grid
    return row[grid.prefix_tokens :].reshape(grid.rows, grid.columns)


class TestAllMethods:
    @pytest.mark.parametrize("name", PREFIX)
    @pytest.mark.parametrize("method", EVERY, ids=lambda method: method.id)
    def test_one_number_a_patch_signed_where_it_says_so(self, name, method, opened, picture):
        model = opened(name)
        grid = model.seen(picture).grid
        found = model.evidence(picture, method.id, CLASS)
        assert grid.prefix_tokens == PREFIX[name]
        assert found.shape == (grid.rows, grid.columns)
        assert found.dtype == np.float32
        assert np.all(np.isfinite(found))
        assert not found.flags.writeable
        assert method.signed or np.all(found >= 0)
        other = model.evidence(picture, method.id, OTHER)
        assert np.array_equal(found, other) is not method.class_specific
        if method.id == "lrp":  # of one class alone: test_relevance_propagation
            return
        contrast = model.evidence(picture, method.id, CLASS, OTHER)
        assert np.array_equal(found, contrast) is not method.class_specific

    @pytest.mark.parametrize("name", ["swin", "xcit", "poolformer"])
    def test_models_without_maps_over_one_grid(self, name, opened: Opened, picture: Image.Image):
        for method in ATTENTION:
            with pytest.raises(InputError, match=r"windows|channels|no attention map"):
                opened(name).evidence(picture, method, CLASS)

    @pytest.mark.parametrize("method", ["gradcam", "integrated-gradients", "occlusion", "random"])
    def test_swin_answers_where_no_map_is_needed(self, method, opened: Opened, picture):
        found = opened("swin").evidence(picture, method, CLASS)
        assert found.shape == (16, 16)
        assert np.ptp(found) > 0

    def test_swins_gradcam_repeats_its_last_grid(self, opened: Opened, picture: Image.Image):
        found = opened("swin").evidence(picture, "gradcam", CLASS)
        np.testing.assert_array_equal(found, np.kron(found[::2, ::2], np.ones((2, 2))))

    def test_nonsense_is_refused(self, opened: Opened, picture: Image.Image, tmp_path):
        model = opened("vit")
        with pytest.raises(InputError, match=r"no evidence method “magic”: choose one of random,"):
            model.evidence(picture, "magic", CLASS)
        for method in EVIDENCE:  # the class-agnostic ones, too
            with pytest.raises(InputError, match="no class 5"):
                model.evidence(picture, method.id, ClassTarget(5))
            with pytest.raises(InputError, match="no class -1"):
                model.evidence(picture, method.id, CLASS, ClassTarget(-1))
        headless = core.load(save_picture_model("vit", tmp_path, n_classes=0))
        assert isinstance(headless, VisionModel)
        with pytest.raises(InputError, match="knows no classes"):
            headless.evidence(picture, "relevance", CLASS)

    def test_the_engine_answers_by_value(self, opened: Opened, picture: Image.Image):
        engine = EmbeddedEngine(loader=lambda *_, **__: opened("vit"))
        question = families.VisionModel.evidence
        asked = Request.of(question, "vit", _Named(picture), "relevance", CLASS, OTHER)
        found = engine.submit(asked).result(timeout=60)
        expected = opened("vit").evidence(picture, "relevance", CLASS, OTHER)
        np.testing.assert_array_equal(found, expected)


class TestKnowingNothing:
    def test_random_is_the_pictures_own_seed(self, opened: Opened, picture: Image.Image):
        model = opened("vit")
        once = model.evidence(picture, "random", CLASS)
        np.testing.assert_array_equal(model.evidence(picture, "random", CLASS), once)
        upside_down = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        assert not np.array_equal(model.evidence(upside_down, "random", CLASS), once)
        assert once.size == len(np.unique(once))

    def test_uniform_shares_one(self, opened: Opened, picture: Image.Image):
        found = opened("wide").evidence(picture, "uniform", CLASS)
        np.testing.assert_allclose(found, 1 / 10)


class TestMethodsThatFollowAttention:
    """Read out at [CLS], at both of DeiT's tokens, at the mean of patches, through a pool."""

    @pytest.mark.parametrize(
        ("name", "rows"), [("vit", [0]), ("distilled", [0, 1]), ("registers", [0])]
    )
    def test_answers_of_tokens(self, name: str, rows: list[int], opened: Opened, picture):
        model = opened(name)
        trace = model.trace(picture, gradient_of=CLASS)
        expected = {
            "raw-attention": trace.attention(1).weights.mean(axis=0),
            "rollout": attention_rollout(trace),
            "gradient-rollout": gradient_rollout(trace),
            "relevance": relevance(trace),
        }
        for method, whole in expected.items():
            found = model.evidence(picture, method, CLASS)
            by_hand = patches(model, whole[rows].mean(axis=0))
            np.testing.assert_allclose(found, by_hand, atol=1e-6, err_msg=method)

    @pytest.mark.parametrize(("name", "prefix"), [("gap", 0), ("register-gap", 1)])
    def test_answers_of_averaged_patches(self, name: str, prefix: int, opened: Opened, picture):
        model = opened(name)
        trace = model.trace(picture, gradient_of=CLASS)
        found = model.evidence(picture, "relevance", CLASS)
        gained = relevance(trace) - np.eye(16 + prefix)
        np.testing.assert_allclose(found, patches(model, gained[prefix:].mean(axis=0)), atol=1e-6)
        rollout = model.evidence(picture, "rollout", CLASS)
        by_hand = attention_rollout(trace)[prefix:].mean(axis=0)
        np.testing.assert_allclose(rollout, patches(model, by_hand), atol=1e-6)

    def test_an_attention_pool_reads_on(self, opened: Opened, picture: Image.Image):
        model = opened("siglip")
        trace = model.trace(picture, gradient_of=CLASS)
        assert trace.pool is not None
        assert trace.pool.gradients is not None
        pool = trace.pool.weights.mean(axis=0)  # (latent, patch)
        positive = np.maximum(trace.pool.weights * trace.pool.gradients, 0).mean(axis=0)
        expected = {
            "raw-attention": pool,
            "rollout": pool @ attention_rollout(trace),
            "gradient-rollout": positive @ gradient_rollout(trace),
            "relevance": positive @ relevance(trace),
        }
        for method, row in expected.items():
            found = model.evidence(picture, method, CLASS)
            np.testing.assert_allclose(found, patches(model, row[0]), rtol=1e-4, err_msg=method)

    @pytest.mark.parametrize("method", ["relevance", "gradient-rollout"])
    def test_reversed_gradients_are_caught(self, method: str, opened: Opened, picture):
        """The most copied code pairs the first map with the last gradient: another map."""
        model = opened("vit")
        trace = model.trace(picture, gradient_of=CLASS)
        rule = {"relevance": relevance, "gradient-rollout": gradient_rollout}[method]
        found = model.evidence(picture, method, CLASS)
        wrong = patches(model, rule(backwards(trace))[0])
        assert np.abs(found - wrong).max() > 0.1 * found.max()
        np.testing.assert_allclose(found, patches(model, rule(trace)[0]), atol=1e-6)


class TestCams:
    """Of a ViT, a GAP and one with registers, against captum and against each other."""

    @pytest.mark.parametrize(("name", "prefix"), [("vit", 1), ("gap", 0), ("registers", 5)])
    def test_hirescam_is_captums_gradient_times_activation(self, name, prefix, opened, picture):
        from captum.attr import LayerGradientXActivation

        model = opened(name)
        layer: Any = model.module.blocks[-1].norm1
        pixels = pixels_of(model, picture).requires_grad_()
        product: Any = LayerGradientXActivation(model.module, layer).attribute(pixels, CLASS.index)
        expected = np.maximum(product[0, prefix:].sum(-1).detach().numpy(), 0).reshape(4, 4)
        assert expected.max() > 0
        found = model.evidence(picture, "hirescam", CLASS)
        np.testing.assert_allclose(found, expected, atol=1e-5)

    def test_before_an_attention_no_two_coincide(self, opened: Opened, picture):
        maps = [opened("vit").evidence(picture, method.id, CLASS) for method in CAMS]
        for number, one in enumerate(maps):
            for other in maps[:number]:
                assert not np.allclose(one, other, rtol=1e-3)


class TestGradcam:
    @pytest.mark.parametrize(("name", "prefix"), [("vit", 1), ("gap", 0), ("registers", 5)])
    def test_is_the_formula_on_the_last_blocks_norm1(self, name, prefix, opened, picture):
        model = opened(name)
        kept: list[torch.Tensor] = []

        def keep(_: Any, __: Any, made: torch.Tensor) -> torch.Tensor:
            kept.append(made.requires_grad_())
            return made

        blocks: Any = model.module.blocks
        hook = blocks[-1].norm1.register_forward_hook(keep)
        try:
            logits = model.module(pixels_of(model, picture))
        finally:
            hook.remove()
        (slopes,) = torch.autograd.grad(logits[0, CLASS.index], kept)
        features = kept[0].detach()[0, prefix:].numpy()
        weights = slopes[0, prefix:].mean(0).numpy()
        expected = np.maximum(features @ weights, 0).reshape(4, 4)
        assert expected.max() > 0
        found = model.evidence(picture, "gradcam", CLASS)
        np.testing.assert_allclose(found, expected, atol=1e-6)


class TestLegrad:
    @pytest.mark.parametrize(("name", "prefix"), [("vit", 1), ("gap", 0), ("distilled", 2)])
    def test_is_each_layers_own_answer_by_its_own_map(self, name, prefix, opened, picture):
        """timm's own eager attention, the blocks run one by one."""
        model = opened(name)
        module: Any = model.module
        tokens = module.norm_pre(
            module.patch_drop(module._pos_embed(module.patch_embed(pixels_of(model, picture))))
        )
        layers: list[np.ndarray] = []
        for block in module.blocks:
            maps: list[torch.Tensor] = []
            hook = block.attn.attn_drop.register_forward_hook(
                lambda _, __, made, maps=maps: maps.append(made)
            )
            block.attn.fused_attn = False
            try:
                tokens = block(tokens.detach().requires_grad_())
            finally:
                block.attn.fused_attn = True
                hook.remove()
            score = module.forward_head(module.norm(tokens))[0, CLASS.index]
            (gradient,) = torch.autograd.grad(score, maps)
            layers.append(np.maximum(gradient[0].numpy(), 0).mean(axis=(0, 1)))
        expected = np.mean(layers, axis=0)[prefix:].reshape(4, 4)
        found = model.evidence(picture, "legrad", CLASS)
        np.testing.assert_allclose(found, expected, atol=1e-6)


class TestIntegratedGradients:
    @pytest.mark.parametrize("name", ["vit", "gap", "siglip", "swin", "wide"])
    def test_sum_to_the_logits_change(self, name: str, opened: Opened, picture: Image.Image):
        """Completeness: from the mean colour, zero after normalisation, to the picture."""
        model = opened(name)
        pixels = pixels_of(model, picture)
        with torch.no_grad():
            change = (model.module(pixels) - model.module(torch.zeros_like(pixels)))[0].numpy()
        found = model.evidence(picture, "integrated-gradients", CLASS)
        assert found.sum() == pytest.approx(change[2], abs=0.02 * float(np.abs(change).max()))
        contrast = model.evidence(picture, "integrated-gradients", CLASS, OTHER)
        whole = pytest.approx(change[2] - change[4], abs=0.02 * float(np.abs(change).max()))
        assert contrast.sum() == whole


class TestOcclusion:
    @pytest.mark.parametrize("name", ["vit", "wide", "swin"])
    def test_is_what_the_probability_loses(self, name: str, opened: Opened, picture):
        model = opened(name)
        grid = model.seen(picture).grid
        pixels = pixels_of(model, picture)
        hidden = pixels.clone()
        patch = grid.columns + 2  # second row, third column
        high, wide = pixels.shape[2] // grid.rows, pixels.shape[3] // grid.columns
        hidden[..., high : 2 * high, 2 * wide : 3 * wide] = 0
        with torch.no_grad():
            before, after = (model.module(p)[0].softmax(-1).numpy() for p in (pixels, hidden))
        found = model.evidence(picture, "occlusion", CLASS).ravel()[patch]
        assert found == pytest.approx(before[2] - after[2], abs=1e-6)
        contrast = model.evidence(picture, "occlusion", CLASS, OTHER).ravel()[patch]
        lost = (before[2] - before[4]) - (after[2] - after[4])
        assert contrast == pytest.approx(lost, abs=1e-6)


class _Named(Image.Image):
    """A picture as a value, as the app hands it in."""

    __hash__ = object.__hash__

    def __init__(self, image: Image.Image) -> None:
        super().__init__()
        self._image = image

    def convert(self, *args: Any, **_: Any) -> Image.Image:
        return self._image.convert(*args)


def backwards(trace: Trace) -> Trace:
    layers = trace.layers[AttentionKind.ENCODER]
    turned = [layer.gradients for layer in reversed(layers)]
    mixed = tuple(replace(one, gradients=g) for one, g in zip(layers, turned, strict=True))
    return replace(trace, layers={AttentionKind.ENCODER: mixed})


def test_every_method_is_listed_once_and_random_comes_first():
    names = [method.id for method in EVIDENCE]
    assert len(names) == len(set(names)) == 11
    assert names[:2] == ["random", "uniform"]


@pytest.mark.parametrize("method", ["integrated-gradients", "occlusion"])
def test_a_long_method_ends_when_nobody_waits_for_it(method, opened, picture):
    def end() -> None:
        raise WithdrawnError

    with looking_up(end), pytest.raises(WithdrawnError):
        opened("vit").evidence(picture, method, CLASS)
