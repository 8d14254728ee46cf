"""Whatever corpus, pattern or file comes: a clear sentence, and the page lives on."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_tokenization import chips, download, figure, type_corpus, upload

HOSTILE = "</script><img src=x onerror=window.broken=1>"


def still_alive(app) -> None:
    """The same page draws the lecture's corpus when it is typed again."""
    page = app.page
    if page.get_by_label("Corpus", exact=True).is_disabled():
        page.get_by_text("low, lower …", exact=True).click()
        app.settled()
    page.get_by_label("Corpus", exact=True).fill("low 5, lower 2")
    page.get_by_label("Corpus", exact=True).press("Control+Enter")
    app.settled()
    expect(figure(page)).to_be_visible()


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        ("counts", "", "The corpus is empty"),
        ("text", "   \n ", "The corpus has no words"),
        ("counts", "low five", "is no word with its count"),
        ("counts", "low 0", "has the count 0"),
        ("counts", "low 99999999999999999", "has the count"),
        ("text", "a </w> b", "holds the marker"),
    ],
    ids=["empty", "blank", "no count", "zero", "overflow", "marker"],
)
def test_a_corpus_without_words_is_told(app, read, text, message):
    app.open("tokenization", read=read)
    page = type_corpus(app, text)
    expect(page.get_by_text(message).first).to_be_visible()
    if read == "counts":
        still_alive(app)


def test_one_letter_has_no_pair(app):
    page = app.open("tokenization", corpus="a 1", end="none")
    expect(figure(page)).to_have_attribute("data-painted", "step 0 of 0")
    expect(figure(page).get_by_text("no pair is left").first).to_be_visible()


def test_no_pair_left_ends_the_run(app):
    page = app.open("tokenization", corpus="ab 2", merges="10")
    expect(figure(page)).to_have_attribute("data-painted", "step 0 of 2")
    expect(figure(page)).to_be_visible()
    page.keyboard.press("End")
    expect(figure(page).get_by_text("every word is one token").first).to_be_visible()


def test_a_pattern_that_does_not_compile(app):
    page = app.open("tokenization", read="text", split="custom", pattern="(")
    expect(page.get_by_text("does not compile")).to_be_visible()


def test_a_pattern_that_explodes_is_stopped(app):
    page = app.open(
        "tokenization", read="text", split="custom", pattern=r"(\w|\w\w)+!$", corpus="a" * 200
    )
    expect(
        page.get_by_text("was stopped after").or_(page.get_by_text("has no words"))
    ).to_be_visible(timeout=60_000)
    still_alive_after_pattern(page)


def still_alive_after_pattern(page: Page) -> None:
    page.get_by_text("low, lower …", exact=True).click()
    expect(figure(page)).to_be_visible()


@pytest.mark.parametrize(
    "text",
    ["bell\x07 nul\x00 nul\x00", "日本語 日本 नमस्ते שלום שלום", "👩‍👩‍👧 👩‍👩‍👧 e\u0301 é", HOSTILE],
    ids=["control characters", "scripts", "graphemes", "hostile"],
)
def test_any_text_is_stepped_through(app, text):
    page = app.open("tokenization", corpus=text, read="text", word=text[:20], fork="smallest-ids")
    expect(figure(page)).to_be_visible()
    expect(figure(page)).to_be_visible()
    page.keyboard.press("End")
    assert chips(figure(page).locator(".vocabulary"))
    assert page.evaluate("window.broken") is None


def test_five_megabytes_of_one_letter(app):
    app.open("tokenization")
    page = upload(app, "a" * 5_000_000)
    expect(figure(page)).to_be_visible(timeout=60_000)
    app.settled()
    expect(figure(page).get_by_text("5,000,001 tokens in all").first).to_be_visible(timeout=60_000)
    page.keyboard.press("ArrowRight")
    expect(figure(page)).to_have_attribute("data-painted", "step 1 of 30")
    still_alive(app)


def test_files_that_are_no_text_are_refused(app):
    app.open("tokenization")
    page = upload(app, b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "picture.txt")
    expect(page.get_by_text("picture.txt is no UTF-8 text")).to_be_visible()
    still_alive(app)


def test_a_corrupt_lesson_is_refused(app):
    page = app.open("tokenization")
    saved = download(page, "Lesson file").decode()
    upload(app, saved[: len(saved) // 2], "bpe-lesson.json")
    expect(page.get_by_text("The lesson is not JSON")).to_be_visible()
    upload(app, saved.replace('"n_merges": 10', '"n_merges": -1'), "bpe-lesson.json")
    expect(page.get_by_text("The lesson's n_merges is -1")).to_be_visible()
    still_alive(app)


def test_lone_surrogates_in_a_file_are_refused(app):
    app.open("tokenization")
    page = upload(app, b"ab \xed\xa0\x80 cd", "surrogate.txt")
    expect(page.get_by_text("surrogate.txt is no UTF-8 text")).to_be_visible()


def test_nonsense_in_a_link_is_ignored(app):
    page = app.open(
        "tokenization",
        step="99999",
        ties="alphabetical",
        end="</w>",
        force="9.99",
        fork="forced",
        merges="-3",
        dropout="7",
        variant="x",
        split="../../etc",
    )
    expect(figure(page)).to_have_attribute("data-painted", "step 0 of 10")
    expect(page.get_by_text("There is no pair number 100")).to_be_visible()


def test_a_word_that_is_too_long_to_show(app):
    page = app.open("tokenization", word="a" * 1500)
    expect(page.get_by_text("every step is shown up to 1,000")).to_be_visible()
    expect(figure(page)).to_be_visible()
