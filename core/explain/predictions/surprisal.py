"""How surprised a causal model is by each token of a text, and by the text as a whole.

Surprise is −log2 P(token | those before), Shannon 1951 ("Prediction and Entropy of Printed
English"). Perplexity is 2 to the mean surprise of a token; bits per byte divides by the text's
bytes instead, so that models with different tokenizers can be compared.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Float64, Int64

from core.tokenization import byte_alphabet
from core.trace import Encoding, read_only


@dataclass(frozen=True, slots=True, eq=False)
class Surprise:
    """One entry a token; the first has nothing before it, so its entries are nan and 0."""

    bits: Float64[np.ndarray, " token"]  # −log2 of the token's probability
    expected: Float64[np.ndarray, " token"]  # the entropy there: the surprise it reckoned with
    ranks: Int64[np.ndarray, " token"]  # 1: the model's first choice
    favourites: Int64[np.ndarray, " token"]  # its first choice's id; -1 for the first token
    n_bytes: int  # UTF-8 bytes of what is counted

    @property
    def n_counted(self) -> int:
        return len(self.bits) - 1

    @property
    def total(self) -> float:
        """Bits of all counted tokens together."""
        return float(np.nansum(self.bits))

    @property
    def nats(self) -> Float64[np.ndarray, " token"]:
        """−ln of the token's probability."""
        return self.bits * np.log(2)

    @property
    def mean_bits(self) -> float:
        """Of a counted token; NaN where none is."""
        return self.total / self.n_counted if self.n_counted else float("nan")

    @property
    def mean_nats(self) -> float:
        """The loss that training counts."""
        return self.mean_bits * float(np.log(2))

    @property
    def perplexity(self) -> float:
        return float(2**self.mean_bits)

    @property
    def bits_per_byte(self) -> float:
        """NaN where the first token holds the whole text: nothing predicts it."""
        return self.total / self.n_bytes if self.n_bytes else float("nan")


def surprise(
    logits: Float32[np.ndarray, "token vocabulary"], encoding: Encoding, text: str
) -> Surprise:
    """Of a text that was encoded and run; row i of the logits predicts token i + 1."""
    log2 = _log2_softmax(logits[:-1])  # the last row predicts what is not there
    own = np.take_along_axis(log2, encoding.ids[1:, None], axis=1)[:, 0]
    p = np.exp2(log2)
    entropy = -(p * np.where(p > 0, log2, 0.0)).sum(axis=-1)
    return Surprise(
        bits=read_only(np.concatenate([[np.nan], -own])),
        expected=read_only(np.concatenate([[np.nan], entropy])),
        ranks=read_only(np.concatenate([[0], 1 + (log2 > own[:, None]).sum(axis=-1)])),
        favourites=read_only(np.concatenate([[-1], log2.argmax(axis=-1)])),
        n_bytes=_bytes_after_first(encoding, text),
    )


def _bytes_after_first(encoding: Encoding, text: str) -> int:
    """UTF-8 bytes of all tokens but the first, which may hold a part of a character alone."""
    end = int(encoding.offsets[0, 1])
    if end <= 0:  # a start token: it stands for no text
        return len(text.encode())
    if (spelled := byte_alphabet.from_text(text)).startswith(encoding.tokens[0]):
        return len(spelled) - len(encoding.tokens[0])
    single = byte_alphabet.fallback_tokens(text[:end].encode())
    within = zip(encoding.tokens[1:], encoding.offsets[1:, 0].tolist(), strict=True)
    return len(text[end:].encode()) + sum(at < end and token in single for token, at in within)


def token_bits(
    logits: Float32[np.ndarray, "token vocabulary"], ids: Int64[np.ndarray, " token"]
) -> Float64[np.ndarray, " predicted"]:
    """−log2 P of every token but the first, for ids that no text made."""
    own = np.take_along_axis(_log2_softmax(logits[:-1]), ids[1:, None], axis=1)[:, 0]
    return read_only(-own)


def _log2_softmax(logits: Float32[np.ndarray, "row column"]) -> Float64[np.ndarray, "row column"]:
    from scipy.special import log_softmax  # pyright: ignore[reportUnknownVariableType]

    return log_softmax(logits.astype(np.float64), axis=-1) / np.log(2)
