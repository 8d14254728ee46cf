"""A field for a reader's file: read as it comes, then its bytes go and the field is empty again.

What is wrong with a file is told until the next one comes; what was there before it stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, cast

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.uploaded import content_of, given_in
from core.errors import InputError

MOST_SENT: Final = 64  # MB that may come, only to be told that they are too many

Read = Callable[[str, bytes], None]  # of a file's name and its content; raises InputError


@dataclass(frozen=True, slots=True)
class FileField:
    """One place of a page that files are given at; `key` begins what the session keeps of it."""

    key: str

    def ask(
        self, label: str, read: Read, *, types: Sequence[str] | None = None, most: int = MOST_SENT
    ) -> None:
        """Draw it for a file of up to `most` MB; `read` is called before the next run."""
        key = self._widget("file")
        st.file_uploader(
            label,
            type=types,
            max_upload_size=most,
            key=key,
            on_change=self._take,
            args=(key, read),
        )

    def ask_camera(self, label: str, read: Read) -> None:
        """Draw the camera as one more way to give a file."""
        key = self._widget("camera")
        st.camera_input(label, key=key, on_change=self._take, args=(key, read))

    def tell_problem(self) -> None:
        """Say what was wrong with the last file."""
        if problem := cast("str | None", st.session_state.get(self._problem)):
            st.warning(plain(problem), icon=":material/info:")

    def forget_problem(self) -> None:
        """For callbacks of what is chosen in place of a file."""
        st.session_state.pop(self._problem, None)

    @property
    def _problem(self) -> str:
        return f"{self.key}:problem"

    def _widget(self, kind: str) -> str:
        """Every file has a widget of its own, so that the last one's bytes can go."""
        return f"{self.key}:{kind}:{st.session_state.setdefault(f'{self.key}:turn', 0)}"

    def _take(self, widget: str, read: Read) -> None:
        self.forget_problem()
        given = next(iter(given_in(widget)), None)
        if given is None:
            return
        st.session_state[f"{self.key}:turn"] += 1
        try:
            with content_of(given) as content:
                read(given.name, content)
        except InputError as error:
            st.session_state[self._problem] = str(error)
