"""What a reader uploaded: read once, then the server's copy of it goes.

Streamlit keeps every file until its session ends. One that the server had no room for
(app/upload_room.py) arrives as the sentence that says so.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import InputError

REFUSED: Final = "application/x-glassformer-refused"


@contextmanager
def content_of(file: UploadedFile) -> Generator[bytes]:
    """For the callback of its field; after the `with` there is room for others' files.

    Raises InputError where there was none for this one.
    """
    content, run = file.getvalue(), get_script_run_ctx()
    try:
        if file.type == REFUSED:
            raise InputError(content.decode())
        yield content
    finally:
        if run is not None and isinstance(run.uploaded_file_mgr, MemoryUploadedFileManager):
            run.uploaded_file_mgr.remove_file(run.session_id, file.file_id)
