"""English sentences of our own, their German translations, and which words belong together.

`assets/aligned_pairs.tsv`: the two sentences and the links of their words, source-target.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).parents[2] / "assets" / "aligned_pairs.tsv"


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """Words are what spaces part, counted from 0."""

    source: str
    target: str
    links: tuple[tuple[int, int], ...]  # (source word, target word)

    @property
    def source_spans(self) -> tuple[tuple[int, int], ...]:
        """Characters [start, end) of each word."""
        return tuple(match.span() for match in re.finditer(r"\S+", self.source))


@cache
def aligned_pairs() -> tuple[AlignedPair, ...]:
    """Fifty-six pairs."""
    lines = FILE.read_text("utf-8").splitlines()
    return tuple(_pair(line) for line in lines if not line.startswith("#"))


def _pair(line: str) -> AlignedPair:
    source, target, links = line.split("\t")
    pairs = (link.split("-") for link in links.split())
    return AlignedPair(source, target, tuple((int(one), int(other)) for one, other in pairs))
