"""The door to BPE trainings: each runs in the background, once for all who ask for it.

Trainings are pure functions of a recipe, so equal recipes share one result. The cache is
bounded in bytes. A training that nobody waits for any more is stopped.
"""

import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from core.engine import ByteCache
from core.errors import InputError
from core.tokenization import bpe, pre_tokenizers

WORKERS: Final = 2
CACHE_BYTES: Final = 400_000_000
ABANDONED: Final = 20.0  # seconds without anybody asking, after which a training ends
MARKER: Final = "</w>"
CUSTOM: Final = "custom"
Value = TypeVar("Value")
Report = Callable[[bpe.Progress], None]


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
            on_progress=report,
        )


@dataclass
class _Watch:
    """When somebody last looked, and what there was to see."""

    asked: float = field(default_factory=time.monotonic)
    latest: bpe.Progress | None = None

    def report(self, progress: bpe.Progress) -> None:
        if time.monotonic() - self.asked > ABANDONED:
            raise InputError("This was stopped because nobody waited for it. Ask again.")
        self.latest = progress


@dataclass(frozen=True, eq=False)
class Job(Generic[Value]):
    """Something on its way; whoever waits for it says so by looking."""

    future: Future[Value]
    watch: _Watch

    def progress(self) -> bpe.Progress | None:
        """How far it is. Asking keeps it alive."""
        self.watch.asked = time.monotonic()
        return self.watch.latest


@dataclass(frozen=True)
class _Kept:
    """A value with the bytes that it holds."""

    value: Any
    nbytes: int


class Workshop:
    """Runs jobs in threads of its own, and remembers their results."""

    def __init__(self) -> None:
        self._cache = ByteCache(CACHE_BYTES)
        self._pool = ThreadPoolExecutor(WORKERS, "trainings")
        self._watches: dict[Hashable, _Watch] = {}
        self._lock = Lock()

    def ask(
        self, key: Hashable, work: Callable[[Report], Value], nbytes: Callable[[Value], int]
    ) -> Job[Value]:
        """The job for a key; started if it is neither done nor on its way."""
        with self._lock:
            future, mine = self._cache.claim(key)
            watch = self._watches.get(key, _Watch())
            watch.asked = time.monotonic()
            if mine:
                self._watches[key] = watch
                self._pool.submit(self._run, key, work, nbytes, watch)
        result: Future[Value] = Future()
        future.add_done_callback(lambda done: _hand_on(done, result))
        return Job(result, watch)

    def _run(
        self,
        key: Hashable,
        work: Callable[[Report], Value],
        nbytes: Callable[[Value], int],
        watch: _Watch,
    ) -> None:
        try:
            value = work(watch.report)
            kept = _Kept(value, nbytes(value))
        except BaseException as error:  # whoever waits must hear of it
            self._cache.abandon(key, error)
        else:
            self._cache.fulfil(key, kept)
        with self._lock:
            self._watches.pop(key, None)


def _hand_on(done: "Future[_Kept]", result: "Future[Any]") -> None:
    error = done.exception()
    if error is not None:
        result.set_exception(error)
    else:
        result.set_result(done.result().value)


@cache
def workshop() -> Workshop:
    """The one that all sessions share."""
    return Workshop()


def train(recipe: Recipe) -> Job[bpe.BPETraining]:
    """A training. The future raises InputError for what the reader can mend."""
    size = len(recipe.corpus)
    return workshop().ask(recipe, recipe.train, lambda trained: trained.memory() + 8 * size)


def fork(
    recipe: Recipe,
    training: bpe.BPETraining,
    *,
    tie_rule: str | None = None,
    force: tuple[int, tuple[str, str]] | None = None,
) -> Job[bpe.BPETraining]:
    """The same training with another tie rule, or with one merge forced."""
    return workshop().ask(
        (recipe, tie_rule, force),
        lambda _: bpe.fork(training, tie_rule=tie_rule, force=force),
        lambda trained: trained.memory(),
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

    return workshop().ask(("merges", text, end_of_word), work, lambda _: 8 * len(text))
