"""One vocabulary, read in other ways: what the order of the merges is worth.

BPE takes the lowest rank first. With the same tokens one can also take the longest that fits
(as WordPiece does), or the cutting with the fewest tokens. Bostrom & Durrett, "Byte Pair
Encoding is Suboptimal for Language Model Pretraining", Findings of EMNLP 2020,
https://arxiv.org/abs/2004.03720, and Uzan et al., "Greed is All You Need", ACL 2024,
https://arxiv.org/abs/2403.01289, compare such readings.
"""

from collections.abc import Collection, Sequence


def longest_match(symbols: Sequence[str], vocabulary: Collection[str]) -> tuple[str, ...]:
    """From the left, always the longest token; a symbol that is none stands alone."""
    tokens: list[str] = []
    start = 0
    while start < len(symbols):
        end = next(
            (
                end
                for end in range(len(symbols), start + 1, -1)
                if "".join(symbols[start:end]) in vocabulary
            ),
            start + 1,
        )
        tokens.append("".join(symbols[start:end]))
        start = end
    return tuple(tokens)


def fewest_tokens(symbols: Sequence[str], vocabulary: Collection[str]) -> tuple[str, ...]:
    """A cutting with as few tokens as can be; of equals the one whose last tokens start first."""
    best: list[tuple[int, int]] = [(0, 0)]
    for end in range(1, len(symbols) + 1):
        best.append(
            min(
                (best[start][0] + 1, start)
                for start in range(end)
                if end == start + 1 or "".join(symbols[start:end]) in vocabulary
            )
        )
    tokens: list[str] = []
    end = len(symbols)
    while end > 0:
        start = best[end][1]
        tokens.append("".join(symbols[start:end]))
        end = start
    return tuple(tokens[::-1])
