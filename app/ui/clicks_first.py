"""While a run waits, the reader's next click ends it, wherever it was made.

A click within a fragment waits for the end of the run in Streamlit 1.67, were it only to cancel
what that run waits for. Within the fragment's own run it need not: nothing else is drawn there.
Nor while the whole page is drawn, if the whole page is drawn again. The release is pinned.
"""

# pyright: reportPrivateUsage=false
# Which click waits is known within alone.

from collections.abc import Collection
from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType


def let_a_click_through() -> None:
    """To be called between two looks at what a run waits for; raises what ends a run."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return
    if context.script_requests is not None:
        put_first(context.script_requests, context.fragment_ids_this_run or ())
    _ = "a click" in st.session_state  # where Streamlit looks for one


def put_first(requests: ScriptRequests, running: Collection[str]) -> None:
    """A waiting click within one of the `running` fragments counts as one that can't wait.

    None is running while the whole page is drawn: then a click within any counts as one on the
    page. What a fragment's own clock asks for is no click.
    """
    with requests._lock:
        waiting = requests._rerun_data
        if requests._state is not ScriptRequestType.RERUN or waiting.is_auto_rerun:
            return
        if not running:
            requests._rerun_data = replace(
                waiting, fragment_id_queue=[], is_fragment_scoped_rerun=False
            )
        elif set(running) & {*waiting.fragment_id_queue}:
            requests._rerun_data = replace(waiting, is_fragment_scoped_rerun=True)
