"""bf16 only where it is faster; the optimiser follows."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from core.training.common.device import device_name
from core.training.common.optimisers import Optimisers
from core.training.common.precision import autocast, optimiser_precision, precision

OUTSIDE = torch.zeros((), dtype=torch.bfloat16)


@pytest.fixture(params=["AVX2", "AVX512"])
def capability(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: request.param)
    return request.param


def test_products_are_in_bf16_with_avx512_alone(capability: str) -> None:
    a = torch.ones(2, 2)
    expected = {"AVX2": torch.float32, "AVX512": torch.bfloat16}[capability]
    with autocast("cpu"):
        assert (a @ a).dtype == expected
    with optimiser_precision("cpu"):
        turned = a.bfloat16()
    assert turned.dtype == expected
    turned.zero_()  # as Muon does
    assert a.sum() == 4
    assert a.bfloat16().dtype == torch.bfloat16  # outside, as ever
    assert precision("cpu") in device_name("cpu")
    assert f"{torch.get_num_threads()} of torch's threads" in device_name("cpu")


@pytest.mark.parametrize(
    "cast",
    [
        lambda x: x.bfloat16(),
        lambda x: x.bfloat16(memory_format=torch.contiguous_format),
        lambda x: x.to(torch.bfloat16),
        lambda x: x.to(dtype=torch.bfloat16, copy=True),
        lambda x: x.to("cpu", torch.bfloat16),
        lambda x: x.to(OUTSIDE),
        lambda x: x.type(torch.bfloat16),
        lambda x: x.type("torch.BFloat16Tensor"),
        lambda x: x.type_as(OUTSIDE),
        lambda x: torch.empty_like(x, dtype=torch.bfloat16).copy_(x),
        lambda x: x.new_zeros(x.shape, dtype=torch.bfloat16).add_(x),
    ],
)
def test_the_spelling_of_a_cast_does_not_matter(
    cast: Callable[[Tensor], Tensor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX2")
    x = torch.tensor([1 + 2**-20])
    with optimiser_precision("cpu"):
        turned = cast(x)
    assert turned.dtype == torch.float32
    assert turned.item() == 1 + 2**-20  # never rounded
    turned.zero_()  # as Muon does
    assert x.item() == 1 + 2**-20
    assert cast(x).dtype == torch.bfloat16


def test_muon_makes_nearly_the_same_step_in_either(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[torch.Tensor] = []
    for capability in ("AVX2", "AVX512"):
        monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda c=capability: c)
        torch.manual_seed(0)
        matrix, bias = nn.Parameter(torch.zeros(8, 24)), nn.Parameter(torch.zeros(3))
        both = Optimisers([matrix], [bias], betas=(0.9, 0.95), eps=1e-8, weight_decay=0.0)
        matrix.grad, bias.grad = torch.randn(8, 24), torch.ones(3)
        both.step(learning_rate=0.1, clip=1e9)
        steps.append(matrix.detach().clone())
    exact, rounded = steps
    assert not torch.equal(exact, rounded)
    torch.testing.assert_close(exact, rounded, rtol=0, atol=0.05 * float(exact.abs().max()))
