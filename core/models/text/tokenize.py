"""From a reader's text to the token ids that a model gets, with limits and clear refusals."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.errors import InputError
from core.limits import CHARACTERS, TOKENS
from core.trace import Encoding

WORD_START = ("▁", "Ġ")  # how sentencepiece and byte-level BPE write a space before a word
PIECE = "##"  # how WordPiece writes a token that goes on with a word


def encode(
    tokenizer: Any,
    text: str,
    pair: str | None = None,
    *,
    limit: int = TOKENS,
    name: str = "text",
) -> Encoding:
    """Tokenize a text, or a pair of texts, as the model was trained to see them.

    Raises InputError for empty or unreadable text and for more than `limit` tokens; `name` is
    what the reader calls the text.
    """
    texts = [_readable(text, name)]
    if pair is not None:
        texts.append(_readable(pair, "second text"))
    made = tokenizer(
        *texts,
        return_special_tokens_mask=True,
        return_offsets_mapping=tokenizer.is_fast,
        padding=False,
        truncation=False,
        verbose=False,
    )
    ids = np.array(made["input_ids"], dtype=np.int64)
    if len(ids) > limit:
        raise InputError(
            f"The {name} has {len(ids)} tokens; this model takes up to {limit}, special tokens "
            "included. Shorten it."
        )
    return _encoding(tokenizer, made, ids, is_pair=pair is not None)


def replace_tokens(
    tokenizer: Any, encoding: Encoding, edits: Sequence[tuple[int, int]]
) -> Encoding:
    """The same text with other tokens in some places: `edits` are (position, token id).

    Raises InputError for a position or an id that is not there, and for a special token's place,
    unless it is a mask.
    """
    ids, special = encoding.ids.copy(), encoding.special.copy()
    for position, token in edits:
        if not 0 <= position < len(ids):
            raise InputError(
                f"There is no position {position}: the text has {len(ids)} tokens, counted from 0."
            )
        if not 0 <= token < len(tokenizer):
            raise InputError(f"There is no token {token}: ids run from 0 to {len(tokenizer) - 1}.")
        if special[position] and ids[position] != tokenizer.mask_token_id:
            raise InputError(
                f"Position {position} holds {encoding.tokens[position]}, which the model needs "
                "there. Choose a word."
            )
        ids[position] = token
        special[position] = token in tokenizer.all_special_ids and token != tokenizer.unk_token_id
    tokens = tokens_of(tokenizer, ids.tolist())
    return replace(encoding, tokens=tokens, ids=ids, special=special)


def tokens_of(tokenizer: Any, ids: Sequence[int]) -> tuple[str, ...]:
    """Ids as tokens, those that only pad the vocabulary to a round number included."""
    named = tokenizer.convert_ids_to_tokens(list(ids))
    return tuple(
        f"⟨unused {i}⟩" if token is None else token for i, token in zip(ids, named, strict=True)
    )


def encode_ids(tokenizer: Any, ids: list[int]) -> Encoding:
    """Ids that a model produced, as an encoding without places in a text."""
    array = np.array(ids, dtype=np.int64)
    special = np.isin(array, tokenizer.all_special_ids)
    tokens = tokens_of(tokenizer, ids)
    return Encoding(
        tokens=tokens,
        ids=array,
        offsets=np.full((len(ids), 2), -1, dtype=np.int64),
        words=_words_by_marker(tokenizer, tokens, special),
        special=special,
        segments=np.zeros(len(ids), dtype=np.int64),
    )


def _is_word_piece(tokenizer: Any) -> bool:
    """Whether tokens that go on with a word are marked, instead of those that begin one."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return type(getattr(backend, "model", None)).__name__ == "WordPiece"


def _readable(text: str, name: str) -> str:
    if not text.strip():
        raise InputError(f"The {name} is empty. Type at least one word.")
    if len(text) > CHARACTERS:
        raise InputError(
            f"The {name} has {len(text):,} characters; up to {CHARACTERS:,} are read. Shorten it."
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"The {name} holds half of a surrogate pair at character {error.start}, which is no "
            "character. Remove it."
        ) from error
    return text


def _encoding(tokenizer: Any, made: Any, ids: np.ndarray, *, is_pair: bool) -> Encoding:
    tokens = tokens_of(tokenizer, ids.tolist())
    special = np.array(made["special_tokens_mask"], dtype=bool)
    special |= np.isin(ids, tokenizer.all_special_ids) & (ids != tokenizer.unk_token_id)
    if tokenizer.is_fast:
        offsets = np.array(made["offset_mapping"], dtype=np.int64).reshape(-1, 2)
        words = np.array([-1 if word is None else word for word in made.word_ids()], dtype=np.int64)
        sequences = made.sequence_ids()
    else:
        offsets = np.full((len(ids), 2), -1, dtype=np.int64)
        words = _words_by_marker(tokenizer, tokens, special)
        sequences = [0] * len(ids)
    if special.all() and tokenizer.mask_token_id not in ids.tolist():
        raise InputError("The tokenizer makes no token of this text. Type at least one word.")
    segments = made.get("token_type_ids") if is_pair and "token_type_ids" in made else None
    if segments is None:
        segments = _segments(sequences)
    return Encoding(tokens, ids, offsets, words, special, np.array(segments, dtype=np.int64))


def _segments(sequences: Sequence[int | None]) -> list[int]:
    """A special token belongs to the sentence that it closes."""
    segments: list[int] = []
    for sequence in sequences:
        previous = segments[-1] if segments else 0
        segments.append(previous if sequence is None else sequence)
    return segments


def _words_by_marker(tokenizer: Any, tokens: tuple[str, ...], special: np.ndarray) -> np.ndarray:
    marks_pieces = _is_word_piece(tokenizer)
    words = np.full(len(tokens), -1, dtype=np.int64)
    word = -1
    for position, token in enumerate(tokens):
        if special[position]:
            continue
        starts = not token.startswith(PIECE) if marks_pieces else token.startswith(WORD_START)
        if starts or word < 0:
            word += 1
        words[position] = word
    return words


def token_limit(module: nn.Module, tokenizer: Any) -> int:
    """Tokens that fit: TOKENS, or the model's positions if those are fewer."""
    limits = [TOKENS, tokenizer.model_max_length]
    config: Any = module.config
    if isinstance(positions := getattr(config, "max_position_embeddings", None), int):
        limits.append(positions - _reserved_positions(module))
    return min(limit for limit in limits if limit > 0)  # XLNet says -1: no limit


def _reserved_positions(module: nn.Module) -> int:
    """RoBERTa counts positions from its padding index + 1; those before it are never used."""
    for name, embedding in module.named_modules():
        if name.endswith("position_embeddings") and isinstance(embedding, nn.Embedding):
            return 0 if embedding.padding_idx is None else embedding.padding_idx + 1
    return 0


def id_tensors(encodings: Sequence[Encoding], device: torch.device) -> Tensor:
    """(batch, token) ids of encodings of one length."""
    return torch.as_tensor(np.array([encoding.ids for encoding in encodings]), device=device)
