"""Languages, vocabulary sizes, WordPiece and Unigram: what is drawn is what the core finds."""

import pytest

from app.content import corpora
from app.services import engine
from app.services import tokenizers as tokenizing
from app.style.number_format import three
from app.style.visible_space import joined
from app.views.tokenizers.cuttings import COURSE
from app.views.tokenizers.forms import entries
from core.tokenization import unigram
from core.tokenization.comparison import fertilities
from tests.pages.curves import curves
from tests.pages.tokenizers.shown import bars, labels, lanes, opened, sections, take


def test_fifteen_languages_are_dots_by_the_chosen_measure():
    page = opened("languages", tokenizers="minilm-l6,bpe")
    own = [tokenizing.model_tokenizer("minilm-l6")]
    own.append(tokenizing.trained_tokenizer("bpe", corpora.STORY, 1000))
    found = fertilities(corpora.LANGUAGES, own)
    (chart,) = page.charts
    assert [trace["name"] for trace in chart["data"]] == ["MiniLM-L6", "BPE"]
    assert len(chart["data"][0]["y"]) == 15
    assert "Turkish" in chart["data"][0]["y"]
    page.button_group(key="tokenizers.languages.measure").set_value("character").run()
    (chart,) = page.charts
    assert chart["layout"]["xaxis"]["title"]["text"] == "tokens per code point"
    turkish = next(row for row in found if row.sample == "Turkish" and row.tokenizer == "BPE")
    dots = curves(page, 0)["BPE"]
    at = chart["data"][1]["y"].index("Turkish")
    assert dots[0][at] == pytest.approx(turkish.tokens_per_character)


def test_a_languages_sentence_is_opened_in_tokens():
    page = take(opened("languages", tokenizers="minilm-l6"), "language", "Finnish")
    assert page.text_area(key="tokenizers.text").value == corpora.LANGUAGES["Finnish"]
    assert "MiniLM-L6" in lanes(page)
    assert "view" not in page.link


def test_why_subwords_measures_the_half_that_was_held_out():
    page = opened("why", corpus="own", own="One dog. Two cats. Three dogs, three dogs.")
    assert len(page.charts) == 2
    assert "Learned on 9 running words, measured on 3 others." in page.text
    assert "the word list still lacks 2 different words: 0.667 of the text is [UNK]" in page.text
    found = entries("One dog. Two cats. Three dogs, three dogs.", "dogs")
    page.text_input(key="tokenizers.why.word").set_value("dogs").run()
    assert joined(found.with_rule) in page.text.splitlines()
    page.text_input(key="tokenizers.why.word").set_value("giraffe").run()
    assert "“giraffe” does not stand in this corpus." in page.text


def test_what_was_held_out_is_not_kept_by_a_readers_whole_corpus(monkeypatch: pytest.MonkeyPatch):
    derived, keys = engine.derived, []

    def noted(key, *given):
        keys.append(key)
        return derived(key, *given)

    monkeypatch.setattr(engine, "derived", noted)
    opened("why", corpus="own", own="A wombat sleeps. A wombat eats. It sleeps.")
    found = [key for key in keys if key[0] == "held-out"]
    assert found
    assert "wombat" not in repr(found)


def test_wordpiece_searches_the_longest_and_fails_as_a_whole():
    page = opened("wordpiece")
    # BPE; by frequency; by likelihood; then one vain try and two that fit
    assert labels(page, "search") == ["hug", "s", "hug", "##s", "hugs", "hugs", "hug", "##s"]
    take(page, "wordpiece-example", "mug: [UNK]")
    assert labels(page, "search") == ["m", "ug", "[UNK]", "[UNK]", "mug", "mu", "m", "[UNK]"]
    assert page.link["word"] == "mug"


def test_unigram_lights_the_best_path_and_trains_its_own():
    page = opened("unigram")
    lattice = unigram.lattice("unhug", unigram.from_frequencies(COURSE))
    drawn = bars(sections(page, "lattice")[0])
    lit = {bar["label"] for bar in drawn if bar["state"] == "lit"}
    assert lit == {edge.piece for edge in lattice.edges if edge.best} == {"un", "hug"}
    un = next(edge for edge in lattice.edges if edge.piece == "un")
    tip = next(bar["tip"] for bar in drawn if bar["label"] == "un")
    assert f"in {three(100 * un.posterior)} % of random cuttings (α = 1)" in tip
    take(page, "unigram-example", "undreamed")
    assert "pieces at first: all letters" in page.text
    assert page.link["model"] == "trained"
