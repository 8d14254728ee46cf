"""The run that is drawn: every merge, every tie, every setting, against the core's own."""

import csv
import io
import json

import pytest
from tokenizers import Tokenizer

from core.tokenization import bpe
from tests.pages.tokenization.shown import (
    FIGURE,
    LECTURE,
    MERGES,
    at,
    example,
    merged,
    opened,
    run_of,
    step_of,
    tokens,
)


def test_the_lectures_ten_merges_with_their_ties_and_words():
    page = opened(step="3")
    assert at(page) == 3
    assert merged(page) == MERGES
    first = step_of(page, 0)
    assert first["why"].startswith("3 pairs stand 9 times each, so the tie rule decides")
    assert sum(row[4] for row in first["rows"]) == first["n_tied"] == 3
    word, count, before, struck, n_tokens = step_of(page, 3)["words"][0]
    assert (word, count, before, struck, n_tokens) == ("low", 5, ["l", "o", "w", "</w>"], [0], 4)
    assert "as many as the settings ask for" in step_of(page, 10)["why"]
    assert run_of(page)["lengths"][3] == 68


def test_every_setting_reaches_the_training():
    corpus = "low lower, lowest! low"
    page = opened(
        corpus=corpus, read="text", ties="smallest-ids", bytes="1", split="gpt2", min="2",
        merges="50",
    )  # fmt: skip
    trained = bpe.train(corpus, 50, "smallest-ids", byte_level=True, min_frequency=2)
    assert merged(page) == [step.token for step in trained.steps]
    assert "the minimum frequency" in run_of(page)["end"]


def test_settings_enter_the_link():
    page = opened()
    page.number_input(key="tokenization.merges").set_value(5).run()
    page.button_group(key="tokenization.end").set_value("none").run()
    assert page.link == {"merges": "5", "end": "none"}
    trained = bpe.train(LECTURE, 5, end_of_word=None)
    assert merged(page) == [step.token for step in trained.steps]


def test_chips_load_other_corpora():
    page = example(opened(step="2"), "the HF course")
    course = "Ġt is er Ġa Ġto en Th This ou se Ġtok Ġtoken nd Ġis Ġth Ġthe in Ġab Ġtokeni"
    assert merged(page) == course.split(" ")
    assert at(page) == 0
    page = example(page, "aaa: count ≠ merges")
    assert "the two share the middle a" in step_of(page, 0)["overlap"]


def test_predict_is_told_to_the_figure_and_the_link():
    page = opened()
    page.toggle(key="tokenization.predict").set_value(True).run()
    assert page.figures[FIGURE].header["predict"] is True
    assert page.link == {"predict": "1"}
    assert page.files == ("glassformer-session.json",)


def test_the_first_guess_of_a_merge_counts():
    page = opened(predict="1")
    taken = step_of(page, 0)["taken"]
    page.fire(FIGURE, {"guess": [0, taken + 1]})
    page.fire(FIGURE, {"guess": [0, taken]})
    assert "0 of 1 right" in page.text
    page.fire(FIGURE, {"guess": [1, step_of(page, 1)["taken"]]})
    page.fire(FIGURE, {"guess": [2, -1]})
    assert "1 of 3 right" in page.text
    page.fire(FIGURE, {"guess": [3, 5000]})
    assert "1 of 3 right" in page.text


def test_a_step_taken_in_the_figure_moves_the_link_and_what_is_encoded():
    page = opened(step="10")
    assert tokens(page) == ["low", "est</w>"]
    page.choose(FIGURE, 0)
    assert tokens(page) == ["l", "o", "w", "e", "s", "t", "</w>"]
    assert page.link == {}


def test_a_run_too_long_to_send_whole_comes_in_windows():
    words = [
        f"{a}{b}{c}" for a in "stream" for b in ("ing", "ed", "er", "est", "ly") for c in "xyzuv"
    ]
    corpus = " ".join(word for i, word in enumerate(words) for _ in range(1 + i % 7))
    page = opened(corpus=corpus, read="text", merges="1000")
    n_steps = len(bpe.train(corpus, 1000).steps)
    assert n_steps > 160
    with pytest.raises(KeyError):
        step_of(page, n_steps - 5)
    page.choose(FIGURE, n_steps - 5)
    assert step_of(page, n_steps - 5)["why"]
    assert page.link["step"] == str(n_steps - 5)


def test_the_files_say_what_the_run_says():
    page = opened(end="glued", step="10")
    merges = bpe.train(LECTURE, 10, glued=True).merges
    _, _, table = page.file("bpe-merges.csv").decode().partition("\n")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["token"] for row in rows] == ["".join(pair) for pair in merges]
    assert page.file("merges.txt").decode().splitlines()[1] == " ".join(merges[0])
    loaded = Tokenizer.from_str(page.file("tokenizer.json").decode())
    expected = bpe.encode("lowest", merges, "</w>", glued=True).tokens
    assert tuple(loaded.encode("lowest").tokens) == expected
    assert json.loads(page.file("bpe-lesson.json"))["step"] == 10


def test_a_longest_token_ends_the_run_and_says_so():
    page = opened(longest="3", merges="30")
    assert merged(page) == ["es", "est", "lo", "low", "ne", "new", "wi", "wid", "er", "er</w>"]
    assert "more than 3 symbols, the longest that is allowed" in step_of(page, 10)["why"]
    left = step_of(page, 10)
    assert (left["n_pairs"], left["n_too_long"]) == (0, 5)
    assert page.link["longest"] == "3"
    page.number_input(key="tokenization.longest").set_value(1).run()
    assert "allow 2 or more" in page.notices
