"""What sizes are allowed, and the words that refuse the others."""

from core.errors import InputError

LARGEST_TABLE = 2**24  # numbers in one array: 64 MiB of float32


def check_positions(n_positions: int) -> None:
    """Raises InputError without a single position."""
    if n_positions < 1:
        raise InputError(
            f"{n_positions} positions leave nothing to encode. Give at least one position."
        )


def check_width(width: int, name: str = "d_model") -> None:
    """Raises InputError for a width whose dimensions do not come in pairs of sine and cosine."""
    if width < 2:
        raise InputError(f"{name} is {width}. It needs at least one pair, sine and cosine: give 2.")
    if width % 2:
        raise InputError(
            f"{name} is {width}, an odd number, but sine and cosine come in pairs. "
            f"Give {width - 1} or {width + 1}."
        )


def check_base(base: float) -> None:
    """Raises InputError for a base that makes no ladder of wavelengths."""
    if not 1 < base < 1e12:  # NaN fails, too
        raise InputError(f"The base is {base:g}. Give a number above 1 and below 10¹².")


def check_table(*axes: int) -> None:
    """Raises InputError for an array too large to be made at once."""
    size = 1
    for axis in axes:
        size *= axis
    if size > LARGEST_TABLE:
        raise InputError(
            f"{' × '.join(f'{axis:,}' for axis in axes)} are {size:,} numbers; up to "
            f"{LARGEST_TABLE:,} are made at once. Take fewer positions or dimensions."
        )
