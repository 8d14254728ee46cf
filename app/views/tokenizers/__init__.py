"""What do tokenizers make of the same text? Several, side by side, real and trained here."""

from typing import Final

from app.ui.page import Page
from app.views.tokenizers import languages, text, unigram, why, wordpiece

PAGE: Final = Page(
    "tokenizers",
    "What do tokenizers make of the same text?",
    (text.VIEW, languages.VIEW, why.VIEW, wordpiece.VIEW, unigram.VIEW),
)
