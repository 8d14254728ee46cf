"""Activations: torch's values, torch's derivatives, and the known errors of the cheap GELUs."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.blocks.activations import (
    activations,
    gelu,
    gelu_sigmoid,
    gelu_tanh,
    normal_cdf,
    relu_slope,
    sigmoid,
)

X = np.linspace(-8, 8, 1601)
TORCHS: dict[str, Callable] = {
    "relu": functional.relu,
    "gelu": functional.gelu,
    "gelu-tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "gelu-sigmoid": lambda x: x * torch.sigmoid(1.702 * x),
    "elu": lambda x: functional.elu(x, alpha=1.5),
    "swish": lambda x: x * torch.sigmoid(0.7 * x),
}


@pytest.mark.parametrize("name", TORCHS)
def test_values_and_slopes_are_torchs(name: str):
    function = activations(alpha=1.5, beta=0.7)[name]
    x = torch.tensor(X, requires_grad=True)
    value = TORCHS[name](x)
    value.sum().backward()
    np.testing.assert_allclose(function.value(X), value.detach(), atol=1e-12)
    assert x.grad is not None
    smooth = X != 0  # where ReLU and ELU (α ≠ 1) have a corner, conventions differ
    np.testing.assert_allclose(function.slope(X)[smooth], x.grad[smooth], atol=1e-12)


def test_every_function_is_compared():
    assert activations().keys() == TORCHS.keys()


def test_by_hand():
    one = np.array([1.0, -1.0, 0.0])
    np.testing.assert_allclose(normal_cdf(one), [0.8413447, 0.1586553, 0.5], atol=1e-7)
    np.testing.assert_allclose(gelu(one), [0.8413447, -0.1586553, 0], atol=1e-7)
    assert relu_slope(one).tolist() == [1, 0, 0]


def test_the_errors_of_the_cheap_forms():
    """At most 4.8e-4 for tanh and 0.021 for the sigmoid, which is also the larger one."""
    tanh, sigmoidal = (np.abs(form(X) - gelu(X)).max() for form in (gelu_tanh, gelu_sigmoid))
    assert tanh == pytest.approx(4.73e-4, rel=0.01)
    assert sigmoidal == pytest.approx(0.0203, rel=0.01)


def test_the_sigmoid_does_not_overflow():
    assert sigmoid(np.array([-1000.0, 0.0, 1000.0])).tolist() == [0, 0.5, 1]
