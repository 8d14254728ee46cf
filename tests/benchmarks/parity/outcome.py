"""What came of showing one family: its own eager maps, a refusal, or neither, which is a fault."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from core.errors import InputError

TOLERANCE: Final = 1e-5
Map = np.ndarray  # (head, query, key), or (window, head, query, key)


class Verdict(StrEnum):
    EQUAL = "equal"
    REFUSED = "refused"
    WRONG = "wrong"
    LEFT_OUT = "left out"


class Outcome(NamedTuple):
    library: str
    family: str
    verdict: Verdict
    detail: str  # the largest difference, the reason, what is wrong, why it was left out


def refused(library: str, family: str, error: InputError, folder: Path) -> Outcome:
    """The reason, the family's name for the folder's."""
    reason = str(error).replace(str(folder), family).replace(folder.name, family)
    return Outcome(library, family, Verdict.REFUSED, reason)


def compared(library: str, family: str, found: Sequence[Map], own: Iterable[Map]) -> Outcome:
    """Map by map, in layer order."""
    expected = list(own)
    if not expected or len(found) != len(expected):
        detail = f"{len(found)} maps, but the eager model has {len(expected)}"
        return Outcome(library, family, Verdict.WRONG, detail)
    worst = 0.0
    for mine, theirs in zip(found, expected, strict=True):
        if mine.shape != theirs.shape:
            detail = f"a map of {mine.shape}, the eager one is {theirs.shape}"
            return Outcome(library, family, Verdict.WRONG, detail)
        worst = max(worst, float(np.abs(mine - theirs).max()))
    verdict = Verdict.EQUAL if worst <= TOLERANCE else Verdict.WRONG
    return Outcome(library, family, verdict, f"{worst:.1g}")


def raw(library: str, family: str, error: Exception) -> Outcome:
    return Outcome(library, family, Verdict.WRONG, f"{type(error).__name__}: {error}"[:300])


def array(tensor: Any) -> np.ndarray:
    return tensor.detach().float().numpy()
