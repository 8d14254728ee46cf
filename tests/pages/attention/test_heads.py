"""The heads: what is drawn are the model's own weights, chosen, averaged, worked out."""

import numpy as np
import pytest

from tests.pages.attention.shown import ANIMAL, GRID, HEAD, IT, TEXT, VIEW, maps
from tests.pages.page import Page


def test_the_first_screen_makes_the_point(head: np.ndarray):
    page = Page("attention")
    assert f"{head[IT, ANIMAL]:.3f}" == "0.677"
    np.testing.assert_allclose(maps(page), head[None], atol=1e-6)
    assert page.figures[VIEW].header["selection"]["value"]["cell"] == [IT, ANIMAL]
    assert page.figures[GRID].header["selection"]["value"] == [list(HEAD)]


def test_heads_are_overlaid_and_averaged(trace):
    page = Page("attention")
    page.choose(GRID, [[3, 1], [5, 11]])
    both = np.stack([trace.attention(3).weights[1], trace.attention(5).weights[11]])
    assert "2 heads overlaid" in page.text
    np.testing.assert_allclose(maps(page), both, atol=1e-6)
    page.toggle(key="attention.mean").set_value(True).run()
    assert "mean of 2 heads in 2 layers" in page.text
    np.testing.assert_allclose(maps(page), both.mean(axis=0, keepdims=True), atol=1e-6)


def test_the_worked_cell_ends_at_the_displayed_weight(head: np.ndarray):
    page = Page("attention")
    worked = page.figures["attention.worked"].header
    assert worked["weight"] == pytest.approx(head[IT, ANIMAL], abs=1e-6)
    page.choose(VIEW, {"cell": [6, 8], "pinned": None, "front": 0})
    assert page.link["cell"] == "6.8"
    worked = page.figures["attention.worked"].header
    assert (worked["query_token"], worked["key_token"]) == ("cross", "street")
    assert worked["weight"] == pytest.approx(head[6, 8], abs=1e-6)


def test_a_session_file_brings_everything_back():
    page = Page("attention", text="Birds fly south.", heads="2.3", layout="lines")
    saved = page.file("glassformer-session.json")
    other = Page("attention")
    other.file_uploader(key="attention.session:file:0").set_value(
        ("session.json", saved, "application/json")
    ).run()
    assert other.link == page.link
    assert other.text_area(key="attention.text").value == "Birds fly south."
    assert other.figures[VIEW].header["names"] == ["layer 2 · head 3"]


@pytest.mark.parametrize("view", ["head", "model", "neuron"])
def test_bertviz_is_drawn_in_a_frame_of_its_own(view: str):
    page = Page("attention", bertviz=view)
    assert len(page.get("iframe")) == 1
    assert VIEW in page.figures
    assert page.link["bertviz"] == view


def test_bertviz_declines_long_texts():
    page = Page("attention", text="word " * 80, bertviz="model")
    assert "it is offered up to 64" in page.notices
    assert len(page.get("iframe")) == 0


def test_csv_holds_the_exact_weights(head: np.ndarray):
    page = Page("attention")
    comment = page.file("attention.csv").decode().partition("\n")[0]
    assert "MiniLM" in comment
    assert TEXT in comment
    rows = page.table("attention.csv")
    weights = np.array([float(row["weight"]) for row in rows]).reshape(16, 16)
    np.testing.assert_allclose(weights, head, atol=1e-6)
    assert rows[IT * 16 + ANIMAL]["query_token"] == "it"


def test_a_selection_that_the_new_text_does_not_have_is_dropped_with_its_pin():
    page = Page("attention", heads="3.1", cell="10.2", pin="10")
    assert (page.link["cell"], page.link["pin"]) == ("10.2", "10")
    page.choose(VIEW, {"cell": [6, 8], "pinned": 1, "front": 0})
    page.text_area(key="attention.text").set_value(TEXT.replace("street", "garden")).run()
    assert "cell" not in page.link  # cross → street
    assert page.link["pin"] == "1"  # The stays where it was
    assert page.figures[VIEW].header["selection"]["value"] == {
        "cell": None,
        "pinned": 1,
        "front": 0,
    }
    page.text_area(key="attention.text").set_value("She gave him a book for his birthday.").run()
    assert not {"cell", "pin"} & page.link.keys()
    assert page.figures[VIEW].header["selection"]["value"]["pinned"] is None
    assert "Click a cell of the heatmap" in page.text


def test_a_selection_whose_words_stay_outlives_a_change_elsewhere():
    page = Page("attention", heads="3.1", cell="10.2", pin="10")
    page.text_area(key="attention.text").set_value(TEXT.replace("tired", "hungry")).run()
    assert (page.link["cell"], page.link["pin"]) == ("10.2", "10")
    assert page.figures[VIEW].header["selection"]["value"]["cell"] == [IT, ANIMAL]


def test_times_uniform_means_the_same_on_every_page():
    """Compared with all 16 tokens that the query may look at, whether they are drawn or not."""
    home = Page("")
    assert home.figures["home.picture"].arrays["maps"].shape == (1, 12, 12)
    for figure in (
        home.figures["home.picture"],
        Page("attention").figures[VIEW],
        Page("attention", nospecial="1", nopunct="1").figures[VIEW],
    ):
        assert set(figure.arrays["uniform"]) == {16}
    dealt_out = Page("attention", nospecial="1", nopunct="1", renorm="1").figures[VIEW]
    assert set(dealt_out.arrays["uniform"]) == {12}
