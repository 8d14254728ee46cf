"""Whatever is typed, linked or uploaded to the tokenizers page: a sentence, and nothing lost."""

import pytest

from app.services import tokenizers as tokenizing
from core.limits import LINK_CHARACTERS
from core.tokenization import TextTokenizer
from tests.pages.tokenizers.shown import (
    HOSTILE,
    counts,
    give,
    labels,
    lanes,
    opened,
    type_text,
)


def model() -> TextTokenizer:
    return tokenizing.model_tokenizer("minilm-l6")


def test_empty_text_asks_for_a_word_and_comes_back():
    page = opened(text=" ", tokenizers="minilm-l6")
    assert "The text is empty. Type a word" in page.notices
    assert "tokenizers.spans" not in page.figures
    assert lanes(type_text(page, "dog")) == {"MiniLM-L6": ["dog"]}


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
def test_unusual_text_is_cut_whole(text: str):
    page = opened(text=text, tokenizers="minilm-l6,bpe", ids="1", bytes="1")
    size = len(text.encode())
    places: dict[str, list[range]] = {name: [] for name in lanes(page)}
    for row in page.table("tokenizers-on-one-text.csv"):
        places[row["tokenizer"]].append(range(int(row["byte_start"]), int(row["byte_end"])))
    assert places["MiniLM-L6"]
    assert max(place.stop for place in places["MiniLM-L6"]) <= size
    assert {byte for place in places["BPE"] for byte in place} == set(range(size))  # all of it


def test_a_text_too_long_for_a_link_is_left_out_of_it():
    short = "l" * LINK_CHARACTERS
    assert opened(text=short, tokenizers="minilm-l6").link["text"] == short
    text = "lighthouse keepers " * 900
    assert len(text) > LINK_CHARACTERS
    page = opened(text=text, tokenizers="minilm-l6")
    assert "The figure draws the first" in page.text
    assert "The link leaves out the text" in page.too_long
    rows = page.table("tokenizers-on-one-text.csv")
    assert len(rows) == len(model().tokenize(text).spans) > counts(page)[0]


def test_nonsense_in_a_link_counts_as_absent():
    page = opened(
        "cubism", tokenizers="../../etc/passwd", place="9-1", size="-3", corpus="x", score="abc"
    )
    assert page.link == {}
    assert list(lanes(page)) == ["MiniLM-L6", "BPE", "WordPiece", "Unigram"]


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
def test_a_file_that_is_no_tokenizer_says_why(name: str, content: bytes, message: str):
    page = give(opened(text="dog", tokenizers="minilm-l6"), (name, content))
    assert message in page.notices
    assert lanes(page) == {"MiniLM-L6": ["dog"]}


def test_five_megabytes_of_a_as_corpus():
    page = opened(text="aaa dog", corpus="file", tokenizers="minilm-l6,bpe,unigram")
    assert "No corpus file is here" in page.notices
    give(page, ("a.txt", b"a" * 5_000_000), to="own-corpus")
    assert "a.txt: 5,000,000 characters" in page.text
    assert "Unigram trains on at most 1,000,000" in page.notices
    assert list(lanes(page)) == ["MiniLM-L6", "BPE"]
    assert page.too_long == "Links leave out what was uploaded: a.txt."


def test_a_corpus_that_is_no_text():
    page = opened(corpus="file", tokenizers="minilm-l6")
    give(page, ("broken.txt", b"\xed\xa0\x80 half a character"), to="own-corpus")
    assert "broken.txt is no UTF-8 text" in page.notices


@pytest.mark.parametrize("view", ["why", "wordpiece", "unigram"])
def test_an_empty_corpus_asks_for_a_text(view: str):
    page = opened(view, corpus="own", model="trained")
    assert "Your own corpus is empty" in page.notices


@pytest.mark.parametrize(("view", "figure"), [("wordpiece", "search"), ("unigram", "lattice")])
def test_a_blank_word_is_asked_for(view: str, figure: str):
    page = opened(view, word=" ")
    assert "Type a word to see" in page.notices
    assert f"tokenizers.{figure}" not in page.figures


@pytest.mark.parametrize(("view", "figure"), [("wordpiece", "search"), ("unigram", "lattice")])
@pytest.mark.parametrize("word", ["x" * 190, HOSTILE, "🐕🐕"])
def test_any_word_is_cut(view: str, figure: str, word: str):
    page = opened(view, word=word)
    header = page.figures[f"tokenizers.{figure}"].header
    letters = "".join(header["letters"])
    assert word.startswith(letters)
    assert labels(page, figure)
