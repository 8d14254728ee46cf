"""Where another rule would part ways, and how a word is cut by merges or a list of them."""

import pytest

from core.tokenization import bpe
from tests.pages.page import Page
from tests.pages.tokenization.shown import FIGURE, LECTURE, example, give, opened, tokens

LIST_TOKENS = ["Abwasser", "b", "e", "han", "dlung", "s", "an", "lag", "e", "</w>"]


def parting(page: Page) -> str:
    return page.figures["tokenization.fork-figure"].header["sentence"]


def test_the_glued_end_of_word_as_a_fork():
    page = example(opened(), "</w> glued")
    assert parting(page).startswith("They part at merge 2")
    glued = page.figures["tokenization.fork-figure"].header["merges"][1]
    assert glued[9][:2] == ["wid", "est</w>"]
    assert page.link["fork"] == "end-glued"


def test_another_tie_rule_parts_at_the_first_difference():
    page = opened(fork="greatest-strings")
    assert bpe.train(LECTURE, 10, "greatest-strings").merges[0] == ("t", "</w>")
    assert parting(page).startswith("They part at merge 1: first seen takes e + s")


def test_a_pair_can_be_forced_in_the_figure():
    page = opened(step="3")
    page.fire(FIGURE, [3, 1])
    assert parting(page).startswith("They part at merge 4: first seen takes l + o")
    assert page.link == {"step": "3", "fork": "forced", "force": "3.1"}
    assert "o + w forced takes o + w" in parting(opened(**page.link))


def test_the_lectures_list_cuts_the_sewage_plant():
    page = example(opened(**{"with": "list"}), "Abwasserbehandlungsanlage", "list-example")
    assert tokens(page) == LIST_TOKENS
    assert len(page.figures["tokenization.encoding"].header["steps"]) == 15
    want = page.text_input(key="tokenization.want")
    want.set_value("Behandlung").run()
    assert "Behandlung is not in the word" in page.text
    page.text_input(key="tokenization.want").set_value("sa").run()
    assert "No rule makes sa. And rule 9, a + n, had joined an" in page.text


def test_one_more_letter_rewrites_the_past():
    page = example(opened(**{"with": "list"}), "abacb", "list-example")
    assert tokens(page) == ["ab", "a", "cb"]
    page = example(page, "abacbb: one more letter", "list-example")
    assert tokens(page) == ["ab", "acbb"]


def test_rules_that_can_not_work_are_flagged_with_the_reason():
    page = example(opened(**{"with": "list"}), "broken rules", "list-example")
    assert "of 6 rules can't work" in page.text
    flaws = page.dataframe[0].value
    assert len(flaws) > 0
    assert all(reason for reason in flaws["reason"])


def test_imported_merges_in_another_form_and_a_broken_file():
    trained = bpe.train(LECTURE, 10, glued=True)
    page = opened(word="lowest", **{"with": "list"})
    give(page, bpe.tokenizer_json(trained), "tokenizer.json", "merges")
    assert "tokenizer.json: 10 rules" in page.text
    assert tokens(page) == list(bpe.encode("lowest", trained.merges, "</w>", glued=True).tokens)
    give(page, '{"model": {"type": "BPE', "x.json", "merges")
    assert "The tokenizer.json is not JSON" in page.notices
    assert FIGURE in page.figures


@pytest.mark.parametrize(
    ("link", "given"),
    [
        ({"dropout": "0.5", "seed": "3"}, {"dropout": 0.5, "seed": 3}),
        ({"variant": "concatenation"}, {"variant": "concatenation"}),
        ({"variant": "whole-word"}, {"variant": "whole-word"}),
    ],
)
def test_dropout_and_variants_come_from_the_link(link: dict[str, str], given: dict[str, object]):
    merges = bpe.train(LECTURE, 10).merges
    expected = bpe.encode("newest", merges, "</w>", **given)
    assert tokens(opened(step="10", word="newest", **link)) == list(expected.tokens)


def test_letters_that_the_corpus_lacks_are_told_with_their_bytes():
    page = opened(word="löwe", step="10")
    assert "Not in the corpus, so in no vocabulary: ö." in page.text
    assert "byte fallback (SentencePiece) ö is `<0xC3> <0xB6>`".replace("> <", ">` `<") in page.text
    assert "in no vocabulary" not in opened(word="lowest", step="10").text
    assert "in no vocabulary" not in opened(word="löwe", bytes="1", split="gpt2").text


def test_a_fork_tells_no_merge_that_predict_still_asks():
    page = opened(fork="greatest-strings", predict="1", step="0")
    assert "tokenization.fork-figure" not in page.figures
    assert "they are back when no more is to predict" in page.text
    page.toggle(key="tokenization.predict").set_value(False).run()
    assert parting(page).startswith("They part at merge 1")
    asked_all = opened(fork="greatest-strings", predict="1", step="10")
    assert parting(asked_all).startswith("They part at merge 1")
