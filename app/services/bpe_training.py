"""The door to BPE trainings: each runs in the background, once for all who ask for it.

Trainings are pure functions of a recipe, so equal recipes share one result. A training that
nobody waits for any more is stopped.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, TypeVar

from app.services import engine
from core.engine import Job, Lane
from core.long_work import Report
from core.tokenization import bpe, pre_tokenizers

ABANDONED: Final = 20.0  # seconds without anybody asking, after which a training ends
MARKER: Final = "</w>"
CUSTOM: Final = "custom"
Value = TypeVar("Value")


@dataclass(frozen=True)
class Recipe:
    """Everything that decides a training."""

    corpus: str | tuple[tuple[str, int], ...]
    n_merges: int
    tie_rule: str = "first-seen"
    end_of_word: str = "separate"  # separate | glued | none
    byte_level: bool = False
    pre_tokenizer: str = "whitespace"
    pattern: str = ""  # of the pre-tokenizer "custom"
    min_frequency: int = 1
    max_token_length: int = 0  # 0: any

    def train(self, report: Report) -> bpe.BPETraining:
        """Make the training; `report` hears how far it is."""
        is_custom = self.pre_tokenizer == CUSTOM
        return bpe.train(
            self.corpus if isinstance(self.corpus, str) else dict(self.corpus),
            self.n_merges,
            self.tie_rule,
            end_of_word=None if self.end_of_word == "none" else MARKER,
            glued=self.end_of_word == "glued",
            byte_level=self.byte_level,
            pre_tokenizer=pre_tokenizers.custom(self.pattern) if is_custom else self.pre_tokenizer,
            min_frequency=self.min_frequency,
            max_token_length=self.max_token_length or None,
            on_progress=report,
        )


def train(recipe: Recipe) -> Job[bpe.BPETraining]:
    """A training. The future raises InputError for what the reader can mend."""
    size = len(recipe.corpus)
    return _start(recipe, recipe.train, lambda trained: trained.memory() + 8 * size)


def fork(
    recipe: Recipe,
    training: bpe.BPETraining,
    *,
    tie_rule: str | None = None,
    force: tuple[int, tuple[str, str]] | None = None,
) -> Job[bpe.BPETraining]:
    """The same training with another tie rule, or with one merge forced."""
    return _start(
        (recipe, tie_rule, force),
        lambda _: bpe.fork(training, tie_rule=tie_rule, force=force),
        lambda trained: trained.memory(),
    )


def check(recipe: Recipe, training: bpe.BPETraining) -> Job[bpe.LibraryCheck]:
    """The same corpus through `tokenizers`. The future raises InputError."""
    return _start(
        ("library", recipe),
        lambda _: bpe.check_against_library(training),
        lambda found: found.same_rule.memory() + 200 * len(found.merges),
    )


@dataclass(frozen=True)
class CheckedMerges:
    """Merges that a reader brought, and the rules among them that can't work."""

    given: bpe.MergeList
    end_of_word: str  # separate | glued | none
    flaws: tuple[bpe.RuleFlaw, ...]


def read_merges(text: str, end_of_word: str = "") -> Job[CheckedMerges]:
    """Read a list in any of its four forms and check it; `end_of_word` "" takes the file's."""

    def work(_: Report) -> CheckedMerges:
        given = bpe.read_merges(text)
        guessed = "none" if not given.end_of_word else "glued" if given.glued else "separate"
        chosen = end_of_word or guessed
        marker = None if chosen == "none" else MARKER
        return CheckedMerges(given, chosen, bpe.audit(given.merges, marker, chosen == "glued"))

    return _start(("merges", text, end_of_word), work, lambda _: 8 * len(text))


def _start(
    key: Hashable, work: Callable[[Report], Value], nbytes: Callable[[Value], int]
) -> Job[Value]:
    return engine.start(("bpe", key), work, Lane.TRAININGS, nbytes=nbytes, patience=ABANDONED)
