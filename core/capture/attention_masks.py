"""Attention masks as what is added to the scores: 0 where looking is allowed, else -inf."""

import torch
from torch import Tensor


class AdditiveMasks:
    """The masks of one forward pass: one tensor for all the layers that share a mask."""

    def __init__(self) -> None:
        self._seen: dict[object, tuple[Tensor | None, Tensor]] = {}

    def of(self, mask: Tensor | None, is_causal: bool, query: Tensor, key: Tensor) -> Tensor | None:
        """(batch or 1, head or 1, query, key); None where every query sees every key."""
        if mask is None and not is_causal:
            return None
        shape = (query.shape[2], key.shape[2])
        identity = (is_causal, shape) if mask is None else id(mask)
        if identity not in self._seen:
            if mask is None:
                mask_or_triangle = torch.ones(shape, dtype=torch.bool, device=query.device).tril()
            else:
                mask_or_triangle = mask
            additive = _additive(mask_or_triangle)
            additive = additive[(None,) * (4 - additive.ndim)]
            self._seen[identity] = (mask, additive)  # the mask is kept: its id stays its own
        return self._seen[identity][1]


def _additive(mask: Tensor) -> Tensor:
    if mask.dtype != torch.bool:
        return mask
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -torch.inf)
