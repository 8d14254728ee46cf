"""Take the run with you: merges as numbers, a tokenizer, the lesson, an offline page."""

from collections.abc import Iterator

from app.components.bpe_stepper import Stepper, bpe_stepper_frame
from app.components.selection import Seed
from app.ui.export_bar import Export, File
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
            *(
                [f"tokens of at most {settings.max_token_length} symbols"]
                if settings.max_token_length
                else []
            ),
        )
    )


def export(training: BPETraining, stepper: Stepper, at: int, *, left_out: str | None) -> Export:
    """Merges as numbers, in tools' own forms, the lesson, an offline page."""
    card = steps.rule_card(training)
    return Export(
        name="bpe-merges",
        caption=caption(training),
        table=lambda: (COLUMNS, merge_rows(training)),
        files=tuple(_files(training, at)),
        offline=("bpe_stepper", lambda: bpe_stepper_frame(stepper, seed=Seed(at))),
        left_out=left_out,
        facts={
            "rule": card.title.lower(),
            "comparison": card.comparison,
            "used_by": card.used_by,
        },
    )


def merge_rows(training: BPETraining) -> Iterator[tuple[object, ...]]:
    """Every merge with its numbers."""
    for step in training.steps:
        numbers = (step.count, step.replacements, step.n_tied, int(step.forced))
        sizes = (step.vocabulary_size, step.corpus_length)
        yield (step.rank + 1, *step.pair, step.token, *numbers, *sizes)


def _files(training: BPETraining, at: int) -> Iterator[File]:
    yield File(
        "merges.txt",
        lambda: merges_txt(training),
        "merges.txt",
        "text/plain",
        help="As subword-nmt and GPT-2.",
    )
    try:
        _ = tokenizer_json(training, 0)
    except InputError:
        yield File(
            "tokenizer.json",
            None,
            "tokenizer.json",
            help="Not with </w> apart and this pre-tokeniser: choose another end of word.",
        )
    else:
        yield File(
            "tokenizer.json",
            lambda: tokenizer_json(training, at),
            "tokenizer.json",
            "application/json",
            help="The first merges, up to the step shown, for Hugging Face tokenizers.",
        )
    yield File(
        "Lesson file",
        lambda: write_lesson(lesson_of(training, at)),
        "bpe-lesson.json",
        "application/json",
        help="Corpus, settings and step. Open it again under Own file.",
    )
