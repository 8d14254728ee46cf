"""A page: its state from the link, title, views, lead, the body, the prose, the export bar.

Every page of the app is a `Page` of `View`s, declared in `app/views/<page>/__init__.py`. The page
draws all that pages share; a view's `figure` draws its controls and figures and returns what can
be taken along, and what is changed within reruns it alone. A view with an input line has a
`render` instead, which draws that line and returns such a function; where all its controls stand
in the line, it may draw the figures, too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import count
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.components import selection
from app.content.prose import ABOUT, prose
from app.style.markdown_escape import plain
from app.ui import (
    beginnings,
    carried,
    embedded,
    history,
    input_line,
    lesson,
    prediction,
    projector,
    recovery,
    replaced,
    room,
    run_number,
    session_file,
)
from app.ui.export_bar import Export, export_bar
from app.ui.navigation import PLACES
from app.ui.param import outlive
from app.ui.params import Choice, Param, Scope
from app.ui.provenance import note_picture

ENTERED: Final = "page.entered"
PROJECTED: Final = 30  # characters of a title that has the views and the input beside it
NUMBERING: Final = (
    "Layers, heads, positions, rows and columns are counted from 0; “input” stands before layer 0."
)

Figure = Callable[[], Export | None]
Drawn = Export | Figure | None


@dataclass(frozen=True)
class View:
    """One view of a page, or one part of a view."""

    id: str  # in links, and its prose's file name; "" where a page has but one view
    title: str = ""
    params: Sequence[Param[Any]] = ()  # all that it reads, shared ones too: they make its link
    render: Callable[[], Drawn] = lambda: None
    display: Callable[[], None] | None = None  # its rarely used controls
    figure: Figure | None = None  # instead of `render`, where no input line stands above it
    parts: Sequence["View"] = ()  # instead of the five above: a second row of choices


@dataclass(frozen=True)
class Shown:
    """The view and the part of it that a reader has before them."""

    params: tuple[Param[Any], ...]
    view: View
    path: str  # of the prose


@dataclass(frozen=True)
class Page:
    """A page of the app. `entered` is called once when a reader comes, with what the link said."""

    id: str  # the url path
    title: str  # a question
    views: Sequence[View]
    entered: Callable[[Mapping[str, str]], None] = field(default=lambda _: None)

    @cached_property
    def view(self) -> Choice[str]:
        """Which view is shown."""
        return Scope(self.id).choice("view", {view.id: view.title for view in self.views})

    @cached_property
    def _lesson(self) -> lesson.AtStep:
        """Which step of a lesson stands beside the page."""
        return lesson.AtStep(self.id)

    @cached_property
    def _parts(self) -> dict[str, Choice[str]]:
        """Which part of a view is shown, by view."""
        return {
            view.id: Scope(self.id, view.id).choice(
                "part", {part.id: part.title for part in view.parts}
            )
            for view in self.views
            if view.parts
        }

    @property
    def shown(self) -> Shown:
        """What the present state shows."""
        view = next(view for view in self.views if view.id == self.view.value)
        switches = (self._lesson, *([self.view] if len(self.views) > 1 else []))
        path = f"{self.id}/{view.id}" if view.id else self.id
        if not view.parts:
            return Shown((*switches, *view.params), view, path)
        which = self._parts[view.id]
        if not which.held:
            which.reset()
        part = next(part for part in view.parts if part.id == which.value)
        return Shown((*switches, which, *part.params), part, f"{path}/{part.id}")

    @cached_property
    def _params(self) -> tuple[Param[Any], ...]:
        """Every view's, and which part of it is shown."""
        views = [one for view in self.views for one in (view, *view.parts)]
        return (*self._parts.values(), *(param for view in views for param in view.params))

    @cached_property
    def _names(self) -> frozenset[str]:
        """Of all parameters that a link to this page may have."""
        return frozenset(param.name for param in (self._lesson, self.view, *self._params))

    def render(self) -> None:
        """Draw the page."""
        lesson.follow(self.id)
        shown = self._restore()
        note_picture(None)
        asked = lesson.beside(self.id, self._lesson, shown.params)
        line = self._head(shown)
        for param in shown.params:
            if param.refusal:
                st.warning(plain(param.refusal), icon=":material/info:")
        if asked is not None:
            asked.draw()
            _export_bar(self.id, shown, None)
            return
        notices = st.container()
        with input_line.placed(line, notices):
            drawn = shown.view.figure or shown.view.render()
        if callable(drawn):
            _figure(self.id, shown, drawn, count())
        else:
            _close(self.id, shown, drawn)
        with notices:
            replaced.tell(self.id)

    def _head(self, shown: Shown) -> DeltaGenerator:
        """Title, views and lead: little, so that the figure begins soon; the place of the input."""
        with st.container(key="head", gap=None):
            with st.container(key="head-title", horizontal=True, vertical_alignment="center"):
                if projector.is_on():
                    short = self._parts or len(self.title) > PROJECTED
                    st.title(PLACES[self.id].label if short else self.title, width="content")
                    self._switches()
                else:
                    st.title(self.title, width="content")
                    with st.container(key="lead"):
                        st.markdown(prose(shown.path).lead)
                beside = st.container(key="head-input")
                with st.popover("Display", icon=":material/tune:", width="content"):
                    if shown.view.display is not None:
                        shown.view.display()
                    projector.toggle(self.id)
                    prediction.toggle(self.id)
                    room.opener(self.id)
                    st.caption(NUMBERING)
            if not projector.is_on():
                self._switches()
            below = st.container(key="head-line")
            return beside if projector.is_on() else below

    def _switches(self) -> None:
        """Which view, and which part of it; on a projector they share the title's line."""
        switches = [("View", self.view)] if len(self.views) > 1 else []
        if which := self._parts.get(self.view.value):
            switches.append(("Part", which))
        for label, which in switches:
            if projector.is_on():
                which.selectbox(label, quiet=True)
            else:
                which.segmented(label, quiet=True, wrap=True)

    def _restore(self) -> Shown:
        """Take the link's state on entering; keep the session's afterwards."""
        link = session_file.opened(self.id)
        back = link is None and (link := history.returned(self.id)) is not None
        came = st.session_state.get(ENTERED) != self.id
        entered = link is not None or came
        asked = st.query_params.to_dict() if came else {}
        left = history.left(self.id) if came and asked.keys().isdisjoint(self._names) else None
        if came:
            st.session_state[ENTERED] = self.id
            history.forget(self.id)
        if entered and (link is not None or left is None):
            for key in [key for key in st.session_state if str(key).startswith(f"{self.id}.")]:
                if str(key).endswith(selection.SLOT):
                    selection.forget(str(key).removesuffix(selection.SLOT))
                elif not (back and str(key).endswith(carried.OWN)):
                    del st.session_state[key]
        recovery.recover(param for param in self._params if param.held)
        if link is None:
            link = asked if left is None else left
        self.view.seed(link.get(self.view.name))
        if (wanted := st.session_state.pop(f"{self.id}.go", None)) is not None:
            self.view.put(wanted)
        if which := self._parts.get(self.view.value):
            which.seed(link.get(which.name))
        shown = self.shown
        outlive(param for param in self._params if param not in shown.params)
        for param in shown.params:
            param.seed(link.get(param.name))
        if entered:
            replaced.ask(self.id, shown.params, link)
            beginnings.note(self.id, untouched=beginnings.is_bare(link))
            self.entered(link)
        return shown


@dataclass(frozen=True)
class Leaflet:
    """A page that has no state: nothing in its link, nothing to take along."""

    id: str  # the url path
    draw: Callable[[], None]

    def render(self) -> None:
        st.session_state[ENTERED] = self.id
        self.draw()
        room.shows(self.id, {})


def show_next(page: str, view: str) -> None:
    """Show another view of the page in the next run; for callbacks."""
    st.session_state[f"{page}.go"] = view


def go(page: str, view: str) -> None:
    """Show another view of the page, from within a figure."""
    show_next(page, view)
    st.rerun(scope="app")


@run_number.fragment
def _figure(page: str, shown: Shown, draw: Figure, runs: Iterator[int]) -> None:
    """What a click within redraws, again and again."""
    with recovery.guarded(page):
        if next(runs):
            kept = [param.keep() for param in shown.params]
            left = not all(kept)  # by a run that was cut short
            told = replaced.outdated(page) or any(param.outdated for param in shown.params)
            if left or told or recovery.broken() or history.hear(page):
                st.rerun(scope="app")  # what broke it, is undone or no longer true stands outside
        _close(page, shown, draw())


def _close(page: str, shown: Shown, export: Export | None) -> None:
    """The prose, and what can be taken along."""
    section = ABOUT if export is None else export.about
    if section in prose(shown.path).sections and not embedded.is_on():
        about(shown.path, None if export is None else export.facts, section)
    _export_bar(page, shown, export)
    recovery.drawn(shown.params)


def _export_bar(page: str, shown: Shown, export: Export | None) -> None:
    said = beginnings.link_says(page, shown.path, shown.params)
    title = shown.view.title or PLACES[page].label
    adder = partial(lesson.adder, page, title, prose(shown.path).lead)
    export_bar(page, shown.params, export, said, adder)


def about(path: str, facts: Mapping[str, str] | None, section: str = ABOUT) -> None:
    """What am I looking at? With the facts of what is shown; None where nothing is."""
    st.subheader(ABOUT)
    text = prose(path)
    columns = text.without_facts(section) if facts is None else text.columns(section, facts)
    for place, text in zip(st.columns(len(columns), gap="large"), columns, strict=True):
        place.markdown(text)
