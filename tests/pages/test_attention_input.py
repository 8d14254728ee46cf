"""Whatever is typed or linked: a clear sentence or a right picture, and nothing lost."""

from pathlib import Path

import pytest

from tests.pages.page import Page

DEFAULT = "The animal didn't cross the street because it was too tired."
HOSTILE = "</script><img src=x onerror=window.broken=1>"
VIEW = "attention.view.encoder"


def typed(text: str) -> Page:
    page = Page("attention")
    page.text_area(key="attention.text").set_value(text).run()
    return page


@pytest.mark.parametrize("text", ["", "     ", "\n\n"])
def test_empty_text_asks_for_a_word(text: str):
    page = typed(text)
    assert "The text is empty. Type at least one word." in page.notices
    assert VIEW not in page.figures


def test_ten_thousand_characters_are_counted_and_kept():
    page = typed("word " * 2000)
    assert "The text has 2002 tokens; this model takes up to 512" in page.notices
    assert len(page.text_area(key="attention.text").value) >= 9999


def test_a_pair_past_the_limit():
    page = Page("attention", text="cat " * 300, pair="dog " * 300)
    assert "The text has 603 tokens; this model takes up to 512" in page.notices


LEFT = {"model": "gpt-mini", "text": "A b.", "pair": "Second one.", "target": "Une fin."}


@pytest.mark.parametrize(
    ("view", "figure"),
    [("", "view.decoder"), ("rollout", "rollout.film"), ("flow", "flow.figure")],
)
def test_a_second_sentence_that_the_model_did_not_read_is_not_named(view: str, figure: str):
    page = Page("attention", **LEFT, **({"view": view} if view else {}))
    assert "“A b.” · GPT mini" in page.text
    caption = page.figures[f"attention.{figure}"].header["caption"]
    assert "“A b.”" in caption
    assert "Second" not in caption


def test_nor_is_it_part_of_the_question():
    page = Page("attention", predict="1", **LEFT).fire("attention.prediction", 0)
    assert "of 1 right" in page.text
    assert "leave it empty" not in page.notices


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("I 💙 🏳️‍🌈 and 👩‍👩‍👧‍👦", "and"),
        ("القطة جلست على السجادة", "##ا"),
        ("bell\x07and\x00null", "##ll"),
        ("e\u0301 is é", "e"),
        (HOSTILE, "script"),
    ],
    ids=["emoji", "right to left", "control characters", "combining", "hostile"],
)
def test_unusual_text_gives_a_map_of_its_tokens(text: str, token: str):
    figure = Page("attention", text=text).figures[VIEW]
    tokens = figure.header["query_tokens"]
    assert token in tokens
    assert figure.arrays["maps"].shape == (1, len(tokens), len(tokens))


def test_the_longest_text_is_drawn():
    page = Page("attention", text="word " * 510, layout="heatmap")
    assert page.figures[VIEW].arrays["maps"].shape == (1, 512, 512)


def test_a_checkpoint_of_pickles_is_refused_in_the_page(offered: dict[str, Path]):
    assert offered["broken"]
    assert "only pickled weights (pytorch_model.bin)" in Page("attention").notices


def test_a_hub_model_without_a_network_says_so_and_keeps_the_text():
    page = Page("attention", model="gpt2")
    assert "comes from the hub" in page.notices
    assert page.text_area(key="attention.text").value == DEFAULT


def test_an_unknown_model_is_named():
    page = Page("attention", model="no-such-model")
    assert "There is no model “no-such-model” here; showing MiniLM" in page.notices


def test_the_state_survives_a_mistake():
    page = Page("attention", heads="5.11")
    page.text_area(key="attention.text").set_value("").run()
    page.text_area(key="attention.text").set_value("The cat sat.").run()
    assert page.link["heads"] == "5.11"
    assert page.figures[VIEW].header["names"] == ["layer 5 · head 11"]


def test_what_is_chosen_is_in_the_link_the_figure_and_the_file_and_is_found_again():
    page = Page("attention")
    page.choose("attention.grid.encoder", [[5, 11]])  # a click in the figure
    page.text_area(key="attention.text").set_value("The cat sat.").run()
    assert page.link["heads"] == "5.11"
    assert page.figures[VIEW].header["names"] == ["layer 5 · head 11"]
    assert b"cat" in page.file("attention.csv")
    link = page.link
    again = page.go("about").go("attention", **link)
    assert again.text_area(key="attention.text").value == "The cat sat."
