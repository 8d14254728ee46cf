"""A field for a reader's file: read as it comes, then its bytes go and the field is empty again.

What is wrong with a file is told until the next one comes; what was there before it stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.uploaded import contents_of, given_in, let_go
from core.errors import InputError

MOST_SENT: Final = 64  # MB that may come, only to be told that they are too many

Read = Callable[[str, bytes], None]  # of a file's name and its content; raises InputError
ReadAll = Callable[[dict[str, bytes]], None]  # the same of several


@dataclass(frozen=True, slots=True)
class FileField:
    """One place of a page that files are given at; `key` begins what the session keeps of it."""

    key: str

    def ask(
        self, label: str, read: Read, *, types: Sequence[str] | None = None, most: int = MOST_SENT
    ) -> None:
        """Draw it for a file of up to `most` MB; `read` is called before the next run."""
        self._ask(label, _first(read), most, type=types)

    def ask_several(self, label: str, read: ReadAll, *, most: int = MOST_SENT) -> None:
        """The same for files that belong together; `read` gets their contents by name."""
        self._ask(label, read, most, accept_multiple_files=True)

    def _ask(self, label: str, read: ReadAll, most: int, **more: Any) -> None:
        key, take = self._widget("file"), self._take
        st.file_uploader(
            label, max_upload_size=most, key=key, on_change=take, args=(key, read), **more
        )

    def ask_camera(self, label: str, read: Read) -> None:
        """Draw the camera as one more way to give a file."""
        key = self._widget("camera")
        st.camera_input(label, key=key, on_change=self._take, args=(key, _first(read)))

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

    def _take(self, widget: str, read: ReadAll) -> None:
        self.forget_problem()
        given = given_in(widget)
        if not given:
            return
        st.session_state[f"{self.key}:turn"] += 1
        try:
            read(contents_of(given))
        except InputError as error:
            st.session_state[self._problem] = str(error)
        finally:
            let_go(given)


def _first(read: Read) -> ReadAll:
    return lambda files: read(*next(iter(files.items())))
