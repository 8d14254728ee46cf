"""Printed arithmetic that adds up: as many digits as make every step follow from its operands.

A reader with a calculator types in what is printed, rounds what comes out to the digits of the
printed result, and has it. So 21.7 ÷ √32 = 3.83 will not do (it is 3.84): 21.68 ÷ √32 = 3.83.

app/components/worked.js says the same in the browser, digit for digit.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from app.style.number_format import rounded, significant

LEAST: Final = 3  # significant digits
MOST: Final = 9  # float32 have no more
CLOSE: Final = 1e-11  # relative: results so near to a tie round either way on a calculator
WHOLE: Final = 999_999  # up to here numbers are written out
MOST_PASSES: Final = 400


Compute = (
    Callable[[float], float]
    | Callable[[float, float], float]
    | Callable[[float, float, float], float]
    | Callable[[float, float, float, float, float], float]
)


@dataclass(frozen=True, slots=True)
class Step:
    """`result` = compute(operands); all are names of quantities."""

    result: str
    operands: tuple[str, ...]
    compute: Compute

    def of(self, values: Sequence[float]) -> float:
        return cast("Callable[..., float]", self.compute)(*values)


def follow(values: Mapping[str, float], steps: Sequence[Step]) -> dict[str, str]:
    """Every quantity as it is printed, the same wherever it stands.

    Where the rounding of float32 alone parts a result from its operands, so that no digits help,
    it is printed as what they make of it. Steps come in the order in which they are read.
    """
    given = tuple(values.items()), tuple(steps)
    found = _followed if all(map(_comes_again, steps)) else _followed.__wrapped__
    return dict(found(*given))


def _comes_again(one: Step) -> bool:
    """Whether its function is a module's own: others are new each time, and may hold a trace."""
    named = getattr(one.compute, "__name__", "<lambda>") != "<lambda>"
    return named and getattr(one.compute, "__closure__", None) is None


@lru_cache(maxsize=1024)  # the same arithmetic is printed again at every click
def _followed(values: tuple[tuple[str, float], ...], steps: tuple[Step, ...]) -> Mapping[str, str]:
    return _Digits(dict(values), steps).texts()


def step(operands: Sequence[float], result: float, compute: Compute) -> tuple[tuple[str, ...], str]:
    """One step alone: its operands and its result as they are printed."""
    names = tuple(str(number) for number in range(len(operands)))
    texts = follow(
        dict(zip(names, operands, strict=True)) | {"result": result},
        [Step("result", names, compute)],
    )
    return tuple(texts[name] for name in names), texts["result"]


def choices(bits: float) -> tuple[str, str]:
    """An entropy, and how many equally likely things have as much."""
    (said,), count = step([bits], 2**bits, _two_to)
    return said, count


def nats(loss: float) -> tuple[str, str]:
    """−ln P and P, as both are printed side by side."""
    (said,), chance = step([loss], math.exp(-loss), _exp_of_minus)
    return said, chance


def _two_to(bits: float) -> float:
    return 2**bits


def _exp_of_minus(loss: float) -> float:
    return math.exp(-loss)


def total(*terms: float) -> float:
    """The sum; of terms that an order can't move."""
    return math.fsum(terms) if all(map(math.isfinite, terms)) else sum(terms)


def product(*factors: float) -> float:
    return math.prod(factors)


def term(text: str) -> str:
    """A printed operand, in brackets if it is negative."""
    return f"({text})" if text.startswith("−") else text


class _Digits:
    """How many significant digits each quantity has."""

    def __init__(self, values: dict[str, float], steps: Sequence[Step]) -> None:
        self.values, self.steps = values, steps
        self.digits = {name: _least(value) for name, value in values.items()}

    def texts(self) -> dict[str, str]:
        for _ in range(MOST_PASSES):
            mended = [self._mended(one) for one in reversed(self.steps)]
            if not any(mended):
                break
        return {name: significant(value, self.digits[name]) for name, value in self.values.items()}

    def _mended(self, one: Step) -> bool:
        """Whether digits had to be added for a step."""
        shown = [rounded(self.values[name], self.digits[name]) for name in one.operands]
        if self._gives(one, one.of(shown)):
            return False
        true = [self.values[name] for name in one.operands]
        exact = one.of(true)
        if not self._gives(one, exact):
            self._fit_result(one, exact)
            return True
        effects = [
            _size(one.of([*true[:i], value, *true[i + 1 :]]) - exact)
            if self.digits[one.operands[i]] < MOST
            else 0.0
            for i, value in enumerate(shown)
        ]
        largest = max(effects, default=0.0)
        for name, effect in zip(one.operands, effects, strict=True):
            if effect > 0 and effect >= largest / 2:
                self.digits[name] += 1
        return largest > 0

    def _gives(self, one: Step, value: float) -> bool:
        """Whether a value rounds to the printed result, however a calculator rounds."""
        digits = self.digits[one.result]
        printed = significant(self.values[one.result], digits)
        return all(
            significant(value * share, digits) == printed for share in (1 - CLOSE, 1, 1 + CLOSE)
        )

    def _fit_result(self, one: Step, exact: float) -> None:
        """More digits for a result at a tie; without the rounding of float32 if that shows."""
        had = self.digits[one.result]
        for value in (self.values[one.result], exact):
            self.values[one.result] = value
            for digits in range(had, MOST + 1):
                self.digits[one.result] = digits
                if self._gives(one, exact):
                    return


def _least(value: float) -> int:
    """1,024, not 1,020: nobody can see which zeros are rounded."""
    return max(LEAST, len(f"{abs(value):.0f}")) if abs(value) < WHOLE else LEAST


def _size(value: float) -> float:
    return 0.0 if math.isnan(value) else abs(value)
