"""From a text and tokenizers to what the lanes and the table show; no Streamlit here."""

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from core.tokenization import Span, TextTokenizer, TokenizedText
from core.tokenization.comparison import TextComparison, compare
from core.tokenization.glyphs import Glyph, glyphs

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+(?:['’\-][\p{L}\p{N}\p{M}]+)*")


@dataclass(frozen=True, slots=True)
class LaneSummary:
    """One tokenizer on the whole text, in numbers."""

    tokenizer: str
    vocabulary: int
    tokens: int
    words: int
    characters: int
    bytes: int
    unknown: int
    partial: int
    """Tokens that begin or end within a glyph."""

    @property
    def per_word(self) -> float:
        """Fertility."""
        return self.tokens / max(1, self.words)

    @property
    def note(self) -> str:
        """What stands beside the name in the figure."""
        plural = "" if self.tokens == 1 else "s"
        return f"{self.tokens:,} token{plural}"


@dataclass(frozen=True, slots=True)
class Lanes:
    """What the figure draws, which is the beginning of a long text, and the whole in numbers."""

    rows: tuple[TokenizedText, ...]
    """All tokens of the whole text."""
    comparison: TextComparison
    glyphs: tuple[Glyph, ...]
    summaries: tuple[LaneSummary, ...]
    agreement: float
    cut_short: bool


def lanes_of(text: str, tokenizers: Sequence[TextTokenizer], drawn: int) -> Lanes:
    """Compare on the whole text, and draw its first `drawn` characters, up to a glyph's end."""
    whole = compare(text, tokenizers)
    clusters = glyphs(text)
    summaries = tuple(
        _summary(row, tokenizer.vocabulary_size, clusters)
        for row, tokenizer in zip(whole.rows, tokenizers, strict=True)
    )
    shown = tuple(glyph for glyph in clusters if glyph.end <= drawn)
    if len(shown) == len(clusters):
        return Lanes(whole.rows, whole, shown, summaries, whole.agreement, cut_short=False)
    part = compare(text[: shown[-1].end] if shown else "", tokenizers)
    return Lanes(whole.rows, part, shown, summaries, whole.agreement, cut_short=True)


def _summary(row: TokenizedText, vocabulary: int, clusters: Sequence[Glyph]) -> LaneSummary:
    return LaneSummary(
        tokenizer=row.tokenizer,
        vocabulary=vocabulary,
        tokens=len(row.spans),
        words=len(_WORD.findall(row.text)),
        characters=len(row.text),
        bytes=len(row.text.encode()),
        unknown=sum(span.unknown for span in row.spans),
        partial=partial_tokens(row.spans, clusters),
    )


def partial_tokens(spans: Sequence[Span], clusters: Sequence[Glyph]) -> int:
    """How many tokens begin or end within a glyph."""
    edges = {cluster.byte_start for cluster in clusters} | {c.byte_end for c in clusters[-1:]}
    return sum(span.byte_start not in edges or span.byte_end not in edges for span in spans)
