"""Explainers: one file a method, pure functions of traces or arrays, no model code."""

from core.explain.cell import WorkedCell, worked_cell
from core.explain.overview import HeadOverview, head_overview
from core.explain.tokens import hide_tokens, is_punctuation
from core.explain.words import Words, merge_words, words_of

__all__ = [
    "HeadOverview",
    "Words",
    "WorkedCell",
    "head_overview",
    "hide_tokens",
    "is_punctuation",
    "merge_words",
    "words_of",
    "worked_cell",
]
