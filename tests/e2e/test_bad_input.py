"""Whatever is typed or linked: a clear sentence or a right picture, and nothing lost."""

import pytest
from playwright.sync_api import Page, expect

HOSTILE = "</script><img src=x onerror=window.broken=1>"


def view(page: Page):
    return page.locator('[data-painted*="maps of"]')


def sentence(page: Page):
    return page.get_by_label("Sentence", exact=True)


def type_text(app, text: str) -> Page:
    """As a reader does: into the field, then out of it."""
    page = app.open("attention")
    sentence(page).fill(text)
    sentence(page).press("Control+Enter")
    return app.settled()


@pytest.mark.parametrize("text", ["", "     ", "\n\n"])
def test_empty_text_asks_for_a_word(app, text):
    page = type_text(app, text)
    expect(page.get_by_text("The text is empty. Type at least one word.")).to_be_visible()


def test_ten_thousand_characters_are_counted_and_kept(app):
    page = type_text(app, "word " * 2000)
    expect(page.get_by_text("The text has 2002 tokens; this model takes up to 512")).to_be_visible()
    assert len(sentence(page).input_value()) >= 9999


def test_a_pair_past_the_limit(app):
    page = app.open("attention", text="cat " * 300, pair="dog " * 300)
    expect(page.get_by_text("The text has 603 tokens; this model takes up to 512")).to_be_visible()


@pytest.mark.parametrize(
    "text",
    [
        "I 💙 🏳️‍🌈 and 👩‍👩‍👧‍👦",
        "القطة جلست على السجادة",
        "bell\x07and\x00null",
        "e\u0301 is é",
        HOSTILE,
    ],
    ids=["emoji", "right to left", "control characters", "combining", "hostile"],
)
def test_unusual_text_gives_a_right_picture(app, text):
    page = app.open("attention", text=text, bertviz="head")
    expect(view(page)).to_be_visible()
    assert page.evaluate("window.broken") is None
    for frame in page.frames:
        assert frame.evaluate("window.broken") is None


def test_the_longest_text_is_drawn(app):
    page = app.open("attention", text="word " * 510, layout="heatmap")
    expect(view(page)).to_be_visible()
    assert "maps of 512 x 512" in (view(page).get_attribute("data-painted") or "")


def test_a_checkpoint_of_pickles_is_refused_in_the_page(app):
    page = app.open("attention")
    expect(page.get_by_text("only pickled weights (pytorch_model.bin)")).to_be_visible()


def test_a_hub_model_without_a_network_says_so(app):
    page = app.open("attention", model="gpt2")
    expect(page.get_by_text("comes from the hub").first).to_be_visible(timeout=60_000)
    expect(sentence(page)).to_have_value(
        "The animal didn't cross the street because it was too tired."
    )


def test_the_state_survives_a_mistake(app):
    page = app.open("attention", heads="5.11")
    sentence(page).fill("")
    sentence(page).press("Control+Enter")
    app.settled()
    sentence(page).fill("The cat sat.")
    sentence(page).press("Control+Enter")
    app.settled()
    expect(view(page).get_by_text("layer 5 · head 11").first).to_be_visible()
