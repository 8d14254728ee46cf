"""Gated blocks against torch, and the derivatives of the gate's surface."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.blocks.gated_ffn import (
    GATES,
    equal_width,
    gate_surface,
    gated_steps,
    random_block,
)

TORCHS = {
    "swiglu": functional.silu,
    "geglu": functional.gelu,
    "reglu": functional.relu,
    "glu": torch.sigmoid,
}


@pytest.mark.parametrize("kind", GATES)
def test_the_block_is_shazeers(kind: str):
    block = random_block(6, 10, seed=3)
    x = np.random.default_rng(0).normal(size=6)
    w, v, w2, row = (torch.tensor(m) for m in (block.gate, block.up, block.down, x))
    expected = (TORCHS[kind](row @ w) * (row @ v)) @ w2
    steps = gated_steps(x, block, kind)
    np.testing.assert_allclose(steps.output, expected, atol=1e-12)
    np.testing.assert_allclose(steps.hidden, steps.gate * steps.value)


@pytest.mark.parametrize("kind", GATES)
def test_the_surface_and_its_derivatives(kind: str):
    a, b = np.linspace(-3, 3.1, 14), np.linspace(-2, 2, 9)
    surface, by_gate, by_value = gate_surface(a, b, kind)
    gate = torch.tensor(a, requires_grad=True)
    value = torch.tensor(b, requires_grad=True)
    made = TORCHS[kind](gate)[:, None] * value[None]
    np.testing.assert_allclose(surface, made.detach(), atol=1e-12)
    for row, column in ((0, 0), (5, 3), (13, 8)):
        gate.grad = value.grad = None
        made[row, column].backward(retain_graph=True)
        assert by_gate[row, column] == pytest.approx(float(gate.grad[row]), abs=1e-12)
        assert by_value[row, column] == pytest.approx(float(value.grad[column]), abs=1e-12)


def test_swiglu_with_an_even_second_projection_is_swish():
    surface, _, _ = gate_surface(np.array([-1.0, 2.0]), np.array([1.0]), "swiglu")
    np.testing.assert_allclose(surface[:, 0], [-1 / (1 + np.e), 2 / (1 + np.exp(-2))])


def test_two_thirds_keep_the_parameters():
    """2 · d · 3072 = 3 · d · 2048."""
    assert equal_width(3072) == 2048
