"""What every head of a text model does over sentences of our own, measured once for all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.services import engine
from core.data.sentences import repeated_words, sentences
from core.engine import Job, Lane
from core.explain.attention.head_roles import HeadRole, head_roles
from core.explain.attention.role_patterns import INDUCTION
from core.outputs.families import TextModel
from core.outputs.head_measures import HeadMeasures
from core.progress import Progress, Report
from core.trace import AttentionKind

SLICE: Final = 10  # texts at a time: what others ask comes in between
ABANDONED: Final = 20.0  # seconds without anybody asking, after which it ends
SIZE: Final = 2_000_000  # bytes at most of what is kept of a model

Layers = tuple[tuple[HeadRole, ...], ...]


@dataclass(frozen=True, slots=True)
class Roles:
    """The heads of one kind."""

    weights: Layers  # by where they look
    written: Layers | None  # by what they write there; None where the model hides it


def of_model(model_id: str) -> Job[Mapping[AttentionKind, Roles]]:
    """Every head's role, on its way. Raises what opening the model raises."""
    return engine.start(
        ("head roles", model_id),
        lambda report: _measured(model_id, report),
        Lane.MEASUREMENTS,
        nbytes=lambda _: SIZE,
        patience=ABANDONED,
    )


def _measured(model_id: str, report: Report) -> Mapping[AttentionKind, Roles]:
    found: list[Mapping[AttentionKind, HeadMeasures]] = []
    plain, repeated = sentences(), repeated_words()
    for texts, only in ((plain, None), (repeated, (INDUCTION,))):
        for start in range(0, len(texts), SLICE):
            report(Progress("texts", len(found), len(plain) + len(repeated)))
            part = texts[start : start + SLICE]
            found += engine.ask(TextModel.head_measures, model_id, part, only=only).result()
    return {kind: _of_kind(found, kind) for kind in found[0]}


def _of_kind(found: Sequence[Mapping[AttentionKind, HeadMeasures]], kind: AttentionKind) -> Roles:
    measured = [one[kind] for one in found]
    written = [one.written for one in measured]
    known = [one for one in written if one is not None]
    return Roles(
        head_roles([one.weights for one in measured]),
        head_roles(known) if len(known) == len(written) else None,
    )
