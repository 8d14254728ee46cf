"""A whole text through BPE: pre-tokenizer, merges, ids, and every token's place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.tokenization import byte_alphabet
from core.tokenization.bpe.segmentation import MergeRanks, Pair, Variant, merge_ranks, segment
from core.tokenization.bpe.training import BPETraining
from core.tokenization.corpus import check_text
from core.tokenization.pre_tokenizers import PreTokenizer
from core.tokenization.spans import Span, TextMap, TokenizedText, text_map
from core.tokenization.symbols import Marking, initial_symbols


@dataclass(frozen=True, slots=True)
class BPETokenizer:
    """A list of merges with everything that turns a text into ids.

    A symbol outside the vocabulary is unknown, or, with byte fallback, its UTF-8 bytes as
    <0x…> tokens (SentencePiece, Llama).
    """

    title: str
    ids: Mapping[str, int]
    ranks: MergeRanks
    pre_tokenizer: PreTokenizer
    marking: Marking = Marking.NONE
    marker: str = ""
    byte_level: bool = False
    byte_fallback: bool = False
    special_tokens: tuple[str, ...] = field(default=())
    """Strings that are cut out of the text first, and stand for themselves."""

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens."""
        return len(self.ids)

    def tokenize(self, text: str) -> TokenizedText:
        """Cut a text; InputError for lone surrogates."""
        check_text(text)
        places = text_map(text)
        spans: list[Span] = []
        known: dict[str, list[str]] = {}
        for start, end, special in self._parts(text):
            if special:
                spans.append(self._span(text[start:end], start, end, places))
                continue
            for first, last in self.pre_tokenizer.spans(text[start:end]):
                word = text[start + first : start + last]
                tokens = known.get(word)
                if tokens is None:
                    symbols = initial_symbols(
                        word, self.marking, self.marker, byte_level=self.byte_level
                    )
                    tokens = known[word] = segment(symbols, self.ranks)
                if self.byte_level:
                    spans.extend(self._byte_spans(tokens, places.byte_of[start + first], places))
                else:
                    spans.extend(self._spans(tokens, start + first, start + last, places))
        return TokenizedText(self.title, text, tuple(spans))

    def _parts(self, text: str) -> list[tuple[int, int, bool]]:
        parts: list[tuple[int, int, bool]] = []
        start = 0
        while start < len(text):
            found = [(text.find(token, start), -len(token)) for token in self.special_tokens]
            place, size = min((pair for pair in found if pair[0] >= 0), default=(len(text), 0))
            if place > start:
                parts.append((start, place, False))
            if size:
                parts.append((place, place - size, True))
            start = place - size
        return parts

    def _byte_spans(self, tokens: Sequence[str], first: int, places: TextMap) -> list[Span]:
        spans: list[Span] = []
        for token in tokens:
            last = first + len(token)
            start, end = places.characters(first, last)
            number = self.ids.get(token)
            spans.append(Span(token, number, start, end, first, last, unknown=number is None))
            first = last
        return spans

    def _spans(
        self, tokens: Sequence[str], start: int, word_end: int, places: TextMap
    ) -> list[Span]:
        spans: list[Span] = []
        for token in tokens:
            letters = token.removesuffix(self.marker) if self.marker else token
            end = min(start + len(letters), word_end)
            if self.byte_fallback and token not in self.ids:
                spans.extend(self._fallback(letters, start, places))
            else:
                spans.append(self._span(token, start, end, places))
            start = end
        return spans

    def _fallback(self, letters: str, start: int, places: TextMap) -> list[Span]:
        tokens = byte_alphabet.fallback_tokens(letters.encode())
        if any(token not in self.ids for token in tokens):
            return [self._span(letters, start, start + len(letters), places)]
        first = places.byte_of[start]
        return [
            Span(token, self.ids[token], *places.characters(byte, byte + 1), byte, byte + 1)
            for byte, token in enumerate(tokens, start=first)
        ]

    def _span(self, token: str, start: int, end: int, places: TextMap) -> Span:
        number = self.ids.get(token)
        return Span(
            token, number, start, end, places.byte_of[start], places.byte_of[end], number is None
        )


def from_training(
    training: BPETraining,
    upto: int | None = None,
    *,
    title: str = "BPE",
    variant: Variant = Variant.RANK,
    byte_fallback: bool = False,
) -> BPETokenizer:
    """The tokenizer of a training's first `upto` merges (all if None)."""
    settings = training.settings
    n_merges = len(training.merges) if upto is None else min(max(upto, 0), len(training.merges))
    tokens = list(training.vocabulary[: training.n_initial + n_merges])
    if byte_fallback:
        tokens += byte_alphabet.fallback_tokens(bytes(range(256)))
    return BPETokenizer(
        title=title,
        ids={token: number for number, token in enumerate(tokens)},
        ranks=merge_ranks(training.merges[:n_merges], variant),
        pre_tokenizer=settings.pre_tokenizer,
        marking=settings.marking,
        marker=settings.marker,
        byte_level=settings.byte_level,
        byte_fallback=byte_fallback,
    )


def byte_level_tokenizer(
    title: str,
    merges: Sequence[Pair],
    pre_tokenizer: PreTokenizer,
    *,
    ids: Mapping[str, int] | None = None,
    variant: Variant = Variant.RANK,
    special_tokens: tuple[str, ...] = (),
) -> BPETokenizer:
    """A byte-level tokenizer such as GPT-2's; by default ids are the alphabet, then merges."""
    if ids is None:
        tokens = (*byte_alphabet.ALPHABET, *("".join(pair) for pair in merges), *special_tokens)
        ids = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    return BPETokenizer(
        title=title,
        ids=ids,
        ranks=merge_ranks(merges, variant),
        pre_tokenizer=pre_tokenizer,
        byte_level=True,
        special_tokens=special_tokens,
    )
