"""What stands behind a menu is drawn while it is open."""

from streamlit.testing.v1 import AppTest


def behind() -> None:
    import streamlit as st

    from app.ui.menu import menu

    menu("Files", "files", lambda: st.text("a file"))


def test_a_closed_one_draws_nothing():
    assert AppTest.from_function(behind).run().text.values == []


def test_an_open_one_is_filled():
    page = AppTest.from_function(behind)
    page.session_state["files"] = True
    assert page.run().text.values == ["a file"]
