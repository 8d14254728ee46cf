"""The corpus as one flat row of symbols: what a trainer merges.

Every distinct word lies in the row once, each followed by a border that no pair crosses.
A border comes first, too, so that every symbol has a neighbour on either side:

    │ l o w │ l o w e r │        positions 0 1 2 3 4 5 6 7 8 9 10

A merge never moves a symbol. The right partner dies where it lies, and the left one grows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from jaxtyping import Bool, Int32, Int64

from core.errors import InputError
from core.tokenization import byte_alphabet
from core.tokenization.corpus import WordCounts

BORDER = -1
"""The symbol id of a border between two words."""


class Marking(StrEnum):
    """How a word's edge shows in its symbols at first."""

    NONE = "none"
    """l o w"""
    SEPARATE = "separate"
    """l o w </w>: a symbol of its own (Sennrich et al. 2016)."""
    GLUED = "glued"
    """l o w</w>: part of the last letter (subword-nmt since 0.2, and HF tokenizers)."""
    CONTINUING = "continuing"
    """l ##o ##w: every letter but the first has a prefix (WordPiece)."""


@dataclass(frozen=True, slots=True, eq=False)
class SymbolRow:
    """All distinct words as symbols in one row, with a border before and after each."""

    alphabet: tuple[str, ...]
    """The initial symbols; a symbol's id is its place here."""
    symbols: Int32[np.ndarray, " position"]
    """Symbol id at each position, or BORDER."""
    word_of: Int32[np.ndarray, " position"]
    """Index of the word a position lies in; a border belongs to the word before it."""
    word_starts: Int64[np.ndarray, " word"]
    frequencies: Int64[np.ndarray, " word"]


def build_row(
    corpus: WordCounts,
    marking: Marking,
    marker: str,
    *,
    byte_level: bool = False,
    alphabet: Sequence[str] | None = None,
) -> SymbolRow:
    """Lay the words of a corpus out as symbols.

    Ids follow the code points: first the bare symbols, then those with the marker. A given
    alphabet fixes the ids instead (byte-level: all 256 characters come by themselves).
    InputError if a word holds the marker, or a symbol is missing in the given alphabet.
    """
    words = corpus.words
    if byte_level:
        words = tuple(byte_alphabet.from_text(word) for word in words)
    joined = "".join(words)
    if marker and marking is not Marking.NONE and marker in joined:
        _refuse_marker(words, marker)
    lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    slots = lengths + (1 if marking is Marking.SEPARATE else 0)
    word_starts = np.concatenate([[1], 1 + np.cumsum(slots + 1)[:-1]])
    size = int(slots.sum()) + len(words) + 1

    code_points = np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32)
    distinct, letter_ids = np.unique(code_points, return_inverse=True)
    letters = [chr(code_point) for code_point in distinct]
    last_letter = np.cumsum(lengths) - 1
    marked = _marked_letters(marking, len(letter_ids), last_letter)
    ids = letter_ids + len(letters) * marked

    symbols = np.full(size, BORDER, dtype=np.int64)
    within = np.arange(len(ids)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    symbols[np.repeat(word_starts, lengths) + within] = ids
    end = 2 * len(letters)
    if marking is Marking.SEPARATE:
        symbols[word_starts + lengths] = end

    names = [*letters, *(_mark(letter, marking, marker) for letter in letters), marker]
    symbols, used = _renumber(symbols, names, byte_level=byte_level, alphabet=alphabet)
    word_of = np.zeros(size, dtype=np.int32)
    word_of[1:] = np.repeat(np.arange(len(words), dtype=np.int32), slots + 1)
    frequencies = np.asarray(corpus.counts, dtype=np.int64)
    return SymbolRow(used, symbols, word_of, word_starts, frequencies)


def initial_symbols(
    word: str, marking: Marking, marker: str, *, byte_level: bool = False
) -> tuple[str, ...]:
    """The symbols that one word starts from."""
    letters = list(byte_alphabet.from_text(word) if byte_level else word)
    if not letters:
        return ()
    match marking:
        case Marking.SEPARATE:
            letters.append(marker)
        case Marking.GLUED:
            letters[-1] += marker
        case Marking.CONTINUING:
            letters[1:] = [marker + letter for letter in letters[1:]]
        case Marking.NONE:
            pass
    return tuple(letters)


def _marked_letters(
    marking: Marking, n_letters: int, last_letter: Int64[np.ndarray, " word"]
) -> Bool[np.ndarray, " letter"]:
    if marking is Marking.GLUED:
        marked = np.zeros(n_letters, dtype=np.bool_)
        marked[last_letter] = True
        return marked
    if marking is Marking.CONTINUING:
        marked = np.ones(n_letters, dtype=np.bool_)
        marked[0] = False
        marked[last_letter[:-1] + 1] = False
        return marked
    return np.zeros(n_letters, dtype=np.bool_)


def _mark(letter: str, marking: Marking, marker: str) -> str:
    return marker + letter if marking is Marking.CONTINUING else letter + marker


def _renumber(
    symbols: Int64[np.ndarray, " position"],
    names: list[str],
    *,
    byte_level: bool,
    alphabet: Sequence[str] | None,
) -> tuple[Int32[np.ndarray, " position"], tuple[str, ...]]:
    present: list[int] = np.unique(symbols[symbols != BORDER]).tolist()
    if alphabet is None and byte_level:
        marked = [names[i] for i in present if names[i] not in byte_alphabet.ALPHABET]
        alphabet = (*byte_alphabet.ALPHABET, *marked)
    if alphabet is None:
        alphabet = [names[i] for i in present]
    place = {symbol: i for i, symbol in enumerate(alphabet)}
    missing = [names[i] for i in present if names[i] not in place]
    if missing:
        raise InputError(
            f"The given alphabet lacks {len(missing)} symbols of the corpus, first "
            f"{missing[0]!r}. List every letter, those with a marker too."
        )
    new_ids = np.full(len(names) + 1, BORDER, dtype=np.int32)  # the last entry is BORDER's own
    new_ids[present] = [place[names[i]] for i in present]
    return new_ids[symbols], tuple(alphabet)


def _refuse_marker(words: Sequence[str], marker: str) -> None:
    holder = next((word for word in words if marker in word), None)
    if holder is not None:
        raise InputError(
            f"The word {holder[:40]!r} holds the marker {marker!r} itself, so the two could not "
            "be told apart. Choose another marker, or remove it from the text."
        )
