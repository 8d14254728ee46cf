"""Norms by hand and against torch; gradients by depth as Xiong et al. found them."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.blocks import pre_post_norm
from core.blocks.norms import (
    deep_norm,
    deep_norm_constants,
    divided_by_root_sigma,
    layer_norm,
    rms_norm,
    vector_size,
)
from core.blocks.pre_post_norm import (
    CLASSES,
    D_FF,
    D_MODEL,
    HEADS,
    LENGTH,
    PLACEMENTS,
    SENTENCES,
    gradient_depth,
)


def test_by_hand():
    """Mean 3, variance 4: (1 − 3)/2 = −1. Divided by √σ = √2, it would be −1.41."""
    x = np.array([1, 5, 1, 5], dtype=np.float32)
    np.testing.assert_allclose(layer_norm(x, epsilon=0.0), [-1, 1, -1, 1])
    np.testing.assert_allclose(rms_norm(x, epsilon=0.0), x / np.sqrt(13), rtol=1e-6)


def test_they_are_torchs():
    x = np.random.default_rng(0).normal(3, 5, (4, 32)).astype(np.float32)
    tensor = torch.as_tensor(x)
    np.testing.assert_allclose(layer_norm(x), functional.layer_norm(tensor, (32,)), atol=1e-5)
    expected = functional.rms_norm(tensor, (32,), eps=1e-5)
    np.testing.assert_allclose(rms_norm(x), expected, atol=1e-5)


def test_a_constant_vector_becomes_zero_and_not_nan():
    assert layer_norm(np.full(8, 7, dtype=np.float32)).tolist() == [0] * 8


def test_layer_norm_forgets_shift_and_size_and_rms_norm_only_size():
    x = np.random.default_rng(1).normal(size=16).astype(np.float32)
    np.testing.assert_allclose(layer_norm(3 * x + 5), layer_norm(x), atol=1e-4)
    np.testing.assert_allclose(rms_norm(3 * x), rms_norm(x), atol=1e-4)
    assert np.abs(rms_norm(x + 5) - rms_norm(x)).max() > 0.5


def test_deep_norm():
    """18 layers: (36)^¼ = 2.449, (144)^−¼ = 0.2887. With α = 1 it is post-norm."""
    constants = deep_norm_constants(18)
    assert (constants.alpha, constants.beta) == pytest.approx((36**0.25, 144**-0.25))
    x, f = np.random.default_rng(2).normal(size=(2, 16)).astype(np.float32)
    np.testing.assert_allclose(deep_norm(x, f, alpha=1.0), layer_norm(x + f))
    far = deep_norm(x, f, alpha=1000.0)
    np.testing.assert_allclose(far, layer_norm(x), atol=1e-2)


def torchs_layer(layer, *, norm_first: bool) -> torch.nn.TransformerEncoderLayer:
    module = torch.nn.TransformerEncoderLayer(
        D_MODEL, HEADS, D_FF, dropout=0, batch_first=True, norm_first=norm_first
    )
    with torch.no_grad():
        module.self_attn.in_proj_weight.copy_(layer.joint.T)
        module.self_attn.out_proj.weight.copy_(layer.output.T)
        module.linear1.weight.copy_(layer.up.T)
        module.linear2.weight.copy_(layer.down.T)
        for bias in (module.linear1.bias, module.linear2.bias):
            bias.zero_()
    return module


@pytest.fixture(scope="module")
def measured():
    return {name: gradient_depth(name, layers=24, seed=0) for name in PLACEMENTS}


class TestGradientsByDepth:
    def test_post_norm_is_steepest_near_the_output(self, measured):
        norms = measured["post"].feed_forward
        assert norms[-6:].mean() > 1.5 * norms[:6].mean()
        assert norms[-1] > 4 * measured["pre"].feed_forward[-1]

    def test_pre_norm_falls_with_depth_as_its_states_grow(self, measured):
        norms, states = measured["pre"].feed_forward, measured["pre"].states
        assert norms[0] > 3 * norms[-1]
        assert states[-1] > 3 * states[0]

    def test_deep_norm_is_even_and_small(self, measured):
        norms = measured["deepnorm"].feed_forward
        assert norms.max() < 1.2 * norms.min()
        assert norms.max() < measured["post"].feed_forward.min()

    def test_a_norm_at_the_end_keeps_the_states_at_one(self, measured):
        for name in ("post", "deepnorm"):
            np.testing.assert_allclose(measured[name].states, 1, atol=1e-3)

    def test_the_same_seed_gives_the_same_numbers(self, measured):
        again = gradient_depth("post", layers=24, seed=0)
        np.testing.assert_array_equal(again.feed_forward, measured["post"].feed_forward)
        other = gradient_depth("post", layers=24, seed=1)
        assert not np.array_equal(other.feed_forward, again.feed_forward)

    @pytest.mark.parametrize("placement", ["post", "pre"])
    def test_the_stack_is_torchs_encoder_layer(self, placement: str):
        """Three layers with the same random numbers in torch's own modules."""
        random = torch.Generator().manual_seed(3)
        layers = [pre_post_norm._layer(random, placement, 3) for _ in range(3)]
        x = torch.randn(SENTENCES, LENGTH, D_MODEL, generator=random)
        targets = torch.randint(CLASSES, (SENTENCES * LENGTH,), generator=random)
        head = torch.randn(D_MODEL, CLASSES, generator=random) * (2 / (D_MODEL + CLASSES)) ** 0.5
        modules = [torchs_layer(layer, norm_first=placement == "pre") for layer in layers]
        for module in modules:
            x = module(x)
        if placement == "pre":
            x = functional.layer_norm(x, (D_MODEL,))
        loss = functional.cross_entropy((x @ head).flatten(0, 1), targets)
        loss.backward()
        measured = gradient_depth(placement, layers=3, seed=3)
        assert measured.loss == pytest.approx(float(loss.detach()), rel=1e-5)
        expected = [float(module.linear2.weight.grad.norm()) for module in modules]
        np.testing.assert_allclose(measured.feed_forward, expected, rtol=1e-4)
        expected = [float(module.self_attn.out_proj.weight.grad.norm()) for module in modules]
        np.testing.assert_allclose(measured.attention, expected, rtol=1e-4)

    def test_an_unknown_placement_is_a_bug(self):
        with pytest.raises(ValueError, match="placement is one of post, pre, sandwich"):
            gradient_depth("middle", layers=1, seed=0)


def test_a_vectors_numbers_by_hand():
    found = vector_size(np.array([1, -7, 3, 3], dtype=np.float32))
    assert (found.mean, found.largest, found.place) == (0, -7, 1)
    assert found.deviation == found.rms == pytest.approx(np.sqrt(17))


def test_the_slip_leaves_a_deviation_of_root_sigma():
    x = np.array([[1, -7, 3, 3]], dtype=np.float32)
    assert divided_by_root_sigma(x).std() == pytest.approx(17**0.25)
    assert layer_norm(x).std() == pytest.approx(1, rel=1e-5)
