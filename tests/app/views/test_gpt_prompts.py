"""Prompts from examples: reading, building, mixing up."""

from hypothesis import given
from hypothesis import strategies as st

from app.views.gpt.prompts import FORMATS, PRESETS, build, read_pairs, shuffled, write_pairs

PAIRS = (("big", "small"), ("old", "new"))


def test_prompts_end_where_the_answer_begins():
    assert build(PAIRS, "left", "arrow") == "big -> small\nold -> new\nleft ->"
    assert build(PAIRS[:1], "left", "question") == "Q: big\nA: small\n\nQ: left\nA:"
    assert build((), "left", "colon") == "left:"
    assert build(PAIRS[:1], "left", "sentence") == "big is to small. left is to"


def test_lines_without_an_answer_are_left_out():
    text = "big -> small\n\nnothing here\nold → new\nx =\n a = b \n"
    assert read_pairs(text, 9) == (("big", "small"), ("old", "new"), ("a", "b"))
    assert read_pairs(text, 1) == (("big", "small"),)


def test_braces_in_an_example_are_text():
    assert build((("{y}", "{x}"),), "{x}", "colon") == "{y}: {x}\n{x}:"


def test_every_preset_comes_back_from_its_lines():
    for preset in PRESETS.values():
        assert read_pairs(write_pairs(preset.pairs), 99) == preset.pairs
        assert preset.answer != "", "an answer is watched"
    assert all("{x}" in ask and "{y}" in reply for ask, reply in FORMATS.values())


@given(st.integers(2, 12), st.integers(0, 999))
def test_mixed_answers_are_the_same_ones_and_none_stays(count: int, seed: int):
    pairs = tuple((f"x{index}", f"y{index}") for index in range(count))
    mixed = shuffled(pairs, seed)
    assert [x for x, _ in mixed] == [x for x, _ in pairs]
    assert sorted(y for _, y in mixed) == sorted(y for _, y in pairs)
    assert not set(mixed) & set(pairs)
    assert shuffled(pairs[:1], seed) == pairs[:1]
