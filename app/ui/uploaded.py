"""What a reader uploaded: read once, then the server's copy of it goes.

Streamlit keeps every file until its session ends. One that the server had no room for
(app/web/upload_room.py) arrives as the sentence that says so.
"""

from collections.abc import Sequence
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


def contents_of(files: Sequence[UploadedFile]) -> dict[str, bytes]:
    """By name. Raises InputError where there was no room for one of them."""
    for file in files:
        if file.type == REFUSED:
            raise InputError(file.getvalue().decode())
    return {file.name: file.getvalue() for file in files}


def let_go(files: Sequence[UploadedFile]) -> None:
    """For the callback of their field, once they are read: others' files have room again."""
    run = get_script_run_ctx()
    if run and isinstance(run.uploaded_file_mgr, MemoryUploadedFileManager):
        for file in files:
            run.uploaded_file_mgr.remove_file(run.session_id, file.file_id)
