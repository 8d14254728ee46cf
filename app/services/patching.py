"""One text run with another's activations, at one place after the other."""

from dataclasses import dataclass
from typing import Final, cast

import numpy as np
from jaxtyping import Float32

from app.services import engine
from app.services.engine import ask
from app.services.silencing import ABANDONED, Heads, Question, in_slices
from core.engine import Job, Lane
from core.errors import InputError
from core.explain.attention.ablation_sweep import Variants
from core.explain.attention.activation_patching import (
    PatchSweep,
    head_patches,
    patch_sweep,
    stream_patches,
)
from core.interventions import Stream
from core.outputs.families import TextModel
from core.progress import Report
from core.targets import Measured
from core.trace import Trace

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

    part: HEADS, or a `Stream`. Raises InputError for texts of different lengths, and for more
    tokens than are patched one by one.
    """

    def work(report: Report) -> Patched:
        model, blocks = question.model_id, part in ("attention", "mlp")
        mine = ask(TextModel.trace, model, question.text).result()
        source = ask(TextModel.trace, model, other, blocks=blocks).result()
        _refuse_unlike(mine, source)
        if part == HEADS:
            patches = head_patches(source, heads.kind)
        else:
            patches = stream_patches(source, cast("Stream", part), heads.kind)

        def measure(variants: Variants) -> Float32[np.ndarray, " variant"]:
            return in_slices(question, variants, quantity, report, "places")

        sweep = patch_sweep(measure, patches)
        there = ask(TextModel.measure, model, other, ((),), quantity).result()
        names = tuple(map(str, range(heads.each))) if part == HEADS else mine.tokens
        return Patched(sweep, float(there[0]), names, "head" if part == HEADS else "token")

    key = ("patching", question, other, heads, part, quantity)
    return engine.start(key, work, Lane.MEASUREMENTS, patience=ABANDONED)


def _refuse_unlike(mine: Trace, source: Trace) -> None:
    counts = len(mine.tokens), len(source.tokens)
    if counts[0] != counts[1]:
        raise InputError(
            f"The sentences have {counts[0]} and {counts[1]} tokens: "
            f"{' '.join(mine.tokens)[:200]} and {' '.join(source.tokens)[:200]}. Patching puts "
            "one in the other's place, so they need the same number: exchange a word for one "
            "that is a single token, too."
        )
    if counts[0] > MOST:
        raise InputError(
            f"The sentences have {counts[0]} tokens; up to {MOST} are patched one by one. "
            "Shorten them."
        )
