"""T5's objective: spans of a text become sentinels, and the decoder writes what was there.

Raffel et al. 2020, https://arxiv.org/abs/1910.10683, sections 3.1.4 and 3.3.4, figure 2: 15 % of
the tokens, in spans of 3 on average; each span is one sentinel in the input, and the target is
each sentinel followed by its span, with one last sentinel at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool

from core.errors import InputError
from core.trace import read_only

DENSITY = 0.15  # of the tokens
MEAN_LENGTH = 3.0  # of a span


@dataclass(frozen=True, slots=True, eq=False)
class SpanCorruption:
    """What goes in and what has to come out; sentinels are “<X>”, “<Y>”, … as in figure 2."""

    corrupted: Bool[np.ndarray, " token"]
    inputs: tuple[str, ...]
    targets: tuple[str, ...]

    @property
    def n_spans(self) -> int:
        return sum(is_sentinel(token) for token in self.inputs)


def sentinel(index: int) -> str:
    """<X>, <Y>, <Z>, then <X1>, <Y1>, …; T5's vocabulary calls them <extra_id_0> and so on."""
    return f"<{'XYZ'[index % 3]}{index // 3 or ''}>"


def is_sentinel(token: str) -> bool:
    return token.startswith("<") and token.endswith(">") and token[1:2] in "XYZ"


def corrupt_spans(tokens: Sequence[str], corrupted: Bool[np.ndarray, " token"]) -> SpanCorruption:
    """Replace every run of corrupted tokens by one sentinel."""
    if len(tokens) != len(corrupted):
        raise ValueError(f"{len(corrupted)} marks for {len(tokens)} tokens")
    inputs: list[str] = []
    targets: list[str] = []
    spans = 0
    for index, token in enumerate(tokens):
        if not corrupted[index]:
            inputs.append(token)
            continue
        if index == 0 or not corrupted[index - 1]:
            inputs.append(sentinel(spans))
            targets.append(sentinel(spans))
            spans += 1
        targets.append(token)
    targets.append(sentinel(spans))
    return SpanCorruption(read_only(corrupted), tuple(inputs), tuple(targets))


def draw_spans(
    n_tokens: int, *, density: float = DENSITY, mean_length: float = MEAN_LENGTH, seed: int = 0
) -> Bool[np.ndarray, " token"]:
    """Which tokens are corrupted: whole spans, never two of them side by side.

    As many tokens as the density asks for (at least one, never all), cut at random into spans of
    the mean length. Raises InputError for fewer than two tokens or shares out of range.
    """
    if n_tokens < 2:
        raise InputError(f"Span corruption needs at least two tokens; {n_tokens} came.")
    if not 0 < density < 1 or mean_length < 1:
        raise InputError(
            f"The corrupted share is above 0 and below 1, a span at least 1 token long; {density:g}"
            f" and {mean_length:g} came."
        )
    generator = np.random.default_rng(seed)
    n_noise = min(max(round(n_tokens * density), 1), n_tokens - 1)
    kept = n_tokens - n_noise
    n_spans = min(max(round(n_noise / mean_length), 1), kept, n_noise)
    noise = _cut(n_noise, n_spans, generator)
    # a gap before each span; the text may end with a gap, too
    gaps = _cut(kept + 1, n_spans + 1, generator)
    gaps[-1] -= 1
    marks: list[bool] = []
    for gap, length in zip(gaps, [*noise, 0], strict=True):
        marks += [False] * gap + [True] * length
    return read_only(np.array(marks[:n_tokens], dtype=bool))


def _cut(total: int, parts: int, generator: np.random.Generator) -> list[int]:
    """So many positive whole numbers with this sum, every cutting equally likely."""
    cuts = np.sort(generator.choice(np.arange(1, total), size=parts - 1, replace=False))
    return np.diff(np.concatenate([[0], cuts, [total]])).astype(int).tolist()
