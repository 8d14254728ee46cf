"""Answers that come one by one: what is there, what was refused, what is still at work."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st

from app.style.markdown_escape import plain
from app.ui import progress

Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False)
class Arrived(Generic[Answer]):
    """Each name's answer, or the reason why there is none, or nothing yet; in the names' order."""

    found: Mapping[str, Answer]
    refused: Mapping[str, str]
    awaited: tuple[str, ...] = ()


def arriving(
    futures: Mapping[str, Future[Answer]], names: Sequence[str], working: Callable[[str], str]
) -> Iterator[Arrived[Answer]]:
    """What is there, whenever more is, with a line that says what is still at work.

    working: what is said of the name that is waited for.
    """
    line = st.empty()
    before: tuple[str, ...] | None = None
    try:
        for _ in progress.arrivals(futures.values()):
            arrived = _there(futures, names)
            if arrived.awaited == before:  # it came while the last drawing began
                continue
            before = arrived.awaited
            if arrived.awaited:
                here = len(names) - len(arrived.awaited)
                line.caption(f"{here} of {len(names)} are here. {working(arrived.awaited[0])} …")
            yield arrived
    except progress.TooLongError as error:
        st.warning(plain(str(error)), icon=":material/info:")
    finally:
        line.empty()


def _there(futures: Mapping[str, Future[Answer]], names: Sequence[str]) -> Arrived[Answer]:
    found: dict[str, Answer] = {}
    refused: dict[str, str] = {}
    awaited = tuple(name for name in names if not futures[name].done())
    for name in names:
        if name in awaited:
            continue
        try:
            found[name] = futures[name].result()
        except progress.READER_ERRORS as error:
            refused[name] = str(error)
    return Arrived(found, refused, awaited)
