"""WordPiece encoding: the longest token of the vocabulary that fits, again and again.

Wu et al., "Google's Neural Machine Translation System", 2016,
https://arxiv.org/abs/1609.08144, section 4.1; google-research/bert, tokenization.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.tokenization.bert_text import basic_words
from core.tokenization.spans import Span, TokenizedText, text_map

PREFIX: Final = "##"
UNKNOWN: Final = "[UNK]"
MAX_LETTERS: Final = 100
"""A longer word is unknown as a whole: bert-base-uncased's own limit."""


@dataclass(frozen=True, slots=True)
class MatchStep:
    """One search for the longest token: what was tried in vain, and what fitted."""

    start: int
    tried: tuple[str, ...]
    found: str | None
    end: int


@dataclass(frozen=True, slots=True)
class WordPieceEncoding:
    """A word's tokens; one unknown token if some place has no token that fits."""

    word: str
    tokens: tuple[str, ...]
    steps: tuple[MatchStep, ...]


def encode(word: str, vocabulary: Mapping[str, int], *, prefix: str = PREFIX) -> WordPieceEncoding:
    """Encode one word, every search shown."""
    if len(word) > MAX_LETTERS:
        return WordPieceEncoding(word, (UNKNOWN,), ())
    steps: list[MatchStep] = []
    tokens: list[str] = []
    start = 0
    while start < len(word):
        tried: list[str] = []
        found, end = None, start
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else prefix + word[start:end]
            if piece in vocabulary:
                found = piece
                break
            tried.append(piece)
        if found is None:
            steps.append(MatchStep(start, tuple(tried), None, start))
            return WordPieceEncoding(word, (UNKNOWN,), tuple(steps))
        steps.append(MatchStep(start, tuple(tried), found, end))
        tokens.append(found)
        start = end
    return WordPieceEncoding(word, tuple(tokens), tuple(steps))


@dataclass(frozen=True, slots=True)
class WordPieceTokenizer:
    """BERT's whole way from a text to ids."""

    title: str
    vocabulary: Mapping[str, int]
    lowercase: bool = True
    prefix: str = PREFIX

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens."""
        return len(self.vocabulary)

    def tokenize(self, text: str) -> TokenizedText:
        """Cut a text, without [CLS] and [SEP]."""
        words = basic_words(text, lowercase=self.lowercase)
        places = text_map(text)
        spans: list[Span] = []
        known: dict[str, WordPieceEncoding] = {}
        for word in words:
            encoding = known.get(word.text)
            if encoding is None:
                encoding = known[word.text] = encode(word.text, self.vocabulary, prefix=self.prefix)
            first = 0
            for number, token in enumerate(encoding.tokens):
                unknown = token == UNKNOWN
                hidden = len(self.prefix) if number else 0
                size = len(word.text) if unknown else len(token) - hidden
                start, end = word.sources[first], word.sources[first + size - 1] + 1
                spans.append(
                    Span(
                        token=token,
                        id=self.vocabulary.get(token),
                        start=start,
                        end=end,
                        byte_start=places.byte_of[start],
                        byte_end=places.byte_of[end],
                        unknown=unknown,
                    )
                )
                first += size
        return TokenizedText(self.title, text, tuple(spans))
