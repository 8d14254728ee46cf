"""Two runs of byte-pair encoding side by side, up to where they part and beyond."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.components.frame import pack
from app.components.mount import register
from core.tokenization.bpe import ForkView, MergeStep

_mount: Final = register("bpe_fork")
SHOWN: Final = 400  # merges on either side
SHOWN_TOKENS: Final = 60


@dataclass(frozen=True, slots=True, eq=False)
class TwoRuns:
    """Two trainings' merges and how they differ."""

    names: tuple[str, str]
    merges: tuple[tuple[MergeStep, ...], tuple[MergeStep, ...]]
    fork: ForkView
    sentence: str
    """Where they part, in words."""
    caption: str


def bpe_fork(runs: TwoRuns, *, key: str) -> None:
    """Draw both lists of merges, their lengths and the words that end up cut differently."""
    _mount(key=key, data=bpe_fork_frame(runs))


@lru_cache(maxsize=16)
def bpe_fork_frame(runs: TwoRuns) -> bytes:
    """The byte frame that bpe_fork/view.js draws."""
    fork = runs.fork
    shared = set(fork.shared)
    first = fork.first_difference
    start = 0 if first is None else max(0, first - SHOWN // 2)
    header = {
        "names": runs.names,
        "sentence": runs.sentence,
        "caption": runs.caption,
        "start": start,
        "first": -1 if first is None else first,
        "merges": [
            [
                [*step.pair, step.count, int(step.token in shared)]
                for step in side[start : start + SHOWN]
            ]
            for side in runs.merges
        ],
        "n_merges": [len(side) for side in runs.merges],
        "only": [fork.only_left[:SHOWN], fork.only_right[:SHOWN]],
        "n_only": [len(fork.only_left), len(fork.only_right)],
        "n_shared": len(fork.shared),
        "lengths": [fork.left_lengths, fork.right_lengths],
        "words": [
            [word[:SHOWN_TOKENS], left[:SHOWN_TOKENS], right[:SHOWN_TOKENS]]
            for word, left, right in fork.words
        ],
    }
    return pack(header, {})
