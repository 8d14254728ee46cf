"""A mask put on every self-attention of a model that was trained without it: a counterfactual."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from typing_extensions import override

from core.capture.module_mode import Function, ModuleMode
from core.trace import PatchGrid


class AddedMask(ModuleMode):
    """Lets each query look only where `allowed` (query, key) says; cross-attention stays open.

    Enter it before the recorder: it then acts on the call that the recorder makes.
    """

    watched: ClassVar = frozenset((scaled_dot_product_attention,))

    def __init__(self, allowed: Tensor) -> None:
        super().__init__({})
        self._allowed = allowed

    @override
    def on_call(self, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        fits = (args[0].shape[-2], args[1].shape[-2]) == tuple(self._allowed.shape)
        return (self._attend if fits else function)(*args, **kwargs)

    def _attend(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        **options: Any,
    ) -> Tensor:
        allowed = self._allowed.tril() if is_causal else self._allowed
        if attn_mask is None:
            mask = allowed
        elif attn_mask.dtype == torch.bool:
            mask = attn_mask & allowed
        else:
            mask = attn_mask.masked_fill(~allowed, -torch.inf)
        return scaled_dot_product_attention(query, key, value, mask, dropout_p, **options)


def causal(n: int, device: torch.device) -> Tensor:
    """(query, key): a token sees itself and what came before it."""
    return torch.ones(n, n, dtype=torch.bool, device=device).tril()


def windows(grid: PatchGrid, window: int, device: torch.device) -> Tensor:
    """(query, key): a patch sees its own window of `window`² patches; prefix tokens see all."""
    places = torch.arange(grid.n_patches, device=device)
    down, along = places // grid.columns // window, places % grid.columns // window
    own = down * (grid.columns // window + 1) + along
    n = grid.prefix_tokens + len(places)
    allowed = torch.ones(n, n, dtype=torch.bool, device=device)
    allowed[grid.prefix_tokens :, grid.prefix_tokens :] = own[:, None] == own
    return allowed
