"""The BERT page's pure parts: masks after a click, after an edit; rows; drawings; texts."""

import numpy as np
import pytest

from app.services.encoder import Given
from app.views.bert import papers, state
from app.views.bert.attachments import attachment, drawing, drawn_places
from app.views.bert.looking import written
from app.views.bert.masks import (
    Masks,
    carried,
    checked,
    clicked,
    filled,
    spans_of,
    typed_masks,
)
from app.views.bert.predictions import candidate_rows, prediction, summary, surest
from app.views.bert.span_answer import read_numbers
from core.catalog import card_of
from core.explain.predictions.token_distribution import token_distribution
from core.trace import Encoding

MASK = 4
WORDS = ("the", "cat", "sat", "[MASK]", "down")


def encoding(text: str, pair: str = "") -> Encoding:
    """One token a letter group of three at most, as a made-up tokenizer cuts."""
    tokens, offsets, words, segments = ["[CLS]"], [(0, 0)], [-1], [0]
    for segment, given in enumerate(filter(None, (text, pair))):
        start = 0
        for word, part in enumerate(given.split(" ")):
            cuts = [part] if part == "[MASK]" else [part[i : i + 3] for i in range(0, len(part), 3)]
            for index, piece in enumerate(cuts):
                tokens.append(piece if index == 0 else f"##{piece}")
                offsets.append((start, start + len(piece)))
                words.append(word)
                segments.append(segment)
                start += len(piece)
            start += 1
        tokens.append("[SEP]")
        offsets.append((0, 0))
        words.append(-1)
        segments.append(segment)
    special = np.array([token in ("[CLS]", "[SEP]", "[MASK]") for token in tokens])
    return Encoding(
        tokens=tuple(tokens),
        ids=np.array([MASK if token == "[MASK]" else 100 + i for i, token in enumerate(tokens)]),
        offsets=np.array(offsets, dtype=np.int64),
        words=np.array(words),
        special=special,
        segments=np.array(segments, dtype=np.int64),
    )


class TestClicks:
    text = encoding("the lighthouse stood")  # [CLS] the lig ##hth ##ous ##e sto ##od [SEP]

    def test_a_word_is_masked_with_all_its_pieces(self):
        masks, problem = clicked(Masks(), self.text, MASK, 4, pieces=False)
        assert masks.masked == (2, 3, 4, 5)
        assert problem is None
        assert clicked(masks, self.text, MASK, 2, pieces=False)[0] == Masks()

    def test_or_piece_by_piece(self):
        masks, _ = clicked(Masks((2,)), self.text, MASK, 4, pieces=True)
        assert masks.masked == (2, 4)
        assert clicked(masks, self.text, MASK, 2, pieces=True)[0].masked == (4,)

    def test_special_tokens_stay(self):
        masks, problem = clicked(Masks(), self.text, MASK, 0, pieces=False)
        assert masks == Masks()
        assert problem == "[CLS] is not a word: the model always gets it."

    def test_a_filled_mask_opens_again(self):
        masks = filled(Masks((2, 6)), 6, 321)
        assert masks.open(frozenset()) == (2,)
        assert masks.edits(MASK) == ((2, MASK), (6, 321))
        assert masks.edits(MASK, fills=False) == ((2, MASK), (6, MASK))
        assert clicked(masks, self.text, MASK, 6, pieces=True)[0] == Masks((2, 6))

    def test_typed_masks_are_open_but_stay(self):
        text = encoding("the [MASK] sat")
        typed = typed_masks(text, MASK)
        assert typed == {2}
        assert Masks((3,)).open(typed) == (2, 3)
        masks, problem = clicked(Masks(), text, MASK, 2, pieces=False)
        assert masks == Masks()
        assert problem is not None
        assert "stands in the text itself" in problem
        assert filled(Masks(), 2, 7).edits(MASK) == ((2, 7),)

    def test_more_masks_than_fit_are_refused(self):
        text = encoding(" ".join(["word"] * 20))
        masks = Masks()
        for place in range(1, 25, 2):
            masks, problem = clicked(masks, text, MASK, place, pieces=True)
            assert problem is None
        assert len(masks.masked) == state.MOST_MASKS
        same, problem = clicked(masks, text, MASK, 30, pieces=True)
        assert same == masks
        assert problem is not None
        assert "13 masks are more than the 12 that fit" in problem


def test_a_links_masks_are_checked():
    text = encoding("the [MASK] sat")  # [CLS] the [MASK] sat [SEP]
    wild = Masks((0, 1, 3, 400), ((1, 7), (2, 8), (3, 99_999), (400, 1), (0, 3)))
    assert checked(wild, text, MASK, vocabulary=1000) == Masks((1, 3), ((1, 7), (2, 8)))


class TestMasksFollowTheirLetters:
    def moved(self, old: str, new: str, masks: Masks, *, fills: bool = True) -> Masks:
        spans = spans_of(masks, encoding(old))
        return carried(masks, spans, ((old, ""), (new, "")), encoding(new), fills=fills)

    def test_words_before_them_push_them(self):
        masks = Masks((2,), ((2, 7),))  # cat
        assert self.moved("the cat sat", "look the cat sat", masks) == Masks((4,), ((4, 7),))

    def test_words_behind_them_do_not(self):
        assert self.moved("the cat sat", "the cat sat down", Masks((2,))) == Masks((2,))

    def test_a_word_that_is_rewritten_loses_its_mask(self):
        assert self.moved("the cat sat", "the dog sat", Masks((2, 3))) == Masks((3,))

    def test_another_model_drops_what_was_filled_in(self):
        masks = Masks((2, 3), ((2, 7),))
        assert self.moved("the cat sat", "the cat sat", masks, fills=False) == Masks((2, 3))

    def test_the_second_text_has_its_own_letters(self):
        old, new = encoding("the cat", "it sat"), encoding("the big cat", "it sat")
        masks = Masks((5,))  # sat
        found = carried(
            masks, spans_of(masks, old), (("the cat", "it sat"), ("the big cat", "it sat")), new,
            fills=True,
        )  # fmt: skip
        assert [new.tokens[place] for place in found.masked] == ["sat"]


class TestPredictions:
    now = token_distribution(np.log(np.array([0.5, 0.3, 0.1, 0.06, 0.04], np.float32)))
    before = token_distribution(np.log(np.array([0.1, 0.6, 0.1, 0.1, 0.1], np.float32)))

    def test_the_original_is_always_shown(self):
        found = prediction(2, 4, self.now, before=None, count=2)
        rows = candidate_rows(found, WORDS)
        assert [row.text for row in rows] == ["the", "cat", "down"]
        assert [row.lit for row in rows] == [False, False, True]
        assert rows[2].note == "rank 5"
        assert "“down” has rank 5 of 5, p 0.04" in summary(found, WORDS)

    def test_before_and_after_a_fill(self):
        found = prediction(2, 1, self.now, before=self.before, count=2)
        assert [row.note for row in candidate_rows(found, WORDS)] == ["was 0.1", "was 0.6"]
        assert summary(found, WORDS).endswith(f"(was {self.before.entropy:.3g})")

    def test_the_surest_mask(self):
        unsure = prediction(7, None, self.before, before=None, count=2)
        sure = prediction(2, None, self.now, before=None, count=2)
        expected = (2, 0) if self.now.entropy < self.before.entropy else (7, 1)
        assert surest([unsure, sure]) == expected


class TestWrittenTexts:
    def test_masks_are_written_where_the_words_stood(self):
        text = encoding("the cat sat", "it ran")
        edited = Encoding(
            ("[CLS]", "the", "[MASK]", "sat", "[SEP]", "it", "dog", "[SEP]"),
            text.ids, text.offsets, text.words, text.special, text.segments,
        )  # fmt: skip
        given = Given("bert-mini", "the cat sat", "it ran")
        assert written(given, edited, "[MASK]") == ("the [MASK] sat", "it dog")

    def test_a_text_as_it_is_stays_letter_by_letter(self):
        text = encoding("The  Cat, sat!".replace("  ", " "))
        assert written(Given("x", "The Cat, sat!"), text, "[MASK]") == ("The Cat, sat!", None)


class TestAttachments:
    card = card_of("bert-mini")

    @pytest.mark.parametrize(
        ("task", "count"),
        [("single", 3 * 256 + 3), ("pair", 771), ("tagging", 771), ("answer", 514)],
    )
    def test_what_is_added(self, task: str, count: int):
        assert attachment(task, 256, 3).parameters == count

    @pytest.mark.parametrize("task", list(state.TASKS))
    @pytest.mark.parametrize("pair", ["", "in a small house by the sea it slept all day"])
    def test_drawings_hold_together(self, task: str, pair: str):
        assert self.card is not None
        text = encoding("the old cat sat on a mat and saw a bird", pair)
        made = drawing(task, text, self.card, attachment(task, 256, 3))
        ids = [box.id for box in made.boxes]
        assert len(ids) == len(set(ids))
        for box in made.boxes:
            assert 0 <= box.x <= box.x + box.w <= made.width + 1e-9
            assert 0 <= box.y <= box.y + box.h <= made.height + 1e-9

    def test_a_tag_is_read_off_the_first_piece_alone(self):
        assert self.card is not None
        text = encoding("the keeper sat")  # [CLS] the kee ##per sat [SEP]
        made = drawing("tagging", text, self.card, attachment("tagging", 256, 3))
        lit = [box.id for box in made.boxes if box.id.startswith("out") and box.hue]
        assert lit == ["out1", "out2", "out4"]

    def test_a_question_and_its_passage_are_both_drawn(self):
        text = encoding("who sat on the old mat", "the cat sat on the mat in the house")
        places = drawn_places(text)
        drawn = [text.tokens[place] for place in places if place is not None]
        assert drawn[0] == "[CLS]"
        assert drawn.count("[SEP]") == 2
        assert None in places


def test_span_scores_that_a_reader_writes():
    assert read_numbers("1, 2, 3, 4, 5, -6.5") == [1, 2, 3, 4, 5, -6.5]
    assert read_numbers("1 2 3 4 5 6") == [1, 2, 3, 4, 5, 6]
    assert "3 numbers came; the example has 6 tokens" in read_numbers("1, 2, 3")
    assert "are not all numbers" in read_numbers("one, 2, 3, 4, 5, 6")
    assert "finite" in read_numbers("inf, 2, 3, 4, 5, 6")


def test_the_papers_tables_are_whole():
    assert all(masked + kept + random == 100 for masked, kept, random, *_ in papers.MASKING_RATES)
    assert len(papers.MASKING_RATES) == 6
    for table in (papers.ABLATION, papers.FORMATS, papers.STATIC_AND_DYNAMIC):
        assert len({len(column) for column in table.values()}) == 1
    assert papers.printed({"a": (84.0, None, "x")}) == {"a": ["84.0", "–", "x"]}


def test_links_carry_masks_and_refuse_nonsense():
    assert state.MASKS.parse("6,4,4") == (4, 6)
    assert state.MASKS.parse("") == ()
    assert state.MASKS.parse("4,x") is None
    assert state.MASKS.parse("9999") is None
    assert state.FILLS.parse("4.2300,6.1") == ((4, 2300), (6, 1))
    assert state.FILLS.parse("4-3") is None
    assert state.HEAD.parse("3.1") == (3, 1)
    assert state.HEAD.parse("-3.1") is None
    for param in (state.MASKS, state.FILLS, state.HEAD):
        for text in ("4,6", "4.2300", "3.1"):
            value = param.parse(text)
            assert value is None or param.write(value) == text
