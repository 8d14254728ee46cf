"""A lesson as a file: corpus, settings and step, so that a training can be shown again.

Merges are not in it: the same corpus and settings give the same ones.
"""

import json
from dataclasses import dataclass
from typing import cast

from core.errors import InputError
from core.tokenization.bpe.forking import Pair
from core.tokenization.bpe.settings import (
    BPESettings,
    check_numbers,
    tie_rule_named,
)
from core.tokenization.bpe.training import BPETraining, train_words
from core.tokenization.corpus import WordCounts, count_words
from core.tokenization.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer, by_name, custom
from core.tokenization.symbols import Marking

_FORMAT = "glassformer-bpe-lesson"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a training is made from, and the step that is shown."""

    words: WordCounts
    settings: BPESettings
    step: int
    forced: tuple[tuple[int, Pair], ...] = ()

    def train(self) -> BPETraining:
        """The training, made again."""
        return train_words(self.words, self.settings, forced=dict(self.forced))


def lesson_of(training: BPETraining, step: int) -> Lesson:
    """The lesson that shows a training at a step, forced merges included."""
    forced = tuple((merge.rank, merge.pair) for merge in training.steps if merge.forced)
    return Lesson(training.corpus, training.settings, step, forced)


def write_lesson(lesson: Lesson) -> str:
    """A lesson as JSON."""
    settings = lesson.settings
    splitter = settings.pre_tokenizer
    is_custom = splitter not in PRE_TOKENIZERS
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "step": lesson.step,
        "n_merges": settings.n_merges,
        "tie_rule": settings.tie_rule,
        "marking": settings.marking,
        "marker": settings.marker,
        "byte_level": settings.byte_level,
        "pre_tokenizer": None if is_custom else splitter.name,
        "pattern": splitter.pattern if is_custom else None,
        "min_frequency": settings.min_frequency,
        "max_token_length": settings.max_token_length,
        "forced": [[rank, *pair] for rank, pair in lesson.forced],
        "words": [list(pair) for pair in zip(lesson.words.words, lesson.words.counts, strict=True)],
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def read_lesson(text: str) -> Lesson:
    """A lesson from JSON; InputError says what is missing or wrong."""
    try:
        content: object = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"The lesson is not JSON: {error}. It may be cut off.") from error
    if not isinstance(content, dict):
        raise InputError("The lesson is no JSON object: it is not a file that this page wrote.")
    fields = cast("dict[str, object]", content)
    if fields.get("format") != _FORMAT or fields.get("version") != _VERSION:
        raise InputError(
            f"This is no lesson of version {_VERSION}: its format is {fields.get('format')!r}, its "
            f"version {fields.get('version')!r}."
        )
    n_merges, min_frequency = _whole(fields, "n_merges"), _whole(fields, "min_frequency")
    longest = None
    if fields.get("max_token_length") is not None:  # files before it had none
        longest = _whole(fields, "max_token_length")
    check_numbers(n_merges, min_frequency, longest)
    settings = BPESettings(
        n_merges=n_merges,
        tie_rule=tie_rule_named(_string(fields, "tie_rule")),
        marking=_marking(_string(fields, "marking")),
        marker=_string(fields, "marker"),
        byte_level=fields.get("byte_level") is True,
        pre_tokenizer=_pre_tokenizer(fields),
        min_frequency=min_frequency,
        max_token_length=longest,
    )
    words = count_words(_words(fields.get("words")), settings.pre_tokenizer)
    return Lesson(words, settings, _whole(fields, "step"), _forced(fields.get("forced")))


def _pre_tokenizer(fields: dict[str, object]) -> PreTokenizer:
    if fields.get("pattern") is not None:
        return custom(_string(fields, "pattern"))
    return by_name(_string(fields, "pre_tokenizer"))


def _marking(name: str) -> Marking:
    if name in (Marking.NONE, Marking.SEPARATE, Marking.GLUED):
        return Marking(name)
    raise InputError(f"The lesson's marking is {name!r}; it is none, separate or glued.")


def _words(value: object) -> dict[str, int]:
    words: dict[str, int] = {}
    for entry in cast("list[object]", value) if isinstance(value, list) else []:
        match entry:
            case [str() as word, int() as count] if not isinstance(count, bool):
                words[word] = count
            case _:
                raise InputError(f"The lesson's word {entry!r} is not a word and its count.")
    return words


def _forced(value: object) -> tuple[tuple[int, Pair], ...]:
    forced: list[tuple[int, Pair]] = []
    for entry in cast("list[object]", value) if isinstance(value, list) else []:
        match entry:
            case [int() as rank, str() as left, str() as right]:
                forced.append((rank, (left, right)))
            case _:
                raise InputError(f"The lesson's forced merge {entry!r} is not a rank and a pair.")
    return tuple(forced)


def _whole(fields: dict[str, object], name: str) -> int:
    value = fields.get(name)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise InputError(f"The lesson's {name} is {value!r}; it is a whole number from 0.")


def _string(fields: dict[str, object], name: str) -> str:
    value = fields.get(name)
    if isinstance(value, str):
        return value
    raise InputError(f"The lesson's {name} is {value!r}; it is a text.")
