"""The category rule: the forms of a word, cut by BPE with and without borders."""

from dataclasses import dataclass

from app import tokenizing
from app.views.tokenizers.pieces import joined
from core.tokenization.coverage import word_forms

LONGEST = 200_000  # characters of the corpus; without borders they are one word
MERGES = 600


@dataclass(frozen=True, slots=True)
class FormRow:
    """One way a word is written, and its tokens under both rules."""

    form: str
    count: int
    with_rule: str
    without_rule: str


def form_rows(corpus: str, word: str) -> tuple[FormRow, ...]:
    """The forms in order of frequency. Raises InputError for an empty word."""
    text = corpus[:LONGEST]
    ruled = tokenizing.byte_bpe(text, MERGES, borders=True)
    free = tokenizing.byte_bpe(text, MERGES, borders=False)
    forms = word_forms(text, word, ruled)
    return tuple(
        FormRow(
            form=joined([form.form]),
            count=form.count,
            with_rule=joined(form.tokens),
            without_rule=joined(free.tokenize(form.form).tokens),
        )
        for form in forms
    )
