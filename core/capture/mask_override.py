"""A mask put on every self-attention of a model that was trained without it: a counterfactual."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from torch.overrides import TorchFunctionMode
from typing_extensions import override

from core.trace import PatchGrid


class AddedMask(TorchFunctionMode):
    """Lets each query look only where `allowed` (query, key) says; cross-attention stays open.

    Enter it before the recorder: it then acts on the call that the recorder makes.
    """

    def __init__(self, allowed: Tensor) -> None:
        super().__init__()
        self._allowed = allowed

    @override
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if func is scaled_dot_product_attention and self._fits(args[0], args[1]):
            return self._attend(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))

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

    def _fits(self, query: Tensor, key: Tensor) -> bool:
        return (query.shape[-2], key.shape[-2]) == tuple(self._allowed.shape)


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
