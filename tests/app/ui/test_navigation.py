"""The pages as Streamlit gets them."""

from streamlit.testing.v1 import AppTest

from app.ui.navigation import PLACES


def two_runs_pages() -> None:
    import streamlit as st

    from app.ui import navigation

    st.session_state["made"] = navigation.pages(), navigation.pages()


def test_each_run_has_pages_of_its_own():
    """Streamlit marks the page that it draws: another reader's must not be that one."""
    first, second = AppTest.from_function(two_runs_pages).run().session_state["made"]
    assert list(first) == list(second) == list(PLACES)
    for path, place in PLACES.items():
        assert first[path] is not second[path]
        assert first[path].title == second[path].title == place.label
        assert first[path].url_path == path
        assert first[path].visibility == ("hidden" if place.hidden else "visible")
