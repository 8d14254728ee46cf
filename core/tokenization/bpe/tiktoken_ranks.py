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

_LONGEST_RANK = 9  # digits
_LINE = regex.compile(r"[A-Za-z0-9+/]+=* \d+\r?")


def looks_like_ranks(text: str) -> bool:
    """Whether the first line is base64 and a number, in base64's full groups of four."""
    first = text.split("\n", 1)[0].rstrip("\r")
    return bool(_LINE.fullmatch(first)) and len(first.split(" ")[0]) % 4 == 0


def read_ranks(text: str) -> dict[bytes, int]:
    """Every token's rank, which is its id; InputError names the line that can't be one."""
    ranks: dict[bytes, int] = {}
    line_of: dict[int, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        token, rank = _entry(line, number)
        if rank in line_of:
            raise InputError(
                f"Line {number} of the ranks gives rank {rank} a second time; line "
                f"{line_of[rank]} has it already. Every token has a rank of its own."
            )
        if token in ranks:
            raise InputError(
                f"Line {number} of the ranks gives the token {_shown(token)} a second time; line "
                f"{line_of[ranks[token]]} has it already. Remove one of the two."
            )
        ranks[token] = rank
        line_of[rank] = number
    return dict(sorted(ranks.items(), key=lambda entry: entry[1]))


def parse_ranks(text: str) -> tuple[bytes, ...]:
    """The tokens in order of rank; InputError as `read_ranks`."""
    return tuple(read_ranks(text))


def _entry(line: str, number: int) -> tuple[bytes, int]:
    where = f"Line {number} of the ranks is {line.strip()[:60]!r}"
    parts = line.split()
    if len(parts) != 2:
        raise InputError(
            f"{where}; each line is a token in base64, a space, and its rank. Found "
            f"{len(parts)} part{'' if len(parts) == 1 else 's'}; the file may be cut off here."
        )
    try:
        token = base64.b64decode(parts[0], validate=True)
    except (ValueError, binascii.Error) as error:
        raise InputError(
            f"{where}: {parts[0][:40]!r} is not base64 ({error}). Load the file again, unchanged."
        ) from error
    if not token:
        raise InputError(f"{where}: its token is empty. Remove the line.")
    if not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) <= _LONGEST_RANK):
        raise InputError(f"{where}: {parts[1][:40]!r} is no rank; a rank is a whole number from 0.")
    return token, int(parts[1])


def _shown(token: bytes) -> str:
    return repr(byte_alphabet.from_bytes(token)[:40])


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
