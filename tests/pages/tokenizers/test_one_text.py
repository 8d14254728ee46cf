"""One text through several tokenizers: their tokens, the reader's own, what is taken along."""

import json
from unittest.mock import Mock

import pytest

from app.content import corpora
from app.services import tokenizers as tokenizing
from app.views.tokenizers import text as one_text
from app.views.tokenizers.state import DEFAULT_TEXT, MOST_TOKENIZERS, READ, UPLOADS
from app.views.tokenizers.text import EXAMPLES
from core.tokenization import bpe
from tests.pages.tokenizers.shown import FAMILY, counts, give, lanes, opened, take, type_text

SPANS = "tokenizers.spans"
MINE = bpe.train("unreadable reading", 12, byte_level=True)


def test_the_lanes_are_the_tokenizers_own():
    own = [tokenizing.model_tokenizer("minilm-l6")]
    own += [tokenizing.trained_tokenizer(name, corpora.STORY, 1000) for name in tokenizing.TRAINED]
    assert lanes(opened()) == {one.title: list(one.tokenize(DEFAULT_TEXT).tokens) for one in own}


def test_a_token_is_kept_by_the_link_and_let_go():
    page = opened(text="unreadable", tokenizers="minilm-l6")
    page.choose(SPANS, [2, 5])
    assert page.link["place"] == "2-5"
    again = opened(**page.link)
    assert again.figures[SPANS].header["selection"]["value"] == [2, 5]
    again.choose(SPANS, [])
    assert "place" not in again.link


def test_an_emoji_family_is_one_glyph_of_seven_code_points():
    page = opened(text=FAMILY, tokenizers="bpe,minilm-l6", bytes="1", ids="1")
    assert counts(page) == [25, 1]  # every byte; one [UNK]
    header = page.figures[SPANS].header
    assert (header["show_ids"], header["show_bytes"]) == (True, True)
    (glyph,) = header["glyphs"]
    assert len(glyph["points"]) == len(glyph["names"]) == 7
    assert (glyph["points"][1], glyph["names"][1]) == ("U+200D", "ZERO WIDTH JOINER")
    assert bytes(page.figures[SPANS].arrays["data"]).startswith(b"\xf0\x9f\x91\xa8")


def test_characters_that_are_not_seen_are_told_apart():
    page = opened(text="zero\u200bwidth", tokenizers="minilm-l6")
    glyphs = page.figures[SPANS].header["glyphs"]
    assert [glyph["points"] for glyph in glyphs if not glyph["visible"]] == [["U+200B"]]


def test_composed_and_decomposed_forms_are_counted():
    page = opened(text="café", tokenizers="bpe,minilm-l6")
    assert "Same look, other code points" in page.text
    by_bytes, by_letters = counts(page)
    page.press("Show the NFD above")
    assert page.text_area(key="tokenizers.text").value == "cafe\u0301"
    assert counts(page)[0] > by_bytes
    assert counts(page)[1] == by_letters  # BERT strips accents


def test_a_text_is_typed_or_taken_from_the_examples_and_enters_the_link():
    page = take(opened(tokenizers="minilm-l6", place="0-3"), "example", "one long word")
    assert page.text_area(key="tokenizers.text").value == EXAMPLES["one long word"]
    assert "place" not in page.link  # of the text before
    type_text(page, "dog dogs")
    assert page.link["text"] == "dog dogs"
    page.button_group(key="tokenizers.view").set_value("unigram").run()
    assert page.link["view"] == "unigram"
    page.button_group(key="tokenizers.view").set_value("text").run()
    assert page.text_area(key="tokenizers.text").value == "dog dogs"


def test_a_tokenizer_of_the_readers_own_stands_beside_the_others():
    page = opened(text="unreadable", tokenizers="minilm-l6")
    give(page, ("mine.json", bpe.tokenizer_json(MINE)))
    expected = bpe.from_training(MINE).tokenize("unreadable").tokens
    assert list(lanes(page)) == ["MiniLM-L6", "mine.json"]
    assert lanes(page)["mine.json"] == list(expected)
    assert page.link["tokenizers"] == "minilm-l6"
    assert "Links leave out what was uploaded: mine.json." in page.too_long


def test_another_file_of_the_same_name_takes_its_place():
    page = opened(text="dogs", tokenizers="minilm-l6")
    for last, tokens in (("##s", ["dog", "##s"]), ("dogs", ["dogs"])):
        give(page, ("vocab.txt", f"[UNK]\ndog\n##g\n{last}"))
        assert lanes(page)["vocab.txt"] == tokens


@pytest.mark.parametrize(("text", "cuts"), [("one [SEP] two", 1), ("ab " * 400, 2)])
def test_what_is_small_is_cut_once(text: str, cuts: int, monkeypatch: pytest.MonkeyPatch):
    cut = Mock(wraps=one_text._cut)  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(one_text, "_cut", cut)
    opened(text=text, tokenizers="minilm-l6,bpe", special="text").run()
    assert cut.call_count == cuts


def test_merges_with_their_vocabulary():
    ids = {token: 1000 + number for number, token in enumerate(MINE.vocabulary)}
    page = opened(text="unreadable", tokenizers="minilm-l6")
    give(page, ("merges.txt", bpe.merges_txt(MINE)), ("vocab.json", json.dumps(ids)))
    rows = page.table("tokenizers-on-one-text.csv")
    own = [row for row in rows if row["tokenizer"] == "merges.txt"]
    assert [int(row["id"]) for row in own] == [ids[row["token"]] for row in own]
    assert len(own) == counts(page)[1]


@pytest.mark.parametrize("last", ["merges.txt", "vocab.json"])
def test_the_other_half_may_come_later(last: str):
    ids = {token: 1000 + number for number, token in enumerate(MINE.vocabulary)}
    halves = {"merges.txt": bpe.merges_txt(MINE), "vocab.json": json.dumps(ids)}
    page = opened(text="unreadable", tokenizers="minilm-l6")
    for name in sorted(halves, key=lambda name: name == last):
        give(page, (name, halves[name]))
    rows = page.table("tokenizers-on-one-text.csv")
    assert {int(row["id"]) for row in rows} & set(ids.values())


def test_a_session_keeps_the_newest_uploads():
    page = opened(text="dog", tokenizers="minilm-l6")
    for number in range(MOST_TOKENIZERS + 2):
        give(page, (f"{number}.txt", "[UNK]\ndog\n##g\n"))
    newest = [f"{number}.txt" for number in range(2, MOST_TOKENIZERS + 2)]
    assert list(page.session_state[UPLOADS]) == newest
    assert {name for name, _ in page.session_state[READ]} == set(newest)


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_large_corpus_is_learned_from_beside_everything_else(
    beyond: int, monkeypatch: pytest.MonkeyPatch
):
    learn = Mock(wraps=tokenizing.in_background)
    monkeypatch.setattr(tokenizing, "in_background", learn)
    page = opened(text="dog", corpus="file", tokenizers="bpe,wordpiece", size="300")
    text = "dogs and hugs ".ljust(tokenizing.SMALL + beyond, "x")
    give(page, ("mine.txt", text), to="own-corpus")
    assert learn.call_count == 2 * beyond
    assert list(lanes(page)) == ["BPE", "WordPiece"]


def test_the_table_holds_every_token_with_its_place():
    page = opened(text="café keepers", tokenizers="minilm-l6,bpe")
    assert "café" in page.file("tokenizers-on-one-text.csv").decode().splitlines()[0]
    spans = tokenizing.model_tokenizer("minilm-l6").tokenize("café keepers").spans
    rows = page.table("tokenizers-on-one-text.csv")
    assert [
        (row["token"], int(row["id"]), int(row["byte_end"]))
        for row in rows
        if row["tokenizer"] == "MiniLM-L6"
    ] == [(span.token, span.id, span.byte_end) for span in spans]


def test_a_session_file_brings_everything_back():
    saved = opened(text="one two", tokenizers="minilm-l6,bpe", size="300")
    page = opened()
    file = ("session.json", saved.file("glassformer-session.json"), "application/json")
    page.file_uploader(key="tokenizers.session:file:0").set_value(file).run()
    assert page.link == saved.link
    assert lanes(page) == lanes(saved)


def test_the_text_is_taken_along_to_the_attention_page():
    page = opened(text="unreadable logbooks", tokenizers="minilm-l6")
    links = {link.proto.label: link.proto for link in page.get("page_link")}
    link = links["What do these pieces do to attention? Every head on this text"]
    assert (link.page, link.query_string) == ("attention", "text=unreadable+logbooks")


def test_a_hub_tokenizer_without_a_network_says_so_and_the_rest_stays():
    page = opened(text="unreadable", tokenizers="gpt2,minilm-l6")
    assert "The tokenizer of GPT-2 comes from the hub" in page.notices
    assert list(lanes(page)) == ["MiniLM-L6"]


@pytest.mark.parametrize("shown", [1200, 1201])
def test_a_long_text_is_counted_whole_and_drawn_in_part(shown: int):
    page = opened(text="a" * shown, tokenizers="minilm-l6")
    drawn = len(page.figures[SPANS].header["glyphs"])
    assert drawn == 1200
    assert ("The figure draws the first 1,200 characters" in page.text) == (shown > drawn)
