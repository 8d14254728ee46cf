"""What a reader uploaded: read once, then the server's copy of it goes.

Streamlit keeps every file until its session ends. One that the server had no room for
(app/web/upload_room.py) arrives as the sentence that says so.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, cast

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import InputError

REFUSED: Final = "application/x-glassformer-refused"


def given_in(field: str) -> tuple[UploadedFile, ...]:
    """The new files in the field of this key: none that was read, or is another session's."""
    value: object = st.session_state.get(field)
    every = cast("list[object]", value) if isinstance(value, list) else [value]
    return tuple(one for one in every if isinstance(one, UploadedFile))


@contextmanager
def content_of(file: UploadedFile, *, keep: bool = False) -> Generator[bytes]:
    """For the callback of its field; after the `with` there is room for others' files.

    keep: its field may get more files, which are read together with it.

    Raises InputError where there was none for this one.
    """
    content, run = file.getvalue(), get_script_run_ctx()
    try:
        if file.type == REFUSED:
            raise InputError(content.decode())
        yield content
    finally:
        streamlits = run and run.uploaded_file_mgr
        if run and isinstance(streamlits, MemoryUploadedFileManager) and not keep:
            streamlits.remove_file(run.session_id, file.file_id)
