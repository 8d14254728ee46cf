"""What a special token in a text stands for: itself, plain text, or an error.

As openai/tiktoken has it: `encode(text)` refuses every special token in the text,
`allowed_special` lets it be one, `disallowed_special=()` reads it as text.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from tokenizers import Tokenizer

from core.errors import InputError
from core.tokenization.bpe.tokenizer import BPETokenizer
from core.tokenization.hub_tokenizer import HubTokenizer
from core.tokenization.spans import TextTokenizer, TokenizedText


class SpecialPolicy(StrEnum):
    """What special tokens in a text stand for."""

    ALLOWED = "allowed"
    TEXT = "text"
    REFUSED = "refused"


def special_tokens(tokenizer: TextTokenizer) -> tuple[str, ...]:
    """The strings that a tokenizer takes for special tokens in a text."""
    match tokenizer:
        case BPETokenizer() | HubTokenizer():
            return tokenizer.special_tokens
        case _:
            return ()


def specials_in(text: str, tokenizer: TextTokenizer) -> tuple[str, ...]:
    """Those that a text holds, in order of their first places."""
    found = [token for token in special_tokens(tokenizer) if token in text]
    return tuple(sorted(found, key=text.index))


def under_policy(tokenizer: TextTokenizer, policy: SpecialPolicy) -> TextTokenizer:
    """The tokenizer, or one that reads special tokens in a text otherwise."""
    if policy is SpecialPolicy.ALLOWED or not special_tokens(tokenizer):
        return tokenizer
    if policy is SpecialPolicy.REFUSED:
        return _Refusing(tokenizer)
    match tokenizer:
        case BPETokenizer():
            return replace(tokenizer, special_tokens=())
        case HubTokenizer():
            # a copy: other sessions cut with the same object
            copied = Tokenizer.from_str(tokenizer.tokenizer.to_str())
            copied.encode_special_tokens = True
            return replace(tokenizer, tokenizer=copied)
        case _:
            return tokenizer


@dataclass(frozen=True, slots=True)
class _Refusing:
    """A tokenizer that takes no special token from a text."""

    tokenizer: TextTokenizer

    @property
    def title(self) -> str:
        return self.tokenizer.title

    @property
    def vocabulary_size(self) -> int:
        return self.tokenizer.vocabulary_size

    def tokenize(self, text: str) -> TokenizedText:
        """InputError for a special token in the text."""
        found = specials_in(text, self.tokenizer)
        if found:
            raise InputError(
                f"Character {text.index(found[0])} begins {found[0]!r}, a special token, and these "
                "are refused in a text. Let them stand for themselves, or read them as plain text."
            )
        return self.tokenizer.tokenize(text)
