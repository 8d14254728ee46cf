"""Streamlit's own queue of requests: which click ends a run that waits."""

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)

from app.ui.clicks_first import put_first


@pytest.fixture
def requests() -> ScriptRequests:
    made = ScriptRequests()
    made.request_rerun(RerunData())
    made.on_scriptrunner_ready()  # the run that waits has begun
    return made


def ends(requests: ScriptRequests, running: list[str]) -> bool:
    put_first(requests, running)
    asked = requests.on_scriptrunner_yield()
    return asked is not None and asked.type is ScriptRequestType.RERUN


def test_no_click_ends_nothing(requests: ScriptRequests):
    assert not ends(requests, ["figure"])


def test_a_click_within_the_running_fragment_ends_its_run(requests: ScriptRequests):
    requests.request_rerun(RerunData(fragment_id="figure"))
    assert requests.on_scriptrunner_yield() is None, "Streamlit itself lets it wait"
    assert ends(requests, ["figure"])


def test_a_click_within_another_waits(requests: ScriptRequests):
    requests.request_rerun(RerunData(fragment_id="menu"))
    assert not ends(requests, ["figure"])


def test_any_other_click_ends_it_as_ever(requests: ScriptRequests):
    requests.request_rerun(RerunData())
    assert ends(requests, ["figure"])


def test_while_the_whole_page_is_drawn_a_click_draws_the_whole_page_anew(requests: ScriptRequests):
    requests.request_rerun(RerunData(query_string="sweep=1", fragment_id="figure"))
    assert requests.on_scriptrunner_yield() is None, "Streamlit itself lets it wait"
    put_first(requests, ())
    asked = requests.on_scriptrunner_yield()
    assert asked is not None
    assert asked.rerun_data == RerunData(query_string="sweep=1")


def test_a_fragments_own_clock_ends_nothing(requests: ScriptRequests):
    requests.request_rerun(RerunData(fragment_id="figure", is_auto_rerun=True))
    assert not ends(requests, [])
    assert not ends(requests, ["figure"])
