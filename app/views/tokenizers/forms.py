"""The category rule: the forms of a word, cut by BPE with and without borders."""

from dataclasses import dataclass

from app.services import tokenizers
from app.style.visible_space import joined
from core.tokenization import byte_alphabet
from core.tokenization.coverage import word_forms

LONGEST = 200_000  # characters of the corpus; without borders they are one word
MERGES = 600
LONGEST_ENTRY = 30  # characters of a vocabulary's entry that is shown


@dataclass(frozen=True, slots=True)
class FormRow:
    """One way a word is written, and its tokens under both rules."""

    form: str
    bare: str
    """Without the space before it: what a list of words between spaces has."""
    count: int
    with_rule: str
    without_rule: str


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of both vocabularies that hold a word."""

    merges: int
    with_rule: tuple[str, ...]
    without_rule: tuple[str, ...]


def entries(corpus: str, word: str) -> Entries:
    """What the vocabulary spends on one word; the merges without borders run across it."""
    needle = "".join(byte_alphabet.from_bytes(word.strip().lower().encode("utf-8", "replace")))
    found = [
        tuple(
            token
            for token in tokenizers.byte_bpe(corpus[:LONGEST], MERGES, borders=borders).ids
            if needle in token.lower() and len(token) <= LONGEST_ENTRY
        )
        for borders in (True, False)
    ]
    return Entries(MERGES, *found)


def form_rows(corpus: str, word: str) -> tuple[FormRow, ...]:
    """The forms in order of frequency. Raises InputError for an empty word."""
    text = corpus[:LONGEST]
    ruled = tokenizers.byte_bpe(text, MERGES, borders=True)
    free = tokenizers.byte_bpe(text, MERGES, borders=False)
    forms = word_forms(text, word, ruled)
    return tuple(
        FormRow(
            form=joined([form.form]),
            bare=form.form.strip(),
            count=form.count,
            with_rule=joined(form.tokens),
            without_rule=joined(free.tokenize(form.form).tokens),
        )
        for form in forms
    )
