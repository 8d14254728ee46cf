"""What a run does not draw outlives it, if it has a value."""

from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from app.ui.param import outlive
    from app.ui.params import Scope

    param = Scope("page").text("q", "the default")
    match st.session_state["run"]:
        case "draws":
            param.seed(None)
            st.text_input("Words", key=param.key)
        case "keeps":
            outlive([param])
        case _:
            pass


def run(app: AppTest, what: str) -> AppTest:
    app.session_state["run"] = what
    app.run()
    assert not app.exception
    return app


def test_a_value_outlives_runs_that_do_not_draw_its_widget():
    app = run(AppTest.from_function(script), "draws")
    app.text_input[0].set_value("a sentence").run()
    for _ in range(3):
        run(app, "keeps")
    assert run(app, "draws").text_input[0].value == "a sentence"


def test_one_that_a_run_let_go_is_no_error():
    """Its widget is remembered, its value is not: another page was drawn between."""
    app = run(AppTest.from_function(script), "draws")
    app.text_input[0].set_value("a sentence").run()
    run(app, "lets go")
    assert "page.q" not in run(app, "keeps").session_state
    assert run(app, "draws").text_input[0].value == "the default"
