"""Reading merges: a pasted list, merges.txt, a tokenizer.json, or tiktoken's ranks."""

import json
from dataclasses import dataclass
from typing import Final, cast

from core.errors import InputError
from core.limits import MERGES_CHARACTERS
from core.tokenization import byte_alphabet
from core.tokenization.bpe.tiktoken_ranks import looks_like_ranks, parse_ranks, recover_merges

Pair = tuple[str, str]

_SEPARATORS: Final = ("·", ";", ",", "|")


@dataclass(frozen=True, slots=True)
class MergeList:
    """Merges as they were given, in order of rank, and how their words begin."""

    merges: tuple[Pair, ...]
    source: str
    """What the text was taken for."""
    end_of_word: str | None
    glued: bool
    byte_level: bool
    vocabulary: tuple[str, ...] | None
    """Tokens in order of ids, where the file gives them."""
    whole_word_first: bool
    """tokenizer.json's ignore_merges, and tiktoken's way."""
    notes: tuple[str, ...]
    """What could not be read, in words; empty when all was."""


def read_merges(text: str) -> MergeList:
    """Read merges from any of the four forms; InputError says what is wrong and where."""
    if len(text) > MERGES_CHARACTERS:
        raise InputError(
            f"The merges have {len(text):,} characters; {MERGES_CHARACTERS:,} are read."
        )
    stripped = text.strip()
    if not stripped:
        raise InputError("No merges came. Give one rule a line, two tokens with a space between.")
    if stripped.startswith("{"):
        return _from_tokenizer_json(stripped)
    if looks_like_ranks(stripped):
        return _from_ranks(stripped)
    return _from_lines(text)


def _from_lines(text: str) -> MergeList:
    merges: list[Pair] = []
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip(" \r\t")
        if not bare or (number == 1 and bare.startswith("#version")):
            continue
        for rule in _rules(bare):
            parts = rule.split()
            if len(parts) != 2:
                raise InputError(
                    f"Line {number} holds {rule[:60]!r}: a rule is two tokens with a space "
                    "between, such as 'A b'. Put one rule on a line, or · between rules."
                )
            merges.append((parts[0], parts[1]))
    return _with_guesses(merges, "a list of merges")


def _rules(line: str) -> list[str]:
    if len(line.split()) == 2:
        return [line]
    for separator in _SEPARATORS:
        if separator in line:
            return [part for part in line.split(separator) if part.strip()]
    return [line]


def _with_guesses(merges: list[Pair], source: str) -> MergeList:
    symbols = [symbol for pair in merges for symbol in pair]
    separate = any(symbol == "</w>" for symbol in symbols)
    glued = not separate and any(symbol.endswith("</w>") for symbol in symbols)
    byte_level = any("Ġ" in symbol for symbol in symbols) and all(
        byte_alphabet.is_byte_level(symbol) for symbol in symbols
    )
    return MergeList(
        merges=tuple(merges),
        source=source,
        end_of_word="</w>" if separate or glued else None,
        glued=glued,
        byte_level=byte_level,
        vocabulary=None,
        whole_word_first=False,
        notes=(),
    )


def _from_ranks(text: str) -> MergeList:
    tokens = parse_ranks(text)
    merges, lost = recover_merges(tokens)
    notes = tuple(
        f"No merge makes {byte_alphabet.from_bytes(token)!r}: its bytes never join to it."
        for token in lost
    )
    return MergeList(
        merges=tuple(merges),
        source="tiktoken ranks",
        end_of_word=None,
        glued=False,
        byte_level=True,
        vocabulary=tuple(byte_alphabet.from_bytes(token) for token in tokens),
        whole_word_first=True,
        notes=notes,
    )


def _from_tokenizer_json(text: str) -> MergeList:
    model = _model(text)
    if model.get("type", "BPE") != "BPE" or "merges" not in model:
        raise InputError(
            f"This tokenizer.json holds a {model.get('type', 'nameless')} model; merges are in a "
            "BPE model only."
        )
    merges = [_rule(rule, number) for number, rule in enumerate(_list(model["merges"]))]
    vocabulary = model.get("vocab")
    if not isinstance(vocabulary, dict):
        raise InputError("The tokenizer.json has no vocab in its model: the file is incomplete.")
    ids = cast("dict[str, int]", vocabulary)
    suffix = model.get("end_of_word_suffix")
    guessed = _with_guesses(merges, "tokenizer.json")
    return MergeList(
        merges=tuple(merges),
        source="tokenizer.json",
        end_of_word=suffix if isinstance(suffix, str) and suffix else None,
        glued=isinstance(suffix, str) and bool(suffix),
        byte_level=guessed.byte_level or '"ByteLevel"' in text,
        vocabulary=tuple(sorted(ids, key=lambda token: ids[token])),
        whole_word_first=bool(model.get("ignore_merges", False)),
        notes=(),
    )


def _model(text: str) -> dict[str, object]:
    try:
        content: object = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(
            f"The tokenizer.json is not JSON: {error}. It may be cut off; load it again."
        ) from error
    model = cast("dict[str, object]", content).get("model") if isinstance(content, dict) else None
    if not isinstance(model, dict):
        raise InputError("The JSON has no 'model': it is not a tokenizer.json.")
    return cast("dict[str, object]", model)


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise InputError("The tokenizer.json's merges are not a list.")
    return cast("list[object]", value)


def _rule(rule: object, number: int) -> Pair:
    parts = [*rule.split(" ")] if isinstance(rule, str) else _list(rule)
    if len(parts) == 2:
        left, right = parts
        if isinstance(left, str) and isinstance(right, str) and left and right:
            return left, right
    raise InputError(f"Merge {number} of the tokenizer.json is {rule!r}, which is not two tokens.")
