"""A .tiktoken file as tiktoken reads and uses it; bad lines refused with what is wrong."""

import base64
from collections.abc import Mapping

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.tokenization import bpe, loading
from core.tokenization.bpe.tiktoken_file import PUBLISHED, tiktoken_tokenizer
from core.tokenization.byte_alphabet import to_bytes
from core.tokenization.pre_tokenizers import CL100K, GPT2, WHOLE_TEXT

CORPUS = "the cat sat on the mat; the rat sat, too. Über den Häusern 你好 你好 don't 12345 67"
# OpenAI's file writes the printable bytes first: ids are not the bytes' own numbers
BYTES = [*range(33, 127), *range(161, 173), *range(174, 256)]
BYTES += [byte for byte in range(256) if byte not in BYTES]


def written(ranks: Mapping[bytes, int]) -> str:
    return "".join(f"{base64.b64encode(token).decode()} {rank}\n" for token, rank in ranks.items())


def small_ranks(merges: int = 40) -> dict[bytes, int]:
    training = bpe.train(CORPUS, merges, byte_level=True)
    tokens = [bytes([byte]) for byte in BYTES] + [to_bytes(step.token) for step in training.steps]
    return {token: rank for rank, token in enumerate(dict.fromkeys(tokens))}


RANKS = small_ranks()
FILE = written(RANKS)


def as_tiktoken(text: str, ranks: Mapping[bytes, int], pattern: str) -> list[int]:
    """`CoreBPE::encode_ordinary`: whole pieces first, else the lowest rank, leftmost."""
    ids: list[int] = []
    for match in regex.finditer(pattern, text):
        piece = match.group().encode()
        parts = [piece] if piece in ranks else [piece[i : i + 1] for i in range(len(piece))]
        while True:
            pairs = [
                (ranks[parts[i] + parts[i + 1]], i)
                for i in range(len(parts) - 1)
                if parts[i] + parts[i + 1] in ranks
            ]
            if not pairs:
                break
            _, place = min(pairs)
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        ids += [ranks[part] for part in parts]
    return ids


texts = st.text("theca mÜü你好'd12,.\n", max_size=40) | st.text(max_size=20).filter(
    lambda text: not any("\ud800" <= c <= "\udfff" for c in text)
)


@given(texts, st.sampled_from([GPT2, CL100K, WHOLE_TEXT]))
def test_encodes_as_tiktoken(text: str, splitter):
    tokenizer = tiktoken_tokenizer(FILE, "own.tiktoken", splitter)
    found = tokenizer.tokenize(text)
    assert list(found.ids) == as_tiktoken(text, RANKS, splitter.pattern)
    assert b"".join(to_bytes(token) for token in found.tokens) == text.encode()


def test_a_token_that_no_merge_makes_is_found_whole_and_in_joins():
    """tiktoken looks joined bytes up among all tokens; recovered merges would miss this one."""
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"bc": 256, b"abc": 257, b"ab": 258}
    tokenizer = tiktoken_tokenizer(written(ranks), "x.tiktoken", WHOLE_TEXT)
    assert tokenizer.tokenize("abc").ids == (257,)
    assert tokenizer.tokenize("xabc").ids == (120, 257)
    lost = {bytes([byte]): byte for byte in range(256)} | {b"xyz": 256}
    tokenizer = tiktoken_tokenizer(written(lost), "x.tiktoken", WHOLE_TEXT)
    assert tokenizer.tokenize("xyz").ids == (256,)
    assert tokenizer.tokenize("xyzx").ids == (120, 121, 122, 120)


def test_ranks_are_ids_even_with_a_gap():
    """p50k_base leaves out 50256, which is <|endoftext|>."""
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"ab": 300}
    assert tiktoken_tokenizer(written(ranks), "x", WHOLE_TEXT).tokenize("abc").ids == (300, 99)


def test_published_encodings_are_known_by_their_size(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "core.tokenization.bpe.tiktoken_file.PUBLISHED",
        tuple(
            type(one)(one.name, len(RANKS) + (one.name != "cl100k_base"), one.pre_tokenizer,
                      one.special_tokens)
            for one in PUBLISHED
        ),
    )  # fmt: skip
    tokenizer = loading.load_tokenizer(FILE.encode(), "mine.tiktoken")
    assert tokenizer.title == "mine.tiktoken (cl100k_base, words as GPT-4 (cl100k))"
    text = "12345 the cat<|endoftext|>the"
    ordinary, after = (
        as_tiktoken("12345 the cat", RANKS, CL100K.pattern),
        as_tiktoken("the", RANKS, CL100K.pattern),
    )
    assert list(tokenizer.tokenize(text).ids) == [*ordinary, 100_257, *after]
    assert {one.name: one.n_ranks for one in PUBLISHED} == {
        "r50k_base": 50_256, "p50k_base": 50_280, "cl100k_base": 100_256, "o200k_base": 199_998,
    }  # fmt: skip


def test_without_a_known_size_words_are_gpt2s_and_a_reader_may_choose():
    assert loading.load_tokenizer(FILE.encode(), "own").title == "own (words as GPT-2)"
    chosen = loading.load_tokenizer(FILE.encode(), "own", pre_tokenizer=WHOLE_TEXT)
    assert list(chosen.tokenize(CORPUS).ids) == as_tiktoken(CORPUS, RANKS, WHOLE_TEXT.pattern)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("IQ==", "Line 2 of the ranks is 'IQ=='; .* Found 1 part; the file may be cut off here"),
        ("IQ== 1 2", "Found 3 parts"),
        ("I!== 1", r"'I!==' is not base64 \(.*\)\. Load the file again"),
        ("IQ= 1", "'IQ=' is not base64"),
        ("IQ== one", "'one' is no rank; a rank is a whole number from 0"),
        ("IQ== -1", "'-1' is no rank"),
        ("IQ== 1.5", "'1.5' is no rank"),
        ("IQ== ٣", "'٣' is no rank"),
        ("IQ== 99999999999", "'99999999999' is no rank"),
        ("== 7", "is not base64|its token is empty"),
        ("IQ== 0", "Line 2 of the ranks gives rank 0 a second time; line 1 has it already"),
        ("IA== 9", "Line 2 of the ranks gives the token 'Ġ' a second time; line 1 has it"),
    ],
)
def test_bad_lines_are_refused_with_their_number(line: str, said: str):
    with pytest.raises(InputError, match=said):
        loading.load_tokenizer(f"IA== 0\n{line}\n".encode(), "bad.tiktoken")


def test_a_file_that_is_cut_off_is_refused():
    with pytest.raises(InputError, match=r"lacks 156 of the 256 single bytes, first 0x00"):
        loading.load_tokenizer("".join(FILE.splitlines(keepends=True)[:100]).encode(), "cut")
    with pytest.raises(InputError, match="Line 1 of the ranks is 'PNG"):
        loading.load_tokenizer(b"PNG\x01\x02\nxyz", "picture.tiktoken")
