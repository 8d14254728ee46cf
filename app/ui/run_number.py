"""The number of the run that drew the page, written into the DOM once that run is complete.

Whoever watches a page from outside (a test, a crawler, a lecturer's script) reads the number,
acts, and waits until a larger one stands there: no guess at how long an answer takes.
"""

from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import Final, ParamSpec, TypeVar

import streamlit as st

RUNS: Final = count(1)  # of the process, so that a reload goes on counting
TEST_ID: Final = "glassformer-run"
Given = ParamSpec("Given")
Result = TypeVar("Result")


def mark() -> None:
    """Write the next number; the last call of a script run and of a fragment's body."""
    st.html(f'<span data-testid="{TEST_ID}" data-run="{next(RUNS)}"></span>')


def fragment(body: Callable[Given, Result]) -> Callable[Given, Result]:
    """`st.fragment`, marked at its end."""

    @wraps(body)
    def marked(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        result = body(*args, **kwargs)
        mark()
        return result

    return st.fragment(marked)
