"""From text to tokens: BPE, WordPiece and Unigram, each trained and shown step by step.

    bpe, wordpiece, unigram    train(corpus, …) keeps what it did; encode or best cut a word
    pre_tokenizers, bert_text  the splitting that comes before any of them
    comparison, coverage       several tokenizers on one text; what word vocabularies miss
    glyphs                     graphemes, code points and bytes under a text
    loading                    a reader's tokenizer.json, vocab.txt, merges.txt or ranks

The package needs no model and no torch.
"""

from core.tokenization import (
    bert_text,
    bpe,
    comparison,
    coverage,
    glyphs,
    loading,
    pre_tokenizers,
    unigram,
    wordpiece,
)
from core.tokenization.corpus import WordCounts, count_words
from core.tokenization.spans import Span, TextTokenizer, TokenizedText

__all__ = [
    "Span",
    "TextTokenizer",
    "TokenizedText",
    "WordCounts",
    "bert_text",
    "bpe",
    "comparison",
    "count_words",
    "coverage",
    "glyphs",
    "loading",
    "pre_tokenizers",
    "unigram",
    "wordpiece",
]
