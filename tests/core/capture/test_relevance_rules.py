"""LRP's rules one by one, worked by hand, against captum, and for what they must conserve."""

from typing import Any

import numpy as np
import pytest
import torch
from captum.attr import LRP
from captum.attr._utils.lrp_rules import Alpha1_Beta0_Rule
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from core.capture.relevance_rules import LinearRule, MeanRule, ProductRule, SameRule, SumRule

SEEDS = st.integers(0, 10_000)


def relevance(made: Any, start: Tensor, *inputs: Tensor) -> list[list[float]]:
    return [each.tolist() for each in torch.autograd.grad(made, inputs, start)]


def tensor(values: Any) -> Tensor:
    return torch.tensor(values, dtype=torch.float32, requires_grad=True)


def drawn(seed: int, *shapes: tuple[int, ...]) -> tuple[list[Tensor], torch.Generator]:
    source = torch.Generator().manual_seed(seed)
    made = [torch.randn(shape, generator=source, dtype=torch.float64) for shape in shapes]
    return [each.requires_grad_() for each in made], source


class TestByHand:
    def test_a_linear_layer_shares_among_what_agrees(self):
        """x = [2, −1, 1]; unit 0: 2·3 = 6, −1·1 and 1·−2 are against it: all to x₀.
        Unit 1: 2·1 = 2, −1·−4 = 4, 1·2 = 2: shares ¼, ½, ¼. Its bias of 100 gets nothing."""
        inputs = tensor([[2, -1, 1]])
        weight = torch.tensor([[3.0, 1, -2], [1, -4, 2]])
        made: Any = LinearRule.apply(inputs, weight, torch.tensor([0.0, 100]))
        np.testing.assert_allclose(made.tolist(), [[3, 108]])
        (found,) = relevance(made, torch.tensor([[1.0, 8]]), inputs)
        np.testing.assert_allclose(found, [[3, 4, 2]])

    def test_a_sum_is_scaled_to_each_parts_size(self):
        """u = [3, 1], v = [1, 1], R = [4, 2]: by 7, u gets [3, 1] and v [1, 1]: 4 and 2 of 6."""
        left, right = tensor([3, 1]), tensor([1, 1])
        found = relevance(SumRule.apply(left, right), torch.tensor([4.0, 2]), left, right)
        np.testing.assert_allclose(found, [[3, 1], [1, 1]], rtol=1e-6)

    def test_parts_that_pull_apart_are_bounded(self):
        """u = [3], v = [−2], R = [1]: by 7, 3 and −2; by 10, 3/5 and 2/5 of what came."""
        left, right = tensor([3]), tensor([-2])
        found = relevance(SumRule.apply(left, right), torch.tensor([1.0]), left, right)
        np.testing.assert_allclose(found, [[0.6], [0.4]], rtol=1e-6)

    def test_a_product_gives_each_operand_half(self):
        """[1, 3] · [[2], [1]] = 5, R = 10: the terms 2 and 3 get 4 and 6, and each operand half."""
        left, right = tensor([[1, 3]]), tensor([[2], [1]])
        row, column = relevance(ProductRule.apply(left, right), torch.tensor([[10.0]]), left, right)
        np.testing.assert_allclose(row, [[2, 3]], rtol=1e-6)
        np.testing.assert_allclose(column, [[2], [3]], rtol=1e-6)

    def test_a_mean_shares_among_what_is_positive(self):
        inputs = tensor([[[1, -5], [3, 2]]])
        keep = False
        made: Any = MeanRule.apply(inputs, 1, keep)
        np.testing.assert_allclose(made.tolist(), [[2, -1.5]])
        (found,) = relevance(made, torch.tensor([[8.0, 1]]), inputs)
        np.testing.assert_allclose(found, [[[2, 0], [6, 1]]])

    def test_norms_and_activations_hand_it_on(self):
        inputs = tensor([1, -2])
        found = relevance(SameRule.apply(inputs, inputs.tanh()), torch.tensor([5.0, 6]), inputs)
        assert found == [[5, 6]]

    def test_what_is_used_twice_gets_both(self):
        """x + 3x: both ways lead to the same two numbers, which get all of R together."""
        inputs = tensor([1, 2])
        three = 3 * torch.eye(2)
        made = SumRule.apply(inputs, LinearRule.apply(inputs, three, None))
        (found,) = relevance(made, torch.tensor([1.0, 1]), inputs)
        np.testing.assert_allclose(found, [1, 1], rtol=1e-6)

    def test_nothing_to_share_gives_zero_and_no_nan(self):
        zero = tensor([0.0])
        assert relevance(SumRule.apply(zero, zero), torch.tensor([1.0]), zero) == [[0]]
        one = tensor([[1.0]])
        made = LinearRule.apply(one, torch.tensor([[0.0]]), None)
        assert relevance(made, torch.tensor([[1.0]]), one) == [[[0]]]


class TestConservation:
    """Equations 3 and 8: what goes in is what comes out."""

    @given(seed=SEEDS)
    def test_linear(self, seed: int):
        (inputs, weight), source = drawn(seed, (3, 6), (4, 6))
        start = torch.randn((3, 4), generator=source, dtype=torch.float64)
        agrees = (inputs[:, None] * weight[None] > 0).any(-1)
        made = LinearRule.apply(inputs, weight.detach(), None)
        (found,) = torch.autograd.grad(made, [inputs], start)  # pyright: ignore[reportArgumentType]
        assert float(found.sum()) == pytest.approx(float(start[agrees].sum()), abs=1e-4)

    @given(seed=SEEDS)
    def test_sum_and_product(self, seed: int):
        (left, right, start), _ = drawn(seed, (4, 4), (4, 4), (4, 4))
        for rule in (SumRule, ProductRule):
            made: Any = rule.apply(left, right)
            parts = torch.autograd.grad(made, [left, right], start.detach())
            total = float(start.detach().sum())
            assert float(sum(part.sum() for part in parts)) == pytest.approx(total, rel=1e-4)
            if rule is SumRule:  # equation 10's bound: no part is more than the whole
                assert all(0 <= float(part.sum()) / total <= 1 + 1e-6 for part in parts)
            else:
                assert float(parts[0].sum()) == pytest.approx(total / 2, rel=1e-4)

    @given(seed=SEEDS)
    def test_forwards_are_the_functions_themselves(self, seed: int):
        (left, right), _ = drawn(seed, (3, 3), (3, 3))
        made: Any = (SumRule.apply(left, right), ProductRule.apply(left, right))
        assert torch.equal(made[0], left + right)
        assert torch.equal(made[1], left @ right)


def test_captums_alpha1_beta0_is_the_same_on_positive_numbers():
    """Without biases and below a ReLU, equation 5 is equation 4, which captum has."""
    torch.manual_seed(1)
    network = nn.Sequential(nn.Linear(5, 7, bias=False), nn.ReLU(), nn.Linear(7, 3, bias=False))
    for layer in (network[0], network[2]):
        layer.rule = Alpha1_Beta0_Rule()  # pyright: ignore[reportArgumentType]
    pixels = torch.rand(1, 5).requires_grad_()
    expected: Any = LRP(network).attribute(pixels, target=1)
    inputs = pixels.detach().clone().requires_grad_()
    hidden: Any = LinearRule.apply(inputs, network[0].weight.detach(), None)
    hidden = SameRule.apply(hidden, hidden.relu())
    logits: Any = LinearRule.apply(hidden, network[2].weight.detach(), None)
    start = torch.zeros(1, 3)
    start[0, 1] = logits[0, 1]  # captum starts with the logit, the paper with 1
    (found,) = torch.autograd.grad(logits, [inputs], start)
    np.testing.assert_allclose(found.numpy(), expected.detach().numpy(), rtol=1e-4)
