"""What a norm or a head does to one vector, as the steps of `core.explain.frozen_path`.

The module itself runs on the vector. Its matrices and LayerNorms are seen as they are called; what
else happens to each number is a gate: that of an activation, or of an RMSNorm.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional
from typing_extensions import override

from core.capture.module_mode import Function, ModuleMode
from core.explain.attribution.frozen_path import Dense, FrozenGate, FrozenMap, FrozenNorm

ROOTS: Final = frozenset((torch.rsqrt, Tensor.rsqrt))  # of an RMSNorm that is written out
STEPS: Final = frozenset((functional.linear, functional.layer_norm, functional.rms_norm, *ROOTS))


class StepRecorder(ModuleMode):
    """Around a module that runs on one vector."""

    watched: ClassVar[frozenset[Function] | None] = STEPS

    def __init__(self, paths: Mapping[int, str], given: Float[Tensor, "1 1 width"]) -> None:
        super().__init__(paths)
        self._last = given  # what the last step made
        self._scale: float | None = None  # of an RMSNorm since
        self._steps: list[FrozenMap] = []

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        made = function(*args, **kwargs)
        if function in ROOTS:
            self._scale = 1 / float(made)
            return made
        self._gate(args[0])
        if function is functional.rms_norm:
            eps = kwargs.get("eps", args[3] if len(args) > 3 else None)
            least = torch.finfo(args[0].dtype).eps if eps is None else eps
            self._scale = float((args[0].square().mean() + least).sqrt())
            return made
        step = _dense if function is functional.linear else _layer_norm
        self._steps.append(step(*args, **kwargs))
        self._last = made
        return made

    def steps(self, made: Float[Tensor, "1 1 out"]) -> tuple[FrozenMap, ...]:
        """All of them; `made`: what the module gave."""
        self._gate(made)
        return tuple(self._steps)

    def _gate(self, now: Tensor) -> None:
        """What became of each number since the last step."""
        if now.shape != self._last.shape or torch.equal(now, self._last):
            return
        gate = _array(torch.where(self._last == 0, 0, now / self._last))
        if self._scale is None:
            self._steps.append(FrozenGate(gate))
        else:
            gain, nothing = gate * self._scale, np.zeros_like(gate)
            self._steps.append(FrozenNorm(gain, nothing, self._scale, centred=False))
        self._last, self._scale = now, None


def _dense(_: Tensor, weight: Tensor, bias: Tensor | None = None) -> Dense:
    return Dense(_array(weight).T, _or(bias, np.zeros(len(weight), dtype=np.float32)))


def _layer_norm(
    x: Tensor,
    _: object,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> FrozenNorm:
    width = x.shape[-1]
    return FrozenNorm(
        _or(weight, np.ones(width, dtype=np.float32)),
        _or(bias, np.zeros(width, dtype=np.float32)),
        float((x.double().var(unbiased=False) + eps).sqrt()),
        centred=True,
    )


def _or(given: Tensor | None, otherwise: np.ndarray) -> np.ndarray:
    return otherwise if given is None else _array(given).ravel()


def _array(tensor: Tensor) -> np.ndarray:
    found = tensor.detach().float().cpu().numpy()
    return found.ravel() if found.ndim == 3 else found
