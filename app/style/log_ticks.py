"""Ticks of logarithmic axes, written out: Plotly's own say “2” for 200."""

import math
from collections.abc import Sequence
from typing import Any, Final

from app.style.number_format import RAISED

MOST_TICKS: Final = 10  # decades of an axis that are written out


def log_ticks(values: Sequence[Any]) -> dict[str, Any]:
    """Ticks at 1, 2, 5, 10 … over the values, as the settings of a Plotly axis."""
    numbers = [float(value) for value in values if float(value) > 0] or [1.0]
    low, high = math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers)))
    steps = (1, 2, 5) if high - low <= 4 else (1,)
    stride = max(1, math.ceil((high - low) / MOST_TICKS))
    ticks = [step * 10.0**power for power in range(low, high + 1, stride) for step in steps]
    return {"tickvals": ticks, "ticktext": [_short(tick) for tick in ticks]}


def _short(value: float) -> str:
    """A round number as a tick says it: 200, 5 k, 10 M, 10⁻⁶."""
    if not 1e-4 < value < 9e11:
        power = math.floor(math.log10(value) + 1e-9)
        step = round(value / 10.0**power)
        raised = f"10{str(power).translate(RAISED)}"
        return raised if step == 1 else f"{step} · {raised}"
    for size, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g} {name}"
    return f"{value:g}"
