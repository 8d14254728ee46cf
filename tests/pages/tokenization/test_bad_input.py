"""Whatever corpus, pattern or file comes: a clear sentence, and the page lives on."""

from functools import partial

import pytest

from core.tokenization import bpe, pre_tokenizers
from tests.pages.page import Page
from tests.pages.tokenization.shown import FIGURE, at, example, give, merged, opened, run_of

HOSTILE = "</script><img src=x onerror=window.broken=1>"


def typed(page: Page, text: str) -> Page:
    page.text_area(key="tokenization.corpus").set_value(text).run()
    return page


def still_alive(page: Page) -> None:
    """The same page draws a corpus that is typed again."""
    if page.text_area[0].disabled:
        example(page, "low, lower …")
    assert merged(typed(page, "low 5, lower 2"))[0] == "lo"


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
def test_a_corpus_without_words_is_told(read: str, text: str, message: str):
    page = typed(opened(read=read), text)
    assert message in page.notices
    assert FIGURE not in page.figures
    if read == "counts":
        still_alive(page)


@pytest.mark.parametrize(
    ("link", "merges", "end"),
    [
        ({"corpus": "a 1", "end": "none"}, [], "no pair is left"),
        ({"corpus": "ab 2"}, ["ab", "ab</w>"], "every word is one token"),
    ],
    ids=["one letter", "one word"],
)
def test_a_run_ends_where_no_pair_is_left(link: dict[str, str], merges: list[str], end: str):
    page = opened(**link)
    assert merged(page) == merges
    assert end in run_of(page)["end"]


def test_a_pattern_that_does_not_compile():
    page = opened(read="text", split="custom", pattern="(")
    assert "does not compile" in page.notices


def test_a_pattern_that_explodes_is_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pre_tokenizers, "custom", partial(pre_tokenizers.custom, time_limit=0.3))
    page = opened(read="text", split="custom", pattern=r"(?:a|a)*b|(a+)+$", corpus="a" * 200 + "!")
    assert "was stopped after 0.3 s" in page.notices
    still_alive(example(page, "low, lower …"))


@pytest.mark.parametrize(
    "text",
    ["bell\x07 nul\x00 nul\x00", "日本語 日本 नमस्ते שלום שלום", "👩‍👩‍👧 👩‍👩‍👧 e\u0301 é", HOSTILE],
    ids=["control characters", "scripts", "graphemes", "hostile"],
)
def test_any_text_is_stepped_through(text: str):
    page = opened(corpus=text, read="text", word=text[:20], fork="smallest-ids")
    assert merged(page)
    assert "tokenization.encoding" in page.figures


def test_five_megabytes_of_one_letter():
    page = give(opened(), "a" * 5_000_000)
    assert run_of(page)["lengths"][0] == 5_000_001
    assert "own.txt (uploaded, this session only)" in page.text
    still_alive(page)


def test_an_uploaded_text_is_trained_on_to_its_end():
    text = "low lower lowest newer wider " * 9
    trained = bpe.train(text, 1000)
    page = give(opened(), text)
    assert merged(page) == [step.token for step in trained.steps]
    assert len(trained.steps) == 16  # more than the 10 that a typed corpus is given
    assert page.link == {"source": "file", "merges": "1000"}


def test_an_upload_never_enters_the_link_and_that_is_said():
    page = give(opened(), "newer lower wider " * 20)
    assert page.link["source"] == "file"
    assert not any("newer" in value for value in page.link.values())
    assert "The link leaves out the uploaded corpus" in page.too_long
    page = opened(**page.link)  # somebody else's session
    assert "an uploaded corpus, which never enters a link" in page.notices
    assert at(page) == 0


def test_a_long_pasted_corpus_leaves_the_link_and_says_so():
    page = typed(opened(read="text"), "newer lower wider " * 200)
    assert "The link leaves out the corpus" in page.too_long
    assert "corpus" not in page.link


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "picture.txt"),
        (b"ab \xed\xa0\x80 cd", "surrogate.txt"),  # half a character
    ],
)
def test_files_that_are_no_text_are_refused(content: bytes, name: str):
    page = give(opened(), content, name)
    assert f"{name} is no UTF-8 text" in page.notices
    still_alive(page)


def test_a_lesson_file_brings_everything_back():
    saved = opened(end="glued", ties="greatest-strings", merges="7", step="4")
    lesson = saved.file("bpe-lesson.json")
    page = give(opened(), lesson, "bpe-lesson.json")
    assert page.link == saved.link
    assert merged(page) == merged(saved)


def test_a_corrupt_lesson_is_refused():
    lesson = opened().file("bpe-lesson.json").decode()
    page = give(opened(), lesson[: len(lesson) // 2], "bpe-lesson.json")
    assert "The lesson is not JSON" in page.notices
    give(page, lesson.replace('"n_merges": 10', '"n_merges": -1'), "bpe-lesson.json")
    assert "The lesson's n_merges is -1" in page.notices
    still_alive(page)


def test_nonsense_in_a_link_is_ignored():
    page = opened(
        step="99999", ties="alphabetical", end="</w>", force="9.99", fork="forced", merges="-3",
        dropout="7", variant="x", split="../../etc",
    )  # fmt: skip
    assert at(page) == 0
    assert len(merged(page)) == 10
    assert "There is no pair number 100" in page.notices


def test_a_word_that_is_too_long_to_show():
    page = opened(word="a" * 1500)
    assert "every step is shown up to 1,000" in page.notices
    assert merged(page)


def test_back_from_uploaded_merges_to_the_typed_ones():
    page = give(opened(**{"with": "list"}), "a b\nab c", "merges.txt", "merges")
    assert "merges.txt (uploaded, this session only)" in page.text
    page.press("Back to the typed list")
    assert "uploaded, this session only" not in page.text
