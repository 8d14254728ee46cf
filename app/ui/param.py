"""One piece of a page's state: its default, its place in links and files, its present value.

What comes in a link is anybody's input: a value that is not allowed counts as absent, and one
whose parser raises InputError is told in the page (`Page` shows `Param.refusal`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final, Generic, TypeVar, cast

import streamlit as st
from typing_extensions import override

from app.ui.examples import Setting
from app.ui.lighter_streamlit.state import of_widgets
from core.errors import InputError

T = TypeVar("T")
HELD: Final[ContextVar[Mapping[str, object] | None]] = ContextVar("held", default=None)


class Param(Generic[T]):
    """One piece of state, known by `name` in links and by `key` in the session."""

    def __init__(
        self,
        scope: str,
        name: str,
        default: T,
        parse: Callable[[str], T | None],
        write: Callable[[T], str] = str,
        form: str = "",
    ) -> None:
        """`parse` gives None for nonsense, or raises InputError with words for the reader.

        form: what a link may say of it, in words.
        """
        self.name: Final = name
        self.key: Final = f"{scope}.{name}"
        self.default: Final = default
        self.parse: Final = parse
        self.write: Final = write
        self.form: Final = form

    @override
    def __repr__(self) -> str:
        return f"Param({self.key})"

    @property
    def value(self) -> T:
        """The present value; KeyError where the shown view does not list the parameter."""
        held = HELD.get()
        return cast("T", st.session_state[self.key] if held is None else held[self.key])

    @property
    def held(self) -> bool:
        """Whether it has a value; none once its view was left by a link, or by starting over."""
        return self.key in st.session_state

    def put(self, value: T) -> None:
        """Only before this run has drawn the parameter's widget, or in a callback."""
        st.session_state[self.key] = value

    def reset(self) -> None:
        self.put(self.default)

    def at(self, value: T) -> Setting[T]:
        """For a preset."""
        return Setting(self, value)

    def seed(self, given: str | None) -> None:
        """Take a link's string, or the default, where there is no value yet; keep one there is."""
        if self.keep():
            return
        st.session_state[self.key] = self.default
        if given is not None:
            self.read(given)

    def keep(self) -> bool:
        """Let the value outlive a run that does not draw its widget; whether it has one."""
        try:
            st.session_state[self.key] = st.session_state[self.key]
        except KeyError:
            return False
        return True

    def read(self, given: str) -> None:
        """Take what a link or a session file says."""
        try:
            value = self.parse(given)
        except InputError as error:
            st.session_state[self._refused] = str(error)
        else:
            self.put(self.default if value is None else value)

    @property
    def refusal(self) -> str | None:
        """Why a link's value is not shown; the next change of the parameter ends it."""
        if self.outdated:
            del st.session_state[self._refused]
        return cast("str | None", st.session_state.get(self._refused))

    @property
    def outdated(self) -> bool:
        """Whether the page still says so, though the parameter has been changed."""
        return self._refused in st.session_state and self.value != self.default

    def allow(self, words: str) -> None:
        """What a link may say of it on this page, in words: "0 to 14"."""
        if HELD.get() is None:
            st.session_state[self._allowed] = words

    @property
    def allowed(self) -> str:
        """What a view said so, else its form."""
        return cast("str", st.session_state.get(self._allowed, self.form))

    def shown(self, value: T) -> str:
        """A value as a message tells it; "" for one that stands for the view's own choice."""
        return self.write(value)

    @property
    def left_out(self) -> str:
        """A sentence: what of the reader's own it stands for that no link carries; mostly ""."""
        return ""

    @property
    def told(self) -> bool:
        """Whether the page says in words of its own why a link's value is not shown."""
        return self._refused in st.session_state or self.unknown in st.session_state

    @property
    def unknown(self) -> str:
        """The session key of a model that a link asks in vain (app/ui/model_picker.py)."""
        return f"{self.key}:unknown"

    @property
    def written(self) -> str | None:
        """What a link says of it; None at the default."""
        value = self.value
        return None if value == self.default else self.write(value)

    @property
    def _allowed(self) -> str:
        return f"{self.key}:allowed"

    @property
    def _refused(self) -> str:
        return f"{self.key}:refused"


def outlive(params: Iterable[Param[Any]]) -> None:
    """Let the values of what this run does not draw outlive it."""
    every = {param.key: param for param in params}
    for key in of_widgets(every):
        every[key].keep()


class AsNow:
    """The parameters as they are now, for what is computed whenever and wherever.

    A download's data is computed when its button is pressed, outside of any session.
    """

    def __init__(self, params: Sequence[Param[Any]]) -> None:
        self._values: Final = {param.key: param.value for param in params}

    def bound(self, compute: Callable[[], T]) -> Callable[[], T]:
        """`compute` with these values."""

        def later() -> T:
            token = HELD.set(self._values)
            try:
                return compute()
            finally:
                HELD.reset(token)

        return later
