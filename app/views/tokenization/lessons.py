"""Lessons as files: a corpus, its settings and the step, saved and opened again."""

from app.services.bpe_training import CUSTOM, MARKER
from app.views.tokenization.state import (
    BYTES,
    END,
    FORCE,
    FORK,
    LONGEST,
    MERGES,
    MINIMUM,
    MOST_MERGES,
    PATTERN,
    READ,
    SPLIT,
    STEP,
    TEXT,
    TIE,
)
from core.errors import InputError
from core.tokenization.bpe import Lesson, read_lesson
from core.tokenization.pre_tokenizers import PRE_TOKENIZERS
from core.tokenization.typed_counts import Counts, write_counts

FORMAT = '"format": "glassformer-bpe-lesson"'
LONGEST_TYPED = 2000  # characters of a corpus that goes into the text field


def looks_like_lesson(text: str) -> bool:
    """Whether a file claims to be a lesson."""
    return text.lstrip().startswith("{") and FORMAT in text[:400]


def open_lesson(text: str) -> Counts | None:
    """Put a lesson's settings in place.

    Returns the corpus where it is too long to be typed; else it stands in the text field.
    """
    lesson = read_lesson(text)
    settings = lesson.settings
    if settings.marker not in ("", MARKER):
        raise InputError(
            f"The lesson's end of word is {settings.marker!r}; this page writes {MARKER}."
        )
    if settings.n_merges > MOST_MERGES:
        raise InputError(
            f"The lesson asks for {settings.n_merges:,} merges; this page makes up to "
            f"{MOST_MERGES:,}."
        )
    splitter = settings.pre_tokenizer
    is_custom = splitter not in PRE_TOKENIZERS
    MERGES.put(settings.n_merges)
    TIE.put(str(settings.tie_rule))
    END.put(str(settings.marking))
    BYTES.put(settings.byte_level)
    SPLIT.put(CUSTOM if is_custom else splitter.name)
    if is_custom:
        PATTERN.put(splitter.pattern)
    MINIMUM.put(settings.min_frequency)
    LONGEST.put(settings.max_token_length or 0)
    STEP.put(min(lesson.step, settings.n_merges))
    FORK.put("off")
    FORCE.reset()
    return _typed(lesson)


def _typed(lesson: Lesson) -> Counts | None:
    counts = tuple(zip(lesson.words.words, lesson.words.counts, strict=True))
    line = write_counts(counts) if len(counts) < LONGEST_TYPED else None
    if line is None or len(line) > LONGEST_TYPED:
        return counts
    TEXT.put(line)
    READ.put("counts")
    return None
