"""Texts of our own, on which heads are measured: everyday sentences, and random words told twice.

The sentences (`sentences.txt`) were written for Glassformer. On random words that come again,
nothing but the repetition can be predicted: Olsson et al. 2022, "In-context Learning and Induction
Heads", https://arxiv.org/abs/2209.11895.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

FILE: Final = Path(__file__).with_name("sentences.txt")
REPEATED: Final = 56  # texts
WORDS_A_COPY: Final = 8
SHORTEST: Final = 3  # letters


@cache
def sentences() -> tuple[str, ...]:
    """Everyday sentences with names, commas, questions, and words that come twice."""
    return tuple(FILE.read_text("utf-8").splitlines())


@cache
def repeated_words(seed: int = 0) -> tuple[str, ...]:
    """Random words of the sentences, no word twice in a copy, and the same copy again."""
    letters = re.findall(r"[a-z]+", " ".join(sentences()))
    words = sorted({word for word in letters if len(word) >= SHORTEST})
    random = np.random.default_rng(seed)
    copies = (random.choice(words, WORDS_A_COPY, replace=False) for _ in range(REPEATED))
    return tuple(" ".join([*copy, *copy]) for copy in copies)
