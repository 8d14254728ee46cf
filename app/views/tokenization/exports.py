"""Take the run with you: merges as numbers, a tokenizer, the lesson, an offline page."""

import csv
import io

import streamlit as st

from app.components.bpe_stepper import Stepper, bpe_stepper_frame
from app.components.standalone import standalone_page
from app.ui.downloads import download
from app.views.tokenization import steps
from core.errors import InputError
from core.tokenization.bpe import (
    BPETraining,
    lesson_of,
    merges_txt,
    tokenizer_json,
    write_lesson,
)

COLUMNS = (
    *("merge", "left", "right", "token", "count", "replacements", "tied", "forced"),
    *("vocabulary", "corpus_tokens"),
)


def caption(training: BPETraining) -> str:
    """Corpus and settings in one line, for exported figures."""
    settings = training.settings
    words = training.corpus
    shown = ", ".join(
        f"{steps.short_name(word)} {count}"
        for word, count in zip(words.words[:6], words.counts[:6], strict=True)
    )
    more = f" and {len(words.words) - 6:,} more words" if len(words.words) > 6 else ""
    return " · ".join(
        (
            f"BPE on {shown}{more}",
            f"ties: {steps.rule_card(training).title.lower()}",
            "byte level" if settings.byte_level else f"end of word: {settings.marking}",
            f"words: {settings.pre_tokenizer.title}",
            f"minimum frequency {settings.min_frequency}",
        )
    )


def merges_csv(training: BPETraining) -> str:
    """Every merge with its numbers, one a line."""
    file = io.StringIO()
    file.write(f"# {' '.join(caption(training).split())}\n")
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for step in training.steps:
        numbers = (step.count, step.replacements, step.n_tied, int(step.forced))
        sizes = (step.vocabulary_size, step.corpus_length)
        writer.writerow([step.rank + 1, *step.pair, step.token, *numbers, *sizes])
    return file.getvalue()


def downloads(training: BPETraining, stepper: Stepper, at: int) -> None:
    """Quiet buttons; nothing is computed before one is pressed."""

    download(
        "CSV",
        lambda: merges_csv(training),
        "bpe-merges.csv",
        "text/csv",
        help="Every merge with its numbers.",
    )
    download(
        "merges.txt",
        lambda: merges_txt(training),
        "merges.txt",
        "text/plain",
        help="As subword-nmt and GPT-2.",
    )
    try:
        _ = tokenizer_json(training, 0)
        download(
            "tokenizer.json",
            lambda: tokenizer_json(training, at),
            "tokenizer.json",
            "application/json",
            help="The first merges, up to the step shown, for Hugging Face tokenizers.",
        )
    except InputError:
        st.button(
            "tokenizer.json",
            disabled=True,
            type="tertiary",
            help="Not with </w> apart and this pre-tokeniser: choose another end of word.",
        )
    download(
        "Lesson file",
        lambda: write_lesson(lesson_of(training, at)),
        "bpe-lesson.json",
        "application/json",
        help="Corpus, settings and step. Open it again under Own file.",
    )
    download(
        "HTML",
        lambda: _offline(training, stepper, at),
        "bpe.html",
        "text/html",
        help=f"The figure as one page that works offline, with {len(stepper.steps):,} of "
        f"{len(training.steps) + 1:,} steps in full.",
    )


def _offline(training: BPETraining, stepper: Stepper, at: int) -> str:
    frame = bpe_stepper_frame(stepper, seed=(1, at, 1))
    return standalone_page(
        "Byte-pair encoding, step by step", "bpe_stepper", frame, caption(training)
    )
