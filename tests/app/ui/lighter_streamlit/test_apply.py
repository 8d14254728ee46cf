"""What is done more cheaply is the same: compared with Streamlit's own."""

import inspect

import pytest
import streamlit
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

from app.ui import lighter_streamlit
from app.ui.lighter_streamlit import THEME, themed


def test_the_release_is_the_one_that_was_read():
    assert streamlit.__version__ == "1.67.0"


@pytest.mark.parametrize("section", ["", ".light", ".dark", ".sidebar", ".light.sidebar"])
def test_the_theme_is_the_same_each_time(section: str):
    for _ in range(2):
        ours, theirs = NewSession().custom_theme, NewSession().custom_theme
        themed(ours, f"theme{section}")
        THEME(theirs, f"theme{section}")
        assert ours == theirs
        assert (section in ("", ".light", ".dark")) == bool(ours.ByteSize())


def test_runs_take_turns():
    lighter_streamlit.apply()
    run = ScriptRunner._run_script
    assert inspect.unwrap(run) is lighter_streamlit.RUN
    lighter_streamlit.apply()
    assert ScriptRunner._run_script is run
