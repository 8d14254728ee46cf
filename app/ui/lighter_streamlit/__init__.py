"""What Streamlit 1.67 does over and over in a run, done once.

Its state, its messages; and six times over all settings for the theme. Together a
third of a run's CPU time. And runs take turns (`one_at_a_time`), and what they asked for ends with
them (`engine.of_a_run`). The release is pinned, and a test compares with it.
"""

# pyright: reportPrivateUsage=false
# What is done over and over lies within.

from functools import cache
from typing import Final

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

from app.services.engine import of_a_run
from app.ui.lighter_streamlit import outbox, state
from app.ui.one_at_a_time import in_turn

RUN: Final = ScriptRunner._run_script
THEME: Final = app_session._populate_theme_msg


@cache
def apply() -> None:
    """Once, before a reader comes; a second time changes nothing."""
    for part in (state, outbox):
        part.apply()
    app_session._populate_theme_msg = themed
    ScriptRunner._run_script = in_turn(of_a_run()(RUN))  # type: ignore[method-assign]


def themed(message: CustomThemeConfig, section: str = "theme") -> None:
    """A section of the theme, which no run changes."""
    made = _theme(section)
    if made.ByteSize():
        message.MergeFrom(made)


@cache
def _theme(section: str) -> CustomThemeConfig:
    made = CustomThemeConfig()
    THEME(made, section)
    return made
