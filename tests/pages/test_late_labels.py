"""What a browser may answer late: the label of an option that is not there any more."""

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.common import user_key_from_element_id

from app.ui.options import WIDGET
from tests.pages.declared import SHOWN, Shown
from tests.pages.page import Page

LABEL = "dog (its answer)"  # of another picture


def relabelled(state: WidgetState) -> bool:
    """Whether the widget can be chosen from, and now answers with a label that it has not."""
    key = user_key_from_element_id(state.id)
    if key is None or not key.endswith(WIDGET):
        return False
    if state.HasField("string_array_value"):  # as many as there were
        state.string_array_value.data[:] = [LABEL] * len(state.string_array_value.data)
    else:
        state.string_value = LABEL
    return True


@pytest.mark.parametrize("shown", SHOWN, ids=str)
def test_a_label_of_another_run_changes_nothing(shown: Shown):
    page = Page(shown.path, **shown.link)
    states = page._tree.get_widget_states()
    if not sum(map(relabelled, states.widgets)):
        pytest.skip("nothing to choose from")
    before = page.link
    page._run(states)
    assert page.link == before
    assert LABEL not in page.text
