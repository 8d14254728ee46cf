"""Catches every sublayer's output and norm in one forward pass, when asked.

It asks for the calling module at every call (8 to 15 µs each), so plain traces go without it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from torch import Tensor, nn
from typing_extensions import override

from core.capture.attention_call import read_row
from core.capture.module_mode import Function, ModuleMode
from core.errors import InputError
from core.trace import AttentionKind
from core.trace.residual_stream import Block, Part, Sublayer

Role = Part | Literal["norm"]
LAYER = re.compile(r"^(.*?\b(?:layers|layer|block|h)\.\d+)\.(.+)$")
LAST_MATRICES = {  # the module whose result joins the residual stream, by its path in a layer
    Part.CROSS: ("encoder_attn.out_proj", "EncDecAttention.o"),
    Part.ATTENTION: (
        *("self_attn.out_proj", "self_attn.o_proj", "SelfAttention.o", "attention.output.dense"),
        *("attention.out_lin", "attn.c_proj"),
    ),
    Part.MLP: (
        "fc2",
        "DenseReluDense.wo",
        "output.dense",
        "ffn.lin2",
        "mlp.c_proj",
        "mlp.down_proj",
    ),
}


@dataclass
class _Event:
    """A module that ran: what its first operation was given, what its last one gave."""

    path: str
    role: Role
    given: Tensor
    result: Tensor


class SublayerRecorder(ModuleMode):
    """Records the modules of every layer that write to the residual stream or norm it."""

    def __init__(self, module: nn.Module, paths: Mapping[int, str]) -> None:
        super().__init__(paths)
        self._roles: dict[str, Role] = {
            name: role
            for name, one in module.named_modules()
            if (role := _role(name, one)) is not None
        }
        self._events: list[_Event] = []

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        result = function(*args, **kwargs)
        if not isinstance(result, Tensor) or not args or not isinstance(args[0], Tensor):
            return result
        path, _ = self.caller()
        if path in self._roles:
            last = self._events[-1] if self._events else None
            if last is None or last.path != path:
                self._events.append(_Event(path, self._roles[path], args[0], result))
            else:
                last.result = result
        return result

    def blocks(
        self,
        kind_of: Callable[[str], AttentionKind],
        states: Mapping[AttentionKind, Sequence[np.ndarray]],
        row: int,
    ) -> dict[AttentionKind, tuple[Block, ...]]:
        """The blocks of one row of the batch, by stack.

        Raises InputError for a family whose layers are not known.
        """
        layers: dict[str, list[_Event]] = {}
        for event in self._events:
            found = LAYER.match(event.path)
            layers.setdefault(found.group(1) if found else event.path, []).append(event)
        blocks: dict[AttentionKind, list[Block]] = {stack: [] for stack in states}
        for path, events in layers.items():
            stack = kind_of(f"{path}.")
            stack = AttentionKind.DECODER if stack == AttentionKind.CROSS else stack
            index = len(blocks[stack])
            blocks[stack].append(_block(index, events, states[stack][index], row))
        if any(len(blocks[stack]) != len(states[stack]) - 1 for stack in states):
            counts = ", ".join(f"{len(found)} in the {stack}" for stack, found in blocks.items())
            raise InputError(
                f"This model's sublayers can't be told apart ({counts} found). Its attention "
                "maps and hidden states can be shown all the same."
            )
        return {stack: tuple(found) for stack, found in blocks.items()}


def part_of(path: str) -> Part | None:
    """The sublayer that ends in a module."""
    found = LAYER.match(path)
    if found is None:
        return None
    for part, names in LAST_MATRICES.items():
        if any(found.group(2) == name or found.group(2).endswith(f".{name}") for name in names):
            return part
    return None


def norms_of_layers(module: nn.Module) -> dict[str, list[nn.Module]]:
    """The norms of every layer, by its path, in the order in which they are declared."""
    found: dict[str, list[nn.Module]] = {}
    for path, one in module.named_modules():
        layer = LAYER.match(path)
        if layer is not None and _role(path, one) == "norm":
            found.setdefault(layer.group(1), []).append(one)
    return found


def _role(path: str, module: nn.Module) -> Role | None:
    """The sublayer that ends in a module, or a layer's norm, or nothing of interest."""
    part = part_of(path)
    if part is not None or LAYER.match(path) is None:
        return part
    return "norm" if "Norm" in type(module).__name__ else None


def _block(index: int, events: Sequence[_Event], state: np.ndarray, row: int) -> Block:
    """Norms and sublayers alternate: a norm first is pre-LN, else post-LN."""
    norms = [event for event in events if event.role == "norm"]
    ends = [(event, event.role) for event in events if isinstance(event.role, Part)]
    if len(norms) != len(ends) or not events:
        raise InputError(
            f"A layer has {len(ends)} sublayers and {len(norms)} norms, which is neither post-LN "
            "nor pre-LN. This model's sublayers can't be shown."
        )
    pre_norm = events[0].role == "norm"
    received = state
    sublayers: list[Sublayer] = []
    for norm, (end, part) in zip(norms, ends, strict=True):
        if pre_norm:
            received = _positions(norm.given, row, len(state))
        output, normed = (_positions(made.result, row, len(state)) for made in (end, norm))
        one = Sublayer(part, pre_norm, received, output, normed)
        received = one.passed_on
        sublayers.append(one)
    return Block(index, tuple(sublayers))


def _positions(made: Tensor, row: int, count: int) -> np.ndarray:
    """(position, d_model) of one row; OPT's MLP has the rows of a batch one after the other."""
    return read_row(made if made.ndim == 3 else made.unflatten(0, (-1, count)), row)
