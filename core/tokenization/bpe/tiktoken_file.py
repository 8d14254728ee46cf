"""A .tiktoken file as a tokenizer: its ranks, and the pattern and special tokens known for it.

Merging looks up joined bytes among all tokens, and a word that is a token stays whole
(openai/tiktoken, src/lib.rs). The file names no pattern; the published ones are known by
their number of ranks (openai/tiktoken, tiktoken_ext/openai_public.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.errors import InputError
from core.tokenization import byte_alphabet
from core.tokenization.bpe.segmentation import MergeRanks, Variant
from core.tokenization.bpe.tiktoken_ranks import read_ranks
from core.tokenization.bpe.tokenizer import BPETokenizer
from core.tokenization.pre_tokenizers import CL100K, GPT2, O200K, PreTokenizer

_END: Final = "<|endoftext|>"


@dataclass(frozen=True, slots=True)
class PublishedEncoding:
    """What a ranks file does not say."""

    name: str
    n_ranks: int
    pre_tokenizer: PreTokenizer
    special_tokens: Mapping[str, int]


PUBLISHED: Final = (
    PublishedEncoding("r50k_base", 50_256, GPT2, {_END: 50_256}),
    PublishedEncoding("p50k_base", 50_280, GPT2, {_END: 50_256}),
    PublishedEncoding(
        "cl100k_base",
        100_256,
        CL100K,
        {
            _END: 100_257,
            "<|fim_prefix|>": 100_258,
            "<|fim_middle|>": 100_259,
            "<|fim_suffix|>": 100_260,
            "<|endofprompt|>": 100_276,
        },
    ),
    PublishedEncoding("o200k_base", 199_998, O200K, {_END: 199_999, "<|endofprompt|>": 200_018}),
)


def tiktoken_tokenizer(
    text: str, name: str, pre_tokenizer: PreTokenizer | None = None
) -> BPETokenizer:
    """The tokenizer of a ranks file; its pattern is the published one, else GPT-2's.

    InputError names the line that can't be read, and bytes that the ranks lack.
    """
    ranks = read_ranks(text)
    missing = [byte for byte in range(256) if bytes([byte]) not in ranks]
    if missing:
        raise InputError(
            f"{name} lacks {len(missing)} of the 256 single bytes, first 0x{missing[0]:02X}, so a "
            "text that holds one could not be encoded. The file may be cut off; load it again."
        )
    published = next((one for one in PUBLISHED if one.n_ranks == len(ranks)), None)
    splitter = pre_tokenizer or (published.pre_tokenizer if published else GPT2)
    special: Mapping[str, int] = published.special_tokens if published else {}
    by_token = {byte_alphabet.from_bytes(token): rank for token, rank in ranks.items()}
    known = f"{published.name}, " if published else ""
    return BPETokenizer(
        title=f"{name} ({known}words as {splitter.title})",
        ids={**by_token, **special},
        ranks=MergeRanks({}, by_token, Variant.CONCATENATION),
        pre_tokenizer=splitter,
        byte_level=True,
        special_tokens=tuple(special),
    )
