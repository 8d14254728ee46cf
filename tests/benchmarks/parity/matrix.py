"""All families, one after the other, each in a folder of its own."""

import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import transformers

from tests.benchmarks.parity.outcome import Outcome
from tests.benchmarks.parity.pictures import (
    ARCHITECTURES,
    OF_TRANSFORMERS,
    timm_outcome,
    transformers_outcome,
)
from tests.benchmarks.parity.texts import text_families, text_outcome

PARTS: Final[tuple[tuple[tuple[str, ...], Callable[[str, Path], Outcome]], ...]] = (
    (tuple(sorted(text_families())), text_outcome),
    (OF_TRANSFORMERS, transformers_outcome),
    (ARCHITECTURES, timm_outcome),
)


def outcomes(tell: Callable[[str], object] = lambda _: None) -> list[Outcome]:
    """What came of every family; `tell` hears of each."""
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    found: list[Outcome] = []
    for families, outcome_of in PARTS:
        for family in families:
            with TemporaryDirectory() as folder, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found.append(outcome_of(family, Path(folder)))
            tell(f"{found[-1].library}  {family}: {found[-1].verdict} {found[-1].detail[:120]}")
    return found
