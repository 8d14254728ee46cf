"""What every head of a text model does over many sentences: the built-in ones, or a reader's."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from app.services import engine, head_roles
from app.services.head_roles import SIZE, SLICE, Measures, roles_of
from core.data.known_roles import Roles
from core.data.sentence_files import Sentences
from core.data.sentences import repeated_words, sentences
from core.engine import Job, Lane
from core.errors import InputError
from core.explain.attention.head_roles import RoleMasses
from core.explain.attention.relative_positions import OffsetMeans, offset_means
from core.long_work import Progress, Report
from core.outputs.families import TextModel, opened_card
from core.outputs.head_measures import HeadMeasures
from core.trace import AttentionKind

ABANDONED: Final = 20.0  # seconds without anybody asking, after which it ends
TEXTS: Final = (*sentences(), *repeated_words())  # the built-in ones
QUOTED: Final = 40  # characters of a sentence that an error quotes


@dataclass(frozen=True, slots=True, eq=False)
class OverMany:
    """The heads of one kind. Roles that need annotated sentences are left out."""

    roles: Roles
    offsets: tuple[OffsetMeans, ...]  # a layer each
    n_sentences: int
    measures: tuple[HeadMeasures, ...] = ()  # of each of TEXTS; of a reader's none are kept

    @property
    def nbytes(self) -> int:
        return sum(one.nbytes for one in (*self.offsets, *self.measures))

    def masses(self, *, written: bool) -> Sequence[RoleMasses]:
        """Of each of TEXTS, by weight or by what is written; by weight where that isn't known."""
        return [one.written or one.weights if written else one.weights for one in self.measures]


Value = TypeVar("Value")
ByKind = Mapping[AttentionKind, OverMany]


def built_in(model_id: str) -> Job[ByKind]:
    """Over our own sentences, on its way. Raises what opening the model raises."""
    return _started(
        ("over built-in sentences", model_id),
        lambda report: _over(head_roles.measures(model_id, report), keep=True),
    )


def of_file(model_id: str, given: Sentences) -> Job[ByKind]:
    """Over a reader's. Raises InputError, which names the line that the model can't read."""

    def work(report: Report) -> ByKind:
        found: list[Measures] = []
        for start in range(0, len(given), SLICE):
            report(Progress("sentences", start, len(given)))
            found += _slice(model_id, given, start)
        report(Progress("sentences", len(given), len(given)))
        return _over(found)

    return _started(("over sentences", model_id, given.digest), work)


def slice_seconds(model_id: str, given: Sentences) -> Job[float]:
    """How long SLICE of them take, short and long ones alike, once the model is open."""
    sample = _sample(given)

    def work(report: Report) -> float:
        report(Progress("opening the model", 0, 1))
        engine.ask(opened_card, model_id).result()
        report(Progress("timing it", 0, 1))
        began = time.perf_counter()
        _slice(model_id, sample, 0)
        return (time.perf_counter() - began) * SLICE / len(sample)

    return _started(("seconds of sentences", model_id, given.digest), work)


def _started(key: tuple[str, ...], work: Callable[[Report], Value]) -> Job[Value]:
    return engine.start(key, work, Lane.MEASUREMENTS, nbytes=_size, patience=ABANDONED)


def _size(found: object) -> int:
    """Roles, in the size of their files; what lies beside them; a number of seconds."""
    if not isinstance(found, Mapping):
        return 64
    by_kind = cast("ByKind", found)
    return sum(SIZE + one.nbytes for one in by_kind.values())


def _sample(given: Sentences) -> Sentences:
    """SLICE of them, spread evenly over their lengths."""
    by_length = sorted(range(len(given)), key=lambda at: len(given.texts[at]))
    count = min(SLICE, len(given))
    chosen = [by_length[(2 * at + 1) * len(given) // (2 * count)] for at in range(count)]
    texts = tuple(given.texts[at] for at in chosen)
    return Sentences(given.name, texts, tuple(given.lines[at] for at in chosen))


def _slice(model_id: str, given: Sentences, start: int) -> Sequence[Measures]:
    part = given.texts[start : start + SLICE]
    try:
        return engine.ask(TextModel.head_measures, model_id, part).result()
    except InputError:
        for line, text in zip(given.lines[start:], part, strict=False):
            _read_alone(model_id, given.name, line, text)
        raise


def _read_alone(model_id: str, name: str, line: int, text: str) -> None:
    try:
        engine.ask(TextModel.head_measures, model_id, (text,)).result()
    except InputError as error:
        begins = text if len(text) <= QUOTED else f"{text[:QUOTED].rstrip()} …"
        raise InputError(f"Line {line:,} of {name} (“{begins}”) can't be read. {error}") from error


def _over(found: Sequence[Measures], *, keep: bool = False) -> ByKind:
    return {kind: _of_kind([one[kind] for one in found], keep=keep) for kind in found[0]}


def _of_kind(found: Sequence[HeadMeasures], *, keep: bool) -> OverMany:
    offsets = [one.offsets for one in found if one.offsets is not None]
    measures = tuple(found) if keep else ()
    return OverMany(roles_of(found), offset_means(offsets), len(offsets), measures)
