"""A reader's file as a tokenizer: tokenizer.json, vocab.txt, merges.txt, tiktoken ranks."""

import json
from typing import cast

from tokenizers import Tokenizer

from core.errors import InputError
from core.limits import TOKENIZER_BYTES
from core.tokenization.bpe.merge_list import read_merges
from core.tokenization.bpe.segmentation import merge_ranks
from core.tokenization.bpe.tiktoken_file import tiktoken_tokenizer
from core.tokenization.bpe.tiktoken_ranks import looks_like_ranks
from core.tokenization.bpe.tokenizer import BPETokenizer, byte_level_tokenizer
from core.tokenization.hub_tokenizer import HubTokenizer
from core.tokenization.pre_tokenizers import GPT2, WHITESPACE, PreTokenizer
from core.tokenization.spans import TextTokenizer
from core.tokenization.symbols import Marking
from core.tokenization.wordpiece.encoding import PREFIX, UNKNOWN, WordPieceTokenizer


def load_tokenizer(
    content: bytes, name: str, *, pre_tokenizer: PreTokenizer | None = None
) -> TextTokenizer:
    """A tokenizer from a file's content; InputError says what is wrong with it.

    JSON is a tokenizer.json. Lines with [UNK] are BERT's vocab.txt. A .tiktoken file, or lines
    of base64 and numbers, are tiktoken's ranks, whose pattern is known by their number.
    Anything else is a list of merges, whose pre-tokenizer no file tells: by default GPT-2's
    for byte-level ones, and words between whitespace for others.
    """
    text = _decode(content, name)
    if text.lstrip().startswith("{"):
        return load_tokenizer_json(text, name)
    lines = text.split("\n")
    tokens = [line.rstrip("\r") for line in lines]
    if UNKNOWN in tokens:
        return load_vocabulary(text, name)
    if name.endswith(".tiktoken") or looks_like_ranks(text.strip()):
        return tiktoken_tokenizer(text, name, pre_tokenizer)
    found = read_merges(text)
    splitter = pre_tokenizer or (GPT2 if found.byte_level else WHITESPACE)
    if found.byte_level:
        return byte_level_tokenizer(name, found.merges, splitter)
    marking = Marking.NONE
    if found.end_of_word:
        marking = Marking.GLUED if found.glued else Marking.SEPARATE
    parts = [part for pair in found.merges for part in (*pair, "".join(pair))]
    return BPETokenizer(
        title=name,
        ids={token: number for number, token in enumerate(dict.fromkeys(parts))},
        ranks=merge_ranks(found.merges),
        pre_tokenizer=splitter,
        marking=marking,
        marker=found.end_of_word or "",
    )


def load_tokenizer_json(text: str, name: str) -> HubTokenizer:
    """A tokenizer.json as Hugging Face's library reads it."""
    try:
        parsed: object = json.loads(text)
        tokenizer = Tokenizer.from_str(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(
            f"{name} is not JSON: {error}. It may be cut off; load it again."
        ) from error
    except Exception as error:  # tokenizers raises bare Exception for every bad file
        raise InputError(
            f"{name} is JSON, but no tokenizer.json that Hugging Face's library reads: {error}"
        ) from error
    tokenizer.no_padding()  # a model's batch settings, which are not the text's
    tokenizer.no_truncation()
    return HubTokenizer(name, tokenizer, _unknown_token(parsed))


def load_vocabulary(text: str, name: str) -> WordPieceTokenizer:
    """BERT's vocab.txt: a token a line, its number the id.

    It is taken for an uncased one when no token has an upper-case letter.
    """
    vocabulary: dict[str, int] = {}
    for number, line in enumerate(text.rstrip("\n").split("\n")):
        vocabulary.setdefault(line.rstrip("\r"), number)
    if UNKNOWN not in vocabulary:
        raise InputError(f"{name} has no {UNKNOWN} token, so it is not BERT's vocab.txt.")
    words = [token for token in vocabulary if not (token.startswith("[") and token.endswith("]"))]
    if not any(token.startswith(PREFIX) for token in words):
        raise InputError(f"{name} has no tokens with {PREFIX}, so it is not BERT's vocab.txt.")
    uncased = all(token == token.lower() for token in words)
    return WordPieceTokenizer(name, vocabulary, lowercase=uncased)


def _decode(content: bytes, name: str) -> str:
    if len(content) > TOKENIZER_BYTES:
        raise InputError(
            f"{name} has {len(content):,} bytes; at most {TOKENIZER_BYTES:,} are read."
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text: {error}. Save it again as UTF-8.") from error
    if not text.strip():
        raise InputError(f"{name} is empty.")
    return text


def _unknown_token(parsed: object) -> str | None:
    model = cast("dict[str, object]", parsed).get("model") if isinstance(parsed, dict) else None
    if not isinstance(model, dict):
        return None
    unknown = cast("dict[str, object]", model).get("unk_token")
    return unknown if isinstance(unknown, str) else None
