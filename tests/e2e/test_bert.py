"""The BERT page's stories, as a reader lives them: with bert-mini, which is on board."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import core
from app.style.number_format import three
from app.views.bert.next_sentence import PAIRS
from app.views.bert.state import MATCH
from core.explain.embeddings.contextual_vectors import find_word, similarities, word_vector
from core.explain.predictions.token_distribution import token_distribution

FACT = "Paris is the capital of France."


def tokens(page: Page):
    return page.get_by_role("group", name="The text's tokens; click a word to mask it")


def candidates(page: Page, place: int):
    return page.get_by_label(f"Candidates at position {place}")


@pytest.fixture(scope="module")
def bert():
    return core.load("bert-mini")


def test_masking_filling_and_seeing_the_others_move(app, bert):
    mask, france = bert.profile().mask_id, bert.tokenizer.convert_tokens_to_ids("france")
    trace = bert.trace_edited(FACT, edits=((4, mask), (6, mask)))
    before = token_distribution(trace.logits[6])
    page = app.open("bert")
    expect(candidates(page, 4)).to_contain_text("capital")
    expect(candidates(page, 6)).to_contain_text("france")
    expect(page.get_by_text("predicted in parallel")).to_be_visible()
    told = f"“france” has rank {before.rank(france)} of 9,472"
    expect(page.get_by_text(told)).to_be_visible()
    candidates(page, 4).get_by_text("capital", exact=True).click()
    expect(candidates(page, 4)).to_have_count(0)
    expect(candidates(page, 6)).to_contain_text(f"was {three(before.probability(france))}")
    expect(tokens(page)).to_contain_text("for capital")
    app.settled()
    tokens(page).get_by_text("paris", exact=True).click()  # one more mask
    expect(candidates(page, 1)).to_be_visible()
    app.settled()
    expect(page).to_have_url(re.compile(r"masks=\D*1\b"))
    page.reload()
    app.settled()
    expect(candidates(page, 1)).to_be_visible()
    expect(tokens(page)).to_contain_text("for capital")
    page.get_by_role("button", name="Unmask all").click()
    expect(page.get_by_text("Nothing is masked. Click a word above")).to_be_visible()


def test_masks_follow_their_words_when_the_text_changes(app):
    page = app.open("bert", text=FACT, masks="6")
    expect(candidates(page, 6)).to_contain_text("france")
    field = page.get_by_label("Sentence", exact=True)
    field.fill(f"We know that {FACT}")
    field.press("Control+Enter")
    expect(candidates(page, 9)).to_contain_text("france")


def test_from_a_mask_to_the_head_it_looked_with(app):
    page = app.open("bert", text=FACT, masks="6", head="2.5")
    expect(page.get_by_text(re.compile(r"Layer 2 · head 5: 0\.\d+ on"))).to_be_visible()
    page.get_by_text("See layer 2 · head 5 on the Attention page").click()
    expect(page.get_by_role("heading", name="Where does this head look?")).to_be_visible()
    expect(page.get_by_text("layer 2 · head 5", exact=True).first).to_be_visible()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(
        "Paris is the capital of [MASK]."
    )


def test_the_layers_of_one_mask(app):
    page = app.open(
        "bert", view="layers", text="The native language of Victor Hugo is French.", masks="9"
    )
    expect(
        page.get_by_role("img", name="Probability of each followed token at position 9")
    ).to_be_visible()
    page.get_by_label("Follow a word, too").fill("notoneword!")
    page.keyboard.press("Enter")
    expect(page.get_by_text("is not one token of this vocabulary")).to_be_visible()
    page.get_by_label("Follow a word, too").fill("German")
    page.keyboard.press("Enter")
    expect(page.get_by_text("is not one token of this vocabulary")).to_have_count(0)


def test_the_input_is_a_sum_and_one_dimension_can_be_followed(app):
    page = app.open("bert", view="input", text="The cat sat.", pair="It purred.", cell="2.40")
    expect(
        page.get_by_text(re.compile(r"differ from the model's embedding output"))
    ).to_be_visible()
    expect(page.get_by_text(re.compile(r"cat, dimension 40 of 256"))).to_be_visible()
    for name in ("token embedding", "position embedding", "segment embedding"):
        expect(page.get_by_role("img", name=f"{name}: a row a token")).to_be_visible()


def test_one_lesson_of_pre_training(app):
    page = app.open("bert", view="pretraining", seed="1")
    expect(page.get_by_text("6 of 39 tokens are chosen")).to_be_visible()
    row = page.get_by_role("group", name="The corrupted text")
    expect(row).to_contain_text("was evening")
    page.get_by_role("radio", name="100 / 0 / 0").click()
    expect(page.get_by_text("6 masked, 0 kept, 0 random")).to_be_visible()
    app.settled()
    page.get_by_role("spinbutton", name="Epoch").fill("2")
    page.keyboard.press("Enter")
    expect(row).to_contain_text("was sea")  # the second epoch asks for other words
    expect(page.get_by_text("change this input only, not how the model was")).to_be_visible()


def test_next_sentences_and_a_pair_that_fools_it(app, bert):
    follows = {why: bert.next_sentence(a, b) for a, b, _, why in PAIRS}
    page = app.open("bert", view="next")
    answer = page.get_by_label("Does sentence B follow sentence A?")
    expect(answer).to_contain_text(three(follows[PAIRS[0][3]]))
    order = "the same, in the wrong order"
    page.get_by_role("radio", name=order).click()
    expect(answer).to_contain_text(three(follows[order]))
    wrong = sum((follows[why] >= 0.5) != said for *_, said, why in PAIRS)
    expect(page.get_by_text(f"is wrong on {wrong} of these {len(PAIRS)}")).to_be_visible()


def test_one_word_in_several_sentences(app, bert):
    traces = [bert.trace(sentence) for sentence in MATCH]
    last = np.stack(
        [
            word_vector(trace.hidden_states()[-1], find_word(trace.encoding, sentence, "match"))
            for trace, sentence in zip(traces, MATCH, strict=True)
        ]
    )
    cosine = similarities(last[None])[0, 0, -1]
    page = app.open("bert", view="context")
    expect(page.get_by_text(re.compile(rf"cosine\s+{cosine:.3f}"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"PCA of these 4 vectors"))).to_be_visible()
    page.get_by_role("radio", name="bark").click()
    expect(page.get_by_text("is 2 pieces here")).to_be_visible()
    word = page.get_by_label("Word", exact=True)
    word.fill("dog")
    word.press("Enter")
    expect(page.get_by_text("Without “dog” and left out")).to_be_visible()
    word.fill("zebra")
    word.press("Enter")
    expect(page.get_by_text("Fewer than two sentences have “zebra”")).to_be_visible()


def test_where_fine_tuning_attaches(app):
    page = app.open("bert", view="tuning", task="answer")
    expect(page.get_by_text("514 new numbers")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Best span: the lamp"))).to_be_visible()
    start = page.get_by_label("Start scores S·T")
    start.fill("1, 2")
    start.press("Enter")
    expect(page.get_by_text("2 numbers came; the example has 6 tokens")).to_be_visible()
    page.get_by_role("radio", name="a fresh, random head on this model").click()
    expect(page.get_by_text("Untrained.")).to_be_visible()
    page.get_by_role("radio", name="Tagging").click()
    expect(page.get_by_text("771 new numbers")).to_be_visible()
