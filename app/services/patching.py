"""One text run with another's activations, at one place after the other."""

from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np
from jaxtyping import Float32

from app.services import engine, text_maps
from app.services.engine import ask
from app.services.silencing import ABANDONED, Heads, Question, in_slices, measured
from core.engine import Job, Lane
from core.errors import InputError
from core.explain.attention.ablation_sweep import Variants
from core.explain.attention.activation_patching import (
    PatchSweep,
    head_patches,
    patch_sweep,
    stream_patches,
)
from core.interventions import ReplaceTokens, Stream
from core.long_work import Report
from core.outputs.families import Encoder, TextModel, Translator
from core.targets import Measured
from core.trace import AttentionKind, Trace

HEADS: Final = "heads"
MOST: Final = 64  # tokens


@dataclass(frozen=True, slots=True, eq=False)
class Patched:
    """What another text's activations do."""

    sweep: PatchSweep
    source: float  # the number of the other text
    columns: tuple[str, ...]  # heads, or tokens
    of: str  # which of them


def patching(
    question: Question, other: str, heads: Heads, part: str, quantity: Measured
) -> Job[Patched]:
    """Every place patched from another text, on its way.

    The other text has the question's mask, or its target, in the same places. part: HEADS, or a
    `Stream` of the stack that attends. Raises InputError for texts of different lengths, and for
    more tokens than are patched one by one.
    """

    stack = _stack(heads.kind)

    def work(report: Report) -> Patched:
        mine = _traced(question)
        source = _traced(replace(question, text=other), blocks=part in ("attention", "mlp"))
        names = _alike(mine, source, stack)
        if part == HEADS:
            patches = head_patches(source, heads.kind)
        else:
            patches = stream_patches(source, cast("Stream", part), stack)

        def measure(variants: Variants) -> Float32[np.ndarray, " variant"]:
            return in_slices(question, variants, quantity, report, "places")

        sweep = patch_sweep(measure, patches)
        there = measured(replace(question, text=other), ((),), quantity).result()
        columns = tuple(map(str, range(heads.each))) if part == HEADS else names
        return Patched(sweep, float(there[0]), columns, "head" if part == HEADS else "token")

    key = ("patching", question, other, heads, part, quantity)
    return engine.start(key, work, Lane.MEASUREMENTS, patience=ABANDONED)


def places(trace: Trace, kind: AttentionKind) -> int:
    """The tokens of the stack that attends."""
    return len(text_maps.encodings(trace, _stack(kind))[0].tokens)


def _stack(kind: AttentionKind) -> AttentionKind:
    return AttentionKind.DECODER if kind == AttentionKind.CROSS else kind


def _traced(question: Question, *, blocks: bool = False) -> Trace:
    model, text = question.model_id, question.text
    if question.said is not None:
        decoded = ask(Translator.decode, model, text, prefix=question.said, blocks=blocks)
        return decoded.result().trace
    edits = (ReplaceTokens(question.edits),) if question.edits else ()
    if question.pair is not None:
        pair = question.pair
        asked = ask(Encoder.trace, model, text, pair=pair, interventions=edits, blocks=blocks)
    else:
        asked = ask(TextModel.trace, model, text, interventions=edits, blocks=blocks)
    return asked.result()


def _alike(mine: Trace, source: Trace, stack: AttentionKind) -> tuple[str, ...]:
    """The tokens of the stack that is patched. Raises InputError where both don't have as many."""
    here, there = (text_maps.encodings(trace, stack)[0].tokens for trace in (mine, source))
    counts = len(here), len(there)
    if counts[0] != counts[1]:
        raise InputError(
            f"The sentences have {counts[0]} and {counts[1]} tokens: "
            f"{' '.join(here)[:200]} and {' '.join(there)[:200]}. Patching puts "
            "one in the other's place, so they need the same number: exchange a word for one "
            "that is a single token, too."
        )
    if counts[0] > MOST:
        raise InputError(
            f"The sentences have {counts[0]} tokens; up to {MOST} are patched one by one. "
            "Shorten them."
        )
    return here
