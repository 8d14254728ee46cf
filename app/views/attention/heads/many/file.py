"""The reader's own sentences: a text file, checked when it comes, kept in this session alone."""

from typing import Final, cast

import streamlit as st

from app.ui.file_field import FileField
from app.views.attention.heads.many.state import HERE, OWN
from core.data.sentence_files import FEWEST, Sentences, read_sentences
from core.limits import SENTENCE_CHARACTERS, SENTENCES

UPLOAD: Final = "uploads.sentences"
FIELD: Final = FileField(HERE.key("own"))


def field() -> None:
    """Ask for the file; what is wrong with one is told below, and the last good one stays."""
    with st.popover("Your sentences", icon=":material/upload_file:"):
        FIELD.ask(
            f"A text file in UTF-8, one sentence a line: {FEWEST} to {SENTENCES} of them, up to "
            f"{SENTENCE_CHARACTERS:,} characters each",
            _read,
        )
        st.caption("It stays in this session: never stored, never in a link.")
        if (kept := _kept()) is not None:
            OWN.toggle(f"Name the heads over {kept.name}, {len(kept)} sentences")


def sentences() -> Sentences | None:
    """Those to use; None after saying why there are none, or where none are wanted."""
    FIELD.tell_problem()
    if not OWN.value:
        return None
    if _kept() is None:
        st.info(
            "This link was made with a reader's own sentences, which never enter a link. Give the "
            "file again under “Your sentences”; until then, the built-in ones are shown."
        )
    return _kept()


def _kept() -> Sentences | None:
    return cast("Sentences | None", st.session_state.get(UPLOAD))


def _read(name: str, content: bytes) -> None:
    st.session_state[UPLOAD] = read_sentences(name, content)
    OWN.put(value=True)
