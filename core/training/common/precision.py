"""bf16 where the processor multiplies with it, fp32 elsewhere.

A processor with AVX2 alone imitates bf16: one step of gpt-mini took 64 s instead of 2
(torch 2.14, two cores).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


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


class _StayFloat32(TorchDispatchMode):
    """Every operator that is asked for bf16 gives fp32.

    Below torch's many spellings of a cast (they differ from release to release) there is one
    operator, `aten._to_copy`; like those that make tensors it takes the dtype as a keyword. It
    still gives a copy, which the caller may write into.
    """

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        asked = kwargs or {}
        if asked.get("dtype") is torch.bfloat16:
            asked = {**asked, "dtype": torch.float32}
        return func(*args, **asked)
