"""What every head of a model does over inputs of our own, measured once for all."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Final

from app.services import engine, models, relations, vision
from app.services.vision import Picture
from core.data.known_roles import Roles, known_roles
from core.data.pictures import squares
from core.data.sentences import repeated_words, sentences
from core.engine import Job, Lane
from core.errors import InputError
from core.explain.attention.head_roles import (
    RoleMasses,
    RoleScore,
    head_roles,
    role_masses,
    with_scores,
)
from core.explain.attention.relation_heads import role_scores
from core.explain.attention.role_patterns import ALIGNED, INDUCTION, SYNTACTIC
from core.long_work import Progress, Report
from core.outputs.families import TextModel
from core.outputs.head_measures import HeadMeasures
from core.trace import AttentionKind

SLICE: Final = 10  # texts at a time: what others ask comes in between
ABANDONED: Final = 20.0  # seconds without anybody asking, after which it ends
SIZE: Final = 2_000_000  # bytes at most of what is kept of a model

ByKind = Mapping[AttentionKind, Roles]
Scores = Mapping[tuple[int, int], RoleScore]
Measures = Mapping[AttentionKind, HeadMeasures]


def known(model_id: str) -> ByKind | None:
    """Every head's role as it was measured before the model came on board, if it was."""
    return engine.derived(("known roles", model_id), lambda: known_roles(model_id), lambda _: SIZE)


def of_model(model_id: str) -> Job[ByKind]:
    """Every head's role, on its way. Raises what opening the model raises."""
    return engine.start(
        ("head roles", model_id),
        lambda report: measured(model_id, report),
        Lane.MEASUREMENTS,
        nbytes=lambda _: SIZE,
        patience=ABANDONED,
    )


def measured(model_id: str, report: Report) -> ByKind:
    """The same here and now: every text or picture, a few at a time."""
    card = models.card_of(model_id)
    if card is not None and card.family in models.PICTURES:
        return _over_pictures(model_id, report)
    return _over_texts(model_id, report)


def _over_texts(model_id: str, report: Report) -> ByKind:
    found = measures(model_id, report)
    by_kind = {kind: roles_of([one[kind] for one in found]) for kind in found[0]}
    text, *_ = by_kind  # the self-attention that runs over the reader's text
    by_kind[text] = _with(by_kind[text], SYNTACTIC, partial(_syntax, model_id, report))
    if AttentionKind.CROSS in by_kind:
        cross = by_kind[AttentionKind.CROSS]
        by_kind[AttentionKind.CROSS] = _with(cross, ALIGNED, partial(_aligned, model_id, report))
    return by_kind


def measures(model_id: str, report: Report) -> list[Measures]:
    """Of every text of our own, a few at a time."""
    plain, repeated = sentences(), repeated_words()
    found: list[Measures] = []
    for texts, only in ((plain, None), (repeated, (INDUCTION,))):
        for start in range(0, len(texts), SLICE):
            report(Progress("texts", len(found), len(plain) + len(repeated)))
            part = texts[start : start + SLICE]
            found += engine.ask(TextModel.head_measures, model_id, part, only=only).result()
    return found


def _with(roles: Roles, role: str, scores: Callable[[bool], Scores]) -> Roles:
    """One more role; `scores` takes whether what is written counts."""
    written = roles.written
    return Roles(
        with_scores(roles.weights, role, scores(False)),  # noqa: FBT003
        None if written is None else with_scores(written, role, scores(True)),  # noqa: FBT003
    )


def _syntax(model_id: str, report: Report, written: bool) -> Scores:
    try:
        found = relations.measured(model_id, written=written, report=report)
    except InputError:  # its tokens have no places in a text
        return {}
    return role_scores(found.table, len(found.sentences))


def _aligned(model_id: str, report: Report, written: bool) -> Scores:
    table = relations.aligned(model_id, written=written, report=report)
    return role_scores(table, max((one.n_sentences for one in table), default=0))


def roles_of(every: Sequence[HeadMeasures]) -> Roles:
    """Every head's role over these texts."""
    written = [one.written for one in every]
    known = [one for one in written if one is not None]
    return Roles(
        head_roles([one.weights for one in every]),
        head_roles(known) if len(known) == len(written) else None,
    )


def _over_pictures(model_id: str, report: Report) -> ByKind:
    found: list[Mapping[AttentionKind, RoleMasses]] = []
    pictures = _pictures()
    for start in range(0, len(pictures), SLICE):
        report(Progress("pictures", start, len(pictures)))
        asked = [vision.trace(model_id, one)[1] for one in pictures[start : start + SLICE]]
        traces = [future.result() for future in asked]
        found += [{kind: role_masses(trace, kind) for kind in trace.kinds} for trace in traces]
    return {kind: Roles(head_roles([one[kind] for one in found]), None) for kind in found[0]}


@cache
def _pictures() -> tuple[Picture, ...]:
    digests = (hashlib.sha256(image.tobytes()).hexdigest() for image in squares())
    return tuple(
        Picture(f"square {number}", digest, image)
        for number, (digest, image) in enumerate(zip(digests, squares(), strict=True))
    )
