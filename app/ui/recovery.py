"""A page that broke says so, and is whole again at the reader's next click.

What the parameters were when the page was last drawn to its end is kept. After a failure, each
that the reader has not changed since goes back there: the one that broke the page among them.
"""

import logging
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any, Final

import streamlit as st

from app.style.markdown_escape import plain
from app.ui.param import Param
from app.ui.progress import READER_ERRORS

LOG = logging.getLogger(__name__)
WHOLE: Final = "recovery.whole"  # each page's parameters as they were last drawn, by key
BROKEN: Final = "recovery.broken"  # the same when it failed; absent where it didn't


@contextmanager
def guarded(page: str) -> Generator[None]:
    """Draw a page, or a part of it, whatever happens there."""
    try:
        yield
    except READER_ERRORS as error:  # what the figure stands on was asked for again, in vain
        st.warning(plain(str(error)), icon=":material/info:")
    except Exception:  # a bug: the reader keeps what was typed, the log gets the rest
        LOG.exception("the page %s broke", page or "home")
        state = st.session_state.to_dict()
        st.session_state[BROKEN] = {k: v for k, v in state.items() if k.startswith(f"{page}.")}
        st.error(
            "Something broke in this app, not in your input. The server's log has the details; "
            "your next click goes on from what was shown before, and the other pages work on."
        )


def drawn(params: Iterable[Param[Any]]) -> None:
    """The page stands to its end."""
    whole = st.session_state.setdefault(WHOLE, {})
    whole.update({param.key: param.value for param in params})


def broken() -> bool:
    """Whether the last run failed."""
    return BROKEN in st.session_state


def recover(params: Iterable[Param[Any]]) -> None:
    """Before anything is drawn: let go of what broke the page."""
    then = st.session_state.pop(BROKEN, None)
    if then is None:
        return
    whole = st.session_state.get(WHOLE, {})
    for param in params:
        if param.key in then and param.value == then[param.key]:
            param.put(whole.get(param.key, param.default))
