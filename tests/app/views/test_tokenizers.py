"""The tokenizers page's pure parts: lanes, cuttings, curves, forms, files, links."""

import json

import numpy as np
import pytest

from app.components.frame import unpack
from app.components.piece_bars import Bar, packed, piece_bars_frame
from app.components.token_spans import (
    SpanSettings,
    drawn_places,
    read_place,
    token_spans_frame,
)
from app.content import corpora
from app.services import tokenizers
from app.style.log_ticks import log_ticks
from app.style.visible_space import joined
from app.ui.downloads import csv_bytes
from app.views.tokenizers import cuttings
from app.views.tokenizers.forms import entries, form_rows
from app.views.tokenizers.lanes import lanes_of, partial_tokens
from app.views.tokenizers.sizes import halves, held_out
from core.errors import InputError
from core.limits import TRAINED_CHARACTERS
from core.tokenization import bpe, unigram, wordpiece
from core.tokenization.glyphs import glyphs, splits_glyph
from core.tokenization.wordpiece import Score

FAMILY = "👨‍👩‍👧‍👦"


@pytest.fixture(scope="module")
def trained():
    return [tokenizers.trained_tokenizer(name, corpora.STORY, 400) for name in tokenizers.TRAINED]


def test_lanes_count_the_whole_and_draw_the_beginning(trained):
    text = f"The lighthouse {FAMILY} keeper"
    whole = lanes_of(text, trained, 1000)
    assert not whole.cut_short
    assert [s.tokens for s in whole.summaries] == [len(r.spans) for r in whole.comparison.rows]
    part = lanes_of(text, trained, 16)  # ends inside the family
    assert part.cut_short
    assert part.comparison.text == "The lighthouse "
    assert part.rows == whole.rows
    assert part.summaries == whole.summaries
    byte_level = whole.summaries[0]
    assert byte_level.partial == 25  # every byte of the family is a token of its own
    assert (byte_level.words, byte_level.unknown) == (3, 0)


def test_tokens_within_a_glyph_are_those_that_the_core_finds(trained):
    text = f"cafe\u0301 {FAMILY} नमस्ते 👍🏽"
    clusters = glyphs(text)
    for tokenizer in trained:
        spans = tokenizer.tokenize(text).spans
        expected = sum(splits_glyph(span, clusters) for span in spans)
        assert partial_tokens(spans, clusters) == expected
    assert partial_tokens((), ()) == 0


def test_empty_text_has_lanes_without_tokens(trained):
    lanes = lanes_of("", trained, 10)
    assert [summary.tokens for summary in lanes.summaries] == [0, 0, 0]
    header, _ = unpack(
        token_spans_frame(lanes.comparison, lanes.glyphs, SpanSettings(notes=("", "", "")))
    )
    assert header["glyphs"] == []


def test_the_frame_holds_tokens_ids_and_places(trained):
    lanes = lanes_of("unreadable é", trained, 100)
    notes = tuple(summary.note for summary in lanes.summaries)
    header, arrays = unpack(token_spans_frame(lanes.comparison, lanes.glyphs, SpanSettings(notes)))
    for number, row in enumerate(lanes.comparison.rows):
        assert header["lanes"][number]["tokens"] == list(row.tokens)
        assert header["lanes"][number]["ids"] == list(row.ids)
        starts = [span.byte_start for span in row.spans]
        assert arrays[f"lane{number}"][:, 0].tolist() == starts
    assert bytes(arrays["data"]).decode() == "unreadable é"


def test_tokens_on_the_same_bytes_share_their_room():
    drawn = drawn_places([(0, 4), (0, 4), (4, 4), (4, 4), (4, 5)])
    assert drawn.tolist() == [[0, 2], [2, 4], [4, 4], [4, 4], [4, 5]]
    assert drawn_places([]).shape == (0, 2)


@pytest.mark.parametrize("report", [None, "x", [1], [3, 3], [-1, 2], [0, 99], [0.5, 1]])
def test_a_nonsense_selection_is_refused(report):
    assert read_place(report, 10) is None


def test_a_selection_is_read():
    assert read_place([], 10) == ()
    assert read_place([2, 5], 10) == (2, 5)


def test_bars_are_packed_without_overlap():
    bars = [Bar(0, 1, "u"), Bar(0, 2, "un"), Bar(1, 2, "n"), Bar(2, 5, "hug"), Bar(2, 3, "h")]
    rows = packed(bars)
    assert [[bar.label for bar in row.bars] for row in rows] == [["un", "hug"], ["u", "n", "h"]]


def test_the_lattice_of_unhug_is_the_courses():
    model = unigram.from_frequencies(cuttings.COURSE)
    figure = cuttings.lattice_figure("unhug", model, best=5, alpha=1.0, seed=0)
    lattice, best, drawn = figure.sections
    lit = [bar.label for row in lattice.rows for bar in row.bars if bar.state == "lit"]
    assert sorted(lit) == ["hug", "un"]
    assert best.rows[0].note == "P = 0.00544 · share 0.707"
    assert figure.marks[0] == "0"
    assert figure.marks[-1] == "−5.21"
    assert sum(int(row.name.split()[0]) for row in drawn.rows) <= cuttings.DRAWS
    assert unpack(piece_bars_frame(figure))[0]["letters"] == list("unhug")


def test_longest_match_shows_what_was_tried_and_where_it_fails():
    vocabulary = {"h": 0, "##ug": 1, "hug": 2, "##u": 3}
    found = cuttings.search_section("hugu", vocabulary, "t")
    states = [(row.bars[0].label, row.bars[0].state) for row in found.rows]
    assert states == [("hugu", "failed"), ("hug", "lit"), ("##u", "lit")]
    lost = cuttings.search_section("hugs", vocabulary, "t")
    assert lost.rows[-1].bars[0].state == "unknown"
    assert "the whole word is lost" in lost.rows[-1].note
    assert not lost.joined


def test_the_three_trainings_glue_what_the_lecture_says():
    merges = bpe.train(corpora.HUG, 3, tie_rule="smallest-ids", end_of_word=None)
    assert cuttings.bpe_steps(merges)["token"] == ["ug", "un", "hug"]
    frequency = wordpiece.train(corpora.HUG, 4, "frequency")
    assert cuttings.wordpiece_steps(frequency)["token"] == ["##ug", "##un", "hug", "pun"]
    likelihood = cuttings.wordpiece_steps(wordpiece.train(corpora.HUG, 4, "likelihood"))
    assert likelihood["token"] == ["##gs", "hu", "hugs", "hug"]
    assert likelihood["score"][:2] == ["5/(20·5) = 1/20", "15/(15·36) = 1/36 · 6 tied"]


def test_an_unknown_letter_is_marked_in_bpes_row():
    row = cuttings.tokens_row("mug", ("m", "ug"), "BPE", vocabulary={"ug"})
    assert [bar.state for bar in row.bars] == ["unknown", "plain"]


def test_held_out_words_fall_back_to_pieces():
    found = held_out(corpora.STORY)
    assert found.words[-1].coverage < 0.9
    assert found.pieces[-1].writable > 0.95
    assert found.pieces[0].tokens_per_word > 2 * found.pieces[-1].tokens_per_word
    wholes = [point.whole for point in found.pieces]
    assert wholes == sorted(wholes)


def test_halves_of_a_text_and_of_counts():
    first, second = halves("One cat. Two dogs. Three cats.")
    assert first == {"One": 1, "cat": 1, ".": 2, "Three": 1, "cats": 1}
    assert second == {"Two": 1, "dogs": 1, ".": 1}
    assert halves({"a": 1, "b": 2, "c": 3}) == ({"a": 1, "c": 3}, {"b": 2})
    with pytest.raises(InputError, match="too short"):
        halves("word")


def test_without_a_rule_the_vocabulary_pays_for_every_form():
    found = entries(corpora.STORY, "dog")
    assert set(found.with_rule) == {"Ġdog", "dog", "Dog", "Ġdogs"}
    assert "dogĠ" in found.without_rule
    assert len(found.without_rule) > len(found.with_rule)
    forms = {row.form: row for row in form_rows(corpora.STORY, "dog")}
    assert forms["␣dog,"].with_rule == "Ġdog · ,"
    assert forms["␣dog,"].bare == "dog,"


def test_trained_tokenizers_have_the_size_they_are_asked_for():
    for name in ("bpe", "unigram"):
        assert tokenizers.trained_tokenizer(name, corpora.STORY, 400).vocabulary_size == 400
    both = [tokenizers.trained_tokenizer("wordpiece", corpora.STORY, 400, score) for score in Score]
    assert [tokenizer.vocabulary_size for tokenizer in both] == [400, 400]
    assert both[0].tokenize("unreadable").tokens != both[1].tokenize("unreadable").tokens


def test_merges_and_vocabulary_belong_together():
    training = bpe.train("low lower newest", 5, byte_level=True)
    merges = bpe.merges_txt(training).encode()
    ids = {token: 7 * number for number, token in enumerate(training.vocabulary)}
    tokenizer = tokenizers.file_tokenizer(
        {"merges.txt": merges, "vocab.json": json.dumps(ids).encode()}
    )
    span = tokenizer.tokenize("low").spans[0]
    assert span.id == ids[span.token]
    assert tokenizers.file_tokenizer({"merges.txt": merges}).tokenize("low").tokens == ("low",)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"vocab.json": b'{"a": 1}'}, "vocabulary without merges"),
        ({"a.txt": b"x y", "b.txt": b"x y"}, "do not belong together"),
        ({"tokenizer.json": b'{"model": {}}'}, "no tokenizer.json that"),
        ({"tokenizer.json": b'{"model": '}, "is not JSON"),
        ({"vocab.txt": b"one two three four"}, "a rule is two tokens"),
        ({"vocab.json": b'{"a": 1}', "merges.txt": b"a b</w>\n"}, "no byte-level merges"),
    ],
)
def test_files_that_are_none_say_so(files, message):
    with pytest.raises(InputError, match=message):
        tokenizers.file_tokenizer(files)


def test_corpora_that_are_too_large_say_so():
    with pytest.raises(InputError, match=f"at most {TRAINED_CHARACTERS:,}"):
        tokenizers.trained_tokenizer("bpe", "a" * (TRAINED_CHARACTERS + 1), 300)
    most = tokenizers.LONGEST_UNIGRAM_CORPUS
    with pytest.raises(InputError, match=f"Unigram trains on at most {most:,}"):
        tokenizers.trained_tokenizer("unigram", "ab " * (most // 3 + 1), 300)
    with pytest.raises(InputError, match="has no words"):
        tokenizers.trained_tokenizer("wordpiece", "\x00 \x01", 300)


def test_white_space_is_readable():
    assert joined([" dog", "\n"]) == "␣dog · ⏎"


def test_ticks_are_written_out():
    ticks = log_ticks(np.array([49, 766]))
    assert ticks["ticktext"][:4] == ["10", "20", "50", "100"]
    assert "500 k" in log_ticks([4e4, 6e5])["ticktext"]


def test_a_csv_survives_half_a_character():
    text = csv_bytes("one\ntwo", ["token"], [["\ud800"]]).decode()
    assert text.splitlines()[0] == "# one two"
