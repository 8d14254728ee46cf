"""tiktoken's files: one token a line, base64 and rank, and no merges.

The merges are found again by encoding every token with the ranks below its own: the last
two pieces are its parts. After minbpe's `recover_merges` (karpathy/minbpe, gpt4.py).
"""

import base64
import binascii
from collections.abc import Sequence
from itertools import pairwise

import regex

from core.errors import InputError
from core.tokenization import byte_alphabet

Pair = tuple[str, str]

_LINE = regex.compile(r"[A-Za-z0-9+/]+=* \d+\r?")


def looks_like_ranks(text: str) -> bool:
    """Whether the first line is base64 and a number, in base64's full groups of four."""
    first = text.split("\n", 1)[0].rstrip("\r")
    return bool(_LINE.fullmatch(first)) and len(first.split(" ")[0]) % 4 == 0


def parse_ranks(text: str) -> tuple[bytes, ...]:
    """The tokens in order of rank; InputError for a line that is not base64 and a rank."""
    by_rank: dict[int, bytes] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            encoded, rank_text = line.split()
            token, rank = base64.b64decode(encoded, validate=True), int(rank_text)
        except (ValueError, binascii.Error) as error:
            raise InputError(
                f"Line {number} of the ranks is {line[:60]!r}; each line is a token in base64, "
                "a space, and its rank."
            ) from error
        if rank in by_rank:
            raise InputError(f"Line {number} gives rank {rank} a second time.")
        by_rank[rank] = token
    return tuple(by_rank[rank] for rank in sorted(by_rank))


def recover_merges(tokens: Sequence[bytes]) -> tuple[list[Pair], list[bytes]]:
    """The merge that makes each token of two bytes or more, and tokens that none makes.

    Merges are written with GPT-2's characters, in order of rank.
    """
    ranks = {token: rank for rank, token in enumerate(tokens)}
    merges: list[Pair] = []
    lost: list[bytes] = []
    for rank, token in enumerate(tokens):
        if len(token) < 2:
            continue
        parts = _join_below(token, ranks, rank)
        if len(parts) == 2:
            merges.append((byte_alphabet.from_bytes(parts[0]), byte_alphabet.from_bytes(parts[1])))
        else:
            lost.append(token)
    return merges, lost


def _join_below(token: bytes, ranks: dict[bytes, int], limit: int) -> list[bytes]:
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 2:
        best, place = limit, -1
        for i, (left, right) in enumerate(pairwise(parts)):
            rank = ranks.get(left + right, limit)
            if rank < best:
                best, place = rank, i
        if place < 0:
            break
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    return parts
