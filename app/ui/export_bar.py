"""The quiet row at the end of a view: link, numbers, an offline page, the session as a file.

Nothing is computed before a button is pressed.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
import streamlit as st

from app.components.heat_map import HeatMap, heat_map_frame
from app.components.permalink import permalink
from app.components.standalone import standalone_page
from app.content.prose import ABOUT
from app.ui import downloads, embedded, history, lesson, prediction, projector, room
from app.ui.menu import menu
from app.ui.param import AsNow, Param
from app.ui.provenance import Provenance, provenance
from app.ui.session_file import session_file
from core.limits import LINK_CHARACTERS

ASKED: Final = ("model", "text")  # a lesson's questions are about them: steps say even defaults
Table = tuple[Sequence[str], Iterable[Sequence[object]]]  # header, rows
Offline = tuple[str, Callable[[], bytes]]  # component, its frame


@dataclass(frozen=True)
class File:
    """One more file that a view hands out; without data its button is off, and `help` says why."""

    label: str
    data: Callable[[], str | bytes] | None
    name: str
    mime: str = "application/octet-stream"
    help: str | None = None


@dataclass(frozen=True)
class Export:
    """What a view hands out."""

    name: str  # of the files, without an ending
    caption: str  # what the numbers are, with the settings, in one line
    table: Callable[[], Table]
    arrays: Callable[[], Mapping[str, np.ndarray]] | None = None  # for NPZ
    more: Mapping[str, Callable[[], Table]] = field(default_factory=dict[str, Callable[[], Table]])
    """Further tables by what they hold: the numbers of the view's other figures."""
    offline: Offline | None = None
    files: Sequence[File] = ()
    left_out: str | None = None  # a sentence: what of the reader's own no link carries
    about: str = ABOUT  # the section of the view's prose that closes it
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    """What stands for `{{name}}` in the view's prose."""


def export_bar(
    page: str,
    params: Sequence[Param[Any]],
    export: Export | None,
    said: Mapping[str, str],
    adder: Callable[[Mapping[str, str]], None] = lambda _: None,
) -> None:
    """Draw the row; without a figure only session and link, which carries what is `said`.

    adder: offers to make a lesson's step of all that fits into a link.
    """
    written = {p.name: text for p in params if (text := p.written) is not None}
    light = projector.in_link() | prediction.in_link() | room.in_link() | embedded.in_link()
    short, too_long = shortened({**said, **light})
    played = said.get(lesson.NAME, "").partition(".")[0]
    whole = lesson.file_of(played)
    theirs = (export and export.left_out, *(param.left_out for param in params), too_long)
    address = partial(
        permalink,
        {**short, **whole},
        history.step(page, {**written, **light, **whole}, {**short, **whole}),
        too_long=next(filter(None, theirs), None),
        oembed=embedded.oembed_at(),
        key=history.link_key(page),
    )
    if embedded.is_on():
        with st.container(key="credit"):
            address(framed=True)
        return
    st.divider()
    with st.container(key="quiet", horizontal=True, vertical_alignment="center"):
        address()
        if export is not None:
            files = partial(_draw_files, export, params, short)
            menu("Files", f"{page}.files", files)
        menu("Session", f"{page}.session-menu", partial(session_file, page, {**written, **light}))
        st.button(
            "Start over",
            key=f"{page}.start-over",
            on_click=lambda: history.start_over(page),
            type="tertiary",
        )
        asked = {p.name: p.write(p.value) for p in params if p.name in ASKED and p.value}
        adder(shortened({**asked, **written})[0])
    room.shows(page, {**said, **lesson.room_file_of(played), **prediction.in_link()})


def shortened(written: Mapping[str, str]) -> tuple[dict[str, str], str | None]:
    """What fits into a link, and a sentence about what does not."""
    short = {name: given for name, given in written.items() if len(given) <= LINK_CHARACTERS}
    left_out = sorted(written.keys() - short.keys())
    if not left_out:
        return short, None
    return short, (
        f"The link leaves out the {' and the '.join(left_out)}: more than {LINK_CHARACTERS:,} "
        "characters. Save the session file instead."
    )


def matrix_table(
    values: np.ndarray,
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    *,
    names: tuple[str, str, str] = ("row", "column", "value"),
) -> Table:
    """A matrix as one line a cell; rows and columns without labels are numbered."""
    lines = (
        (row, column, repr(float(values[i, j])))
        for i, row in enumerate(range(values.shape[0]) if rows is None else rows)
        for j, column in enumerate(range(values.shape[1]) if columns is None else columns)
    )
    return names, lines


def offline_map(figure: HeatMap) -> Offline:
    """A heat map as the view's offline page."""
    return "heat_map", lambda: heat_map_frame(figure)


def _draw_files(export: Export, params: Sequence[Param[Any]], link: Mapping[str, str]) -> None:
    now = AsNow(params)
    for file in _files(export, provenance(link, params)):
        if file.data is None:
            st.button(file.label, disabled=True, type="tertiary", help=file.help)
        else:
            data = now.bound(file.data)
            downloads.download(file.label, data, file.name, file.mime, file.help)


def _files(export: Export, source: Provenance) -> Iterator[File]:
    name, caption = export.name, export.caption
    if export.offline is not None:
        component, frame = export.offline
        yield File(
            "HTML",
            lambda: standalone_page(name, component, frame(), caption),
            f"{name}.html",
            "text/html",
            "This figure as one page that works offline.",
        )
    yield File("CSV", partial(_csv, export.table, caption, source), f"{name}.csv", "text/csv")
    for holds, table in export.more.items():
        file = f"{name}-{holds.replace(' ', '-')}.csv"
        yield File(f"CSV: {holds}", partial(_csv, table, caption, source), file, "text/csv")
    if export.arrays is not None:
        yield File("NPZ", partial(_npz, export.arrays, caption, source), f"{name}.npz")
    yield from export.files


def _csv(table: Callable[[], Table], caption: str, source: Provenance) -> bytes:
    return downloads.csv_bytes(f"{caption} · {source.line()}", *table())


def _npz(arrays: Callable[[], Mapping[str, np.ndarray]], caption: str, source: Provenance) -> bytes:
    file = io.BytesIO()
    said = {"caption": np.array(caption), "provenance": np.array(source.json())}
    if source.picture is not None:
        said["picture"] = source.picture
    np.savez_compressed(file, allow_pickle=False, **{**said, **arrays()})
    return file.getvalue()
