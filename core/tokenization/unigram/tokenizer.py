"""A whole text through Unigram, with every token's place."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.tokenization.byte_alphabet import fallback_tokens
from core.tokenization.corpus import check_text
from core.tokenization.pre_tokenizers import WHITESPACE, PreTokenizer
from core.tokenization.spans import Span, TokenizedText, text_map
from core.tokenization.unigram.model import UnigramModel, best
from core.tokenization.unigram.training import UnigramTraining


@dataclass(frozen=True, slots=True)
class UnigramTokenizer:
    """A unigram model with what turns a text into ids.

    A letter that no piece covers is unknown, or, with byte fallback, its bytes as <0x…>.
    """

    title: str
    model: UnigramModel
    ids: Mapping[str, int]
    word_start: str = "▁"
    pre_tokenizer: PreTokenizer = WHITESPACE
    byte_fallback: bool = False

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens."""
        return len(self.ids)

    def tokenize(self, text: str) -> TokenizedText:
        """Cut a text; InputError for lone surrogates."""
        check_text(text)
        places = text_map(text)
        spans: list[Span] = []
        known: dict[str, tuple[str, ...]] = {}
        for first, last in self.pre_tokenizer.spans(text):
            word = self.word_start + text[first:last]
            tokens = known.get(word)
            if tokens is None:
                tokens = known[word] = best(word, self.model).tokens
            place = first - len(self.word_start)
            for token in tokens:
                start, end = max(place, first), max(place + len(token), first)
                place += len(token)
                byte_start, byte_end = places.byte_of[start], places.byte_of[end]
                number = self.ids.get(token)
                if number is None and self.byte_fallback:
                    pieces = fallback_tokens(token.encode())
                    spans.extend(
                        Span(piece, self.ids.get(piece), start, end, byte, byte + 1)
                        for byte, piece in enumerate(pieces, start=byte_start)
                    )
                else:
                    spans.append(
                        Span(token, number, start, end, byte_start, byte_end, number is None)
                    )
        return TokenizedText(self.title, text, tuple(spans))


def from_training(
    training: UnigramTraining,
    *,
    title: str = "Unigram",
    pre_tokenizer: PreTokenizer = WHITESPACE,
    byte_fallback: bool = False,
) -> UnigramTokenizer:
    """The tokenizer of a training."""
    pieces = list(training.vocabulary)
    if byte_fallback:
        pieces += fallback_tokens(bytes(range(256)))
    ids = {piece: number for number, piece in enumerate(pieces)}
    return UnigramTokenizer(
        title, training.model, ids, training.word_start, pre_tokenizer, byte_fallback
    )
