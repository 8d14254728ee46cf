"""What a text model can't be given, refused with a way out."""

from collections.abc import Iterable, Mapping, Sequence

from core.catalog import ModelCard
from core.errors import InputError
from core.interventions import (
    InputChange,
    Intervention,
    PositionChange,
    ReplaceTokens,
    SilenceHead,
    SilenceNeuron,
    StreamChange,
)
from core.models.positions.tables import refuse_mixed_positions
from core.trace import AttentionKind


def refuse_unknown(card: ModelCard, given: Mapping[str, object], *, allowed: set[str]) -> None:
    """Raises InputError for a pair or a target that a family can't take."""
    unknown = sorted({name for name, value in given.items() if value is not None} - allowed)
    if unknown:
        raise InputError(f"{card.title} takes no {' and no '.join(unknown)}: leave it empty.")


def refuse_misfits(
    card: ModelCard,
    promised: Mapping[AttentionKind, int],
    paths: Iterable[str],
    interventions: Sequence[Sequence[Intervention]],
    *,
    replacing: bool = False,
) -> None:
    """Raises InputError for changes of heads, kinds or patches that a model doesn't have.

    promised: its attention layers of each kind. paths: its modules' names. replacing: whether
    this question can have other tokens in the text.
    """
    for change in (change for changes in interventions for change in changes):
        if isinstance(change, InputChange):
            _refuse_input_change(card, change, replacing=replacing)
            continue
        if isinstance(change, PositionChange):  # the forward knows how many there are
            refuse_mixed_positions(card, paths)
            continue
        if isinstance(change, StreamChange):
            _refuse_misfit_stream(card, promised, change)
            continue
        if change.kind is None and len(promised) > 1:
            raise InputError(f"Say which kind of attention: {', '.join(promised)}.")
        kind = next(iter(promised)) if change.kind is None else change.kind
        if kind not in promised:
            raise InputError(f"{card.title} has {', '.join(promised)} attention, not {kind}.")
        layers, heads = promised[kind], card.heads
        if not 0 <= change.layer < layers or not 0 <= change.head < heads:
            raise InputError(
                f"There is no layer {change.layer}, head {change.head}: {card.title} has "
                f"layers 0 to {layers - 1} and heads 0 to {heads - 1}."
            )


def _refuse_input_change(card: ModelCard, change: InputChange, *, replacing: bool) -> None:
    if not isinstance(change, ReplaceTokens):
        raise InputError(f"{card.title} reads text: it has no patches to hide.")
    if not replacing:
        raise InputError(
            "Tokens are replaced in traces and in measured answers; ask this of a text with other "
            "words instead."
        )


def _refuse_misfit_stream(
    card: ModelCard, promised: Mapping[AttentionKind, int], change: StreamChange
) -> None:
    stacks = [kind for kind in promised if kind != AttentionKind.CROSS]
    if change.stack is None and len(stacks) > 1:
        raise InputError(f"Say which stack: {', '.join(stacks)}.")
    stack = stacks[0] if change.stack is None else change.stack
    if stack not in stacks:
        raise InputError(f"{card.title} has no {stack} stack, but {', '.join(stacks)}.")
    if not 0 <= change.layer < promised[stack]:
        raise InputError(
            f"There is no layer {change.layer}: {card.title} has layers 0 to {promised[stack] - 1}."
        )


def refuse_means_of_one(interventions: Iterable[Intervention]) -> None:
    """Raises InputError for a mean over positions where a pass reads a single one."""
    silenced = [one for one in interventions if isinstance(one, (SilenceHead, SilenceNeuron))]
    if any(change.fill == "mean" for change in silenced):
        raise InputError(
            "While writing, a model reads one token at a time, so a mean over the text is what is "
            "said just there. Silence with zero instead, or trace a finished text."
        )
