"""Saying which heads show a pattern: one sentence a pattern, for the card."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float32

CLEAR = 0.4  # share from which a head is said to show a pattern
NAMED = 3  # heads named of each pattern, the clearest ones
FLAT = 0.95  # of the highest possible entropy: the head looks everywhere alike


def describe(
    patterns: Mapping[str, Float32[np.ndarray, "layer head"]],
    *,
    done: str = f"give at least {CLEAR} to",
) -> str:
    """How many heads do what is `done` clearly, and the clearest of them, pattern by pattern."""
    sentences: list[str] = []
    for name, weights in patterns.items():
        order = np.argsort(weights, axis=None)[::-1]
        places = [np.unravel_index(index, weights.shape) for index in order[:NAMED]]
        named = ", ".join(
            f"layer {layer} head {head} ({weights[layer, head]:.2f})" for layer, head in places
        )
        clear = int((weights >= CLEAR).sum())
        sentences.append(f"{clear} of {weights.size} heads {done} {name}; most: {named}.")
    return " ".join([*sentences, "Layers and heads count from 0."])


def evenness(
    weights: Float32[np.ndarray, "layer head query key"], allowed: Float32[np.ndarray, " query"]
) -> Float32[np.ndarray, "layer head"]:
    """Mean entropy as a share of the highest, which `allowed` keys a query make possible.

    One where a head looks everywhere alike, zero where it looks at one place. Queries with
    one key are left out.
    """
    asking = allowed > 1
    rows = weights[:, :, asking]
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(rows > 0, rows * np.log(rows), 0).sum(axis=-1)
    return (entropy / np.log(allowed[asking])).mean(axis=-1, dtype=np.float32)


def describe_flat(kinds: Mapping[str, Float32[np.ndarray, "layer head"]]) -> str:
    """How many heads of each kind look everywhere alike; `kinds` holds their evenness."""
    return " ".join(
        f"{int((even >= FLAT).sum())} of {even.size} {kind} heads are flat (their entropy is at "
        f"least {FLAT} of the highest possible; the median head's is {np.median(even):.2f})."
        for kind, even in kinds.items()
    )
