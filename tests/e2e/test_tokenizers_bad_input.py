"""Whatever is typed, linked or uploaded to the tokenizers page: a sentence, and nothing lost."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

HOSTILE = "</script><img src=x onerror=window.broken=1>"
PAGE = "tokenizers"


def lanes(page: Page):
    return page.locator('[data-painted^="tokens"]')


def upload(app, label: str, file: Path) -> Page:
    app.page.get_by_role("button", name=label).click()
    app.page.locator('input[type="file"]').first.set_input_files(file)
    return app.settled()


def test_empty_text_asks_for_a_word_and_comes_back(app):
    page = app.open(PAGE, text=" ")
    expect(page.get_by_text("The text is empty. Type a word")).to_be_visible()
    page.get_by_label("Text", exact=True).fill("dog")
    page.get_by_label("Text", exact=True).press("Control+Enter")
    app.settled()
    expect(lanes(page)).to_be_visible()


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "bell\x07and\x00null",
        "القطة جلست \u202eabc",
        "Hello Привет नमस्ते 你好 مرحبا ไทย",
        "\n\n\t \r\n x",
        "Z\u0301\u0302\u0303\u0304\u0305\u0306algo",
        "a" * 1900,
    ],
    ids=["hostile", "nul", "right to left", "mixed scripts", "white space", "zalgo", "long"],
)
def test_unusual_text_is_cut(app, text):
    page = app.open(PAGE, text=text, ids="1", bytes="1")
    expect(lanes(page)).to_be_visible()
    assert page.evaluate("window.broken") is None


def test_a_long_text_is_counted_whole_and_drawn_in_part(app):
    page = app.open(PAGE, text="lighthouse keepers " * 900)
    expect(page.get_by_text("The figure draws the first 1,200 characters")).to_be_visible()
    expect(page.get_by_text("The link leaves out the text")).to_be_visible()


def test_nonsense_in_a_link_is_ignored(app):
    page = app.open(
        PAGE, view="cubism", tokenizers="../../etc/passwd", at="9-1", size="-3", corpus="x", d="abc"
    )
    expect(lanes(page)).to_be_visible()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tokenizer.json", b'{"model": ', "is not JSON"),
        ("tokenizer.json", b'{"model": {"type": "BPE"}}', "no tokenizer.json that"),
        ("vocab.txt", b"[UNK]\nword\n", "has no tokens with ##"),
        ("vocab.txt", b"these are four words", "a rule is two tokens"),
        ("vocab.json", b'{"a": 0, "b": 1}', "is a vocabulary without merges"),
        ("merges.txt", b"\xff\xfe\x00\x01", "is not UTF-8"),
        ("merges.txt", b"", "is empty"),
    ],
)
def test_a_file_that_is_no_tokenizer_says_why(app, tmp_path, name, content, message):
    page = app.open(PAGE, text="dog", tokenizers="unigram")
    file = tmp_path / name
    file.write_bytes(content)
    upload(app, "Your own tokenizer", file)
    expect(page.get_by_text(message)).to_be_visible()
    expect(lanes(page)).to_be_visible()
    expect(page.get_by_label("Text", exact=True)).to_have_value("dog")


def test_five_megabytes_of_a_as_corpus(app, tmp_path):
    page = app.open(PAGE, text="aaa dog", corpus="file")
    expect(page.get_by_text("No corpus file is here").first).to_be_visible()
    file = tmp_path / "a.txt"
    file.write_bytes(b"a" * 5_000_000)
    upload(app, "Training corpus", file)
    expect(page.get_by_text("a.txt: 5,000,000 characters")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Unigram trains on at most 1,000,000").first).to_be_visible(
        timeout=90_000
    )
    app.settled()
    expect(lanes(page)).to_be_visible()


def test_a_corpus_that_is_no_text(app, tmp_path):
    page = app.open(PAGE, corpus="file")
    file = tmp_path / "broken.txt"
    file.write_bytes(b"\xed\xa0\x80 half a character")
    upload(app, "Training corpus", file)
    expect(page.get_by_text("broken.txt is not UTF-8 text")).to_be_visible()


@pytest.mark.parametrize("view", ["why", "wordpiece", "unigram"])
def test_an_empty_corpus_asks_for_a_text(app, view):
    page = app.open(PAGE, view=view, corpus="own", model="trained")
    expect(page.get_by_text("Your own corpus is empty").first).to_be_visible()


@pytest.mark.parametrize(("view", "param"), [("wordpiece", "word"), ("unigram", "word")])
@pytest.mark.parametrize("word", [" ", "x" * 190, HOSTILE, "🐕🐕"])
def test_any_word_is_cut_or_asked_for(app, view, param, word):
    page = app.open(PAGE, view=view, **{param: word})
    figure = page.locator('[data-painted*="bars over"]')
    expect(figure.or_(page.get_by_text("Type a word to see"))).to_be_visible()
    assert page.evaluate("window.broken") is None
