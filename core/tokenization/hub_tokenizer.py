"""Any tokenizer.json through Hugging Face's own library, its places made exact to the byte.

The library gives places in characters. Where its tokens are GPT-2's bytes and together make
up the text, their lengths give the bytes, so that a token with half an emoji shows as that.
"""

from dataclasses import dataclass

from tokenizers import Encoding, Tokenizer

from core.tokenization import byte_alphabet
from core.tokenization.corpus import check_text
from core.tokenization.spans import Span, TextMap, TokenizedText, text_map


@dataclass(frozen=True, slots=True, eq=False)
class HubTokenizer:
    """A `tokenizers.Tokenizer` that cuts texts for comparison."""

    title: str
    tokenizer: Tokenizer
    unknown_token: str | None

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens, added ones included."""
        return self.tokenizer.get_vocab_size()

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """Strings that stand for themselves wherever a text has them."""
        added = self.tokenizer.get_added_tokens_decoder().values()
        return tuple(token.content for token in added if token.special)

    def tokenize(self, text: str) -> TokenizedText:
        """Cut a text, without special tokens around it; InputError for lone surrogates."""
        check_text(text)
        encoding: Encoding = self.tokenizer.encode(text, add_special_tokens=False)
        places = text_map(text)
        tokens, ids = encoding.tokens, encoding.ids
        byte_ends = _byte_ends(tokens, len(text.encode()))
        if byte_ends is None:
            spans = _by_characters(encoding, places, self.unknown_token)
        else:
            starts = [0, *byte_ends[:-1]]
            spans = [
                Span(token, number, *places.characters(first, last), first, last)
                for token, number, first, last in zip(tokens, ids, starts, byte_ends, strict=True)
            ]
        return TokenizedText(self.title, text, tuple(spans))


def _byte_ends(tokens: list[str], n_bytes: int) -> list[int] | None:
    if not all(byte_alphabet.is_byte_level(token) for token in tokens):
        return None
    ends: list[int] = []
    for token in tokens:
        ends.append((ends[-1] if ends else 0) + len(token))
    return ends if ends and ends[-1] == n_bytes else None


def _by_characters(encoding: Encoding, places: TextMap, unknown: str | None) -> list[Span]:
    spans: list[Span] = []
    for token, number, (start, end) in zip(
        encoding.tokens, encoding.ids, encoding.offsets, strict=True
    ):
        byte_start, byte_end = places.byte_of[start], places.byte_of[end]
        spans.append(Span(token, number, start, end, byte_start, byte_end, token == unknown))
    return spans
