"""bf16 where the processor multiplies with it, fp32 elsewhere.

A processor with AVX2 alone imitates bf16: one step of gpt-mini took 64 s instead of 2
(torch 2.14, two cores).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode


def has_bf16(device: str) -> bool:
    """Whether `device` ("cpu" or "cuda") is faster with bf16; of processors, those with AVX512."""
    return device == "cuda" or "AVX512" in torch.backends.cpu.get_cpu_capability()


def precision(device: str) -> str:
    """For the card."""
    return "bf16 autocast" if has_bf16(device) else "fp32"


def autocast(device: str) -> torch.autocast:
    """Matrix products in bf16 within, where that is faster."""
    return torch.autocast(device, dtype=torch.bfloat16, enabled=has_bf16(device))


def optimiser_precision(device: str) -> "_StayFloat32 | nullcontext[None]":
    """Around an optimiser's step: torch's Muon turns to bf16 by itself."""
    return nullcontext() if has_bf16(device) else _StayFloat32()


class _StayFloat32(TorchFunctionMode):
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if func is Tensor.bfloat16:
            return args[0].clone()  # what a conversion gives: the caller may write into it
        return func(*args, **(kwargs or {}))
