"""Which tokens are hidden from the model, and behind what: BERT's 15 % and 80/10/10.

Devlin et al. 2018, https://arxiv.org/abs/1810.04805, section 3.1 and appendix A.1.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int

MASK_SHARE = 0.15  # of the tokens that may be chosen, at least one a sequence
MASKED_SHARE = 0.80  # of the chosen ones: replaced by [MASK]
RANDOM_SHARE = 0.10  # of the chosen ones: replaced by a random token; the rest is kept


@dataclass(frozen=True, slots=True, eq=False)
class Masked:
    """What the model reads, and what it has to find: `targets` at the flat `positions`."""

    input_ids: Int[np.ndarray, "sequence token"]
    positions: Int[np.ndarray, " chosen"]
    targets: Int[np.ndarray, " chosen"]


def choose(
    allowed: Bool[np.ndarray, "sequence token"],
    generator: np.random.Generator,
    *,
    share: float = MASK_SHARE,
) -> Bool[np.ndarray, "sequence token"]:
    """Choose `share` of each sequence's allowed tokens, rounded, at least one."""
    quota = np.maximum(np.round(allowed.sum(axis=1) * share), 1)  # (sequence,)
    order = np.where(allowed, generator.random(allowed.shape), 2.0).argsort(axis=1)
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(allowed.shape[1])[None, :], axis=1)
    return (rank < quota[:, None]) & allowed


def hide(
    ids: Int[np.ndarray, "sequence token"],
    chosen: Bool[np.ndarray, "sequence token"],
    generator: np.random.Generator,
    *,
    mask_id: int,
    random_ids: tuple[int, int],
    always: Bool[np.ndarray, "sequence token"] | None = None,
) -> Masked:
    """Replace the chosen tokens 80/10/10, the `always` ones by [MASK].

    `random_ids` is the range (first, end) of the tokens that may stand in.
    """
    draw = generator.random(ids.shape)
    random_tokens = generator.integers(*random_ids, size=ids.shape)
    hidden = np.where(chosen & (draw < MASKED_SHARE), mask_id, ids)
    replaced = chosen & (draw >= MASKED_SHARE) & (draw < MASKED_SHARE + RANDOM_SHARE)
    hidden = np.where(replaced, random_tokens, hidden)
    if always is not None:
        hidden = np.where(always, mask_id, hidden)
        chosen = chosen | always
    positions = np.flatnonzero(chosen)
    return Masked(hidden, positions, ids.reshape(-1)[positions])
