"""Births and deaths of tokens, and the same words through Hugging Face's own trainer."""

import pytest

from core.tokenization import bpe
from tests.pages.tokenization.shown import LECTURE, opened


def test_the_lectures_dead_tokens_are_told_and_drawn():
    page = opened(view="lives")
    assert "After 10 merges **5 of the 10** tokens that they made stand nowhere" in page.text
    lives = bpe.lifetimes(bpe.train(LECTURE, 10))
    alive, dead = page.charts[0]["data"]
    assert dead["name"] == "dead"
    assert len(dead["customdata"]) == 3 * sum(life.died is not None for life in lives)
    assert "es: its last use went into est, merge 2" in dead["customdata"]
    assert "est&lt;/w&gt;: in use 3 times in the end" in alive["customdata"]
    ticks = page.charts[0]["layout"]["yaxis"]["ticktext"]
    assert len(ticks) == len(lives)
    rows = page.table("bpe-lives.csv")
    assert [(row["token"], row["died"]) for row in rows] == [
        (life.token, str(life.died or "")) for life in lives
    ]


def test_its_settings_follow_from_view_to_view():
    page = opened(view="lives", merges="2")
    assert "After 2 merges **1 of the 2**" in page.text
    page.button_group(key="tokenization.view").set_value("").run()
    assert page.number_input(key="tokenization.merges").value == 2
    assert "view" not in page.link


def test_nothing_dead_and_nothing_to_merge():
    assert "every one of the 1 made tokens is in use" in opened(view="lives", merges="1").text
    assert "every one of the 0 made tokens" in opened(view="lives", merges="0").text
    assert "is no word with its count" in opened(view="lives", corpus="low").notices


def test_long_runs_draw_a_part_and_hand_out_all():
    text = " ".join(f"{a}{b}{c}" for a in "abcdefgh" for b in "ijklmno" for c in "pqrstuvwxyz")
    page = opened(view="lives", corpus=text, read="text", merges="2000")
    n = len(page.table("bpe-lives.csv"))
    assert n > 600
    assert f"The figure draws the first 600 of {n:,}" in page.text


def test_the_library_is_played_against():
    page = opened(fork="library")
    assert "Equal for 1 of 10 merges" in page.text
    assert "Both stand 9 times: a tie, and no paper says how to break it." in page.text
    assert "this page's trainer equals it in all 10 merges" in page.text
    assert "tokenization.fork-figure" in page.figures
    assert "**Equal for all 10 merges**" in opened(fork="library", ties="smallest-ids").text


@pytest.mark.parametrize("end", ["glued", "none"])
def test_the_library_under_other_ends_of_word(end: str):
    text = opened(fork="library", end=end).text
    assert ("it numbers them in no fixed order" in text) is (end == "glued" and "a tie" in text)
    assert "one of the two is wrong" not in text


def test_too_many_words_for_the_library_are_told():
    page = opened(fork="library", corpus="low 3000000")
    assert "3,000,000 running words" in page.notices
