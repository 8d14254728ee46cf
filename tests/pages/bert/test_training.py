"""BERT's input, its two tasks, its vectors in context, and what fine-tuning adds."""

import numpy as np
import pytest

from app.views.bert.next_sentence import PAIRS
from app.views.bert.state import BOOK
from app.views.bert.word_examples import EXAMPLES, senses_of
from core.explain.embeddings.contextual_vectors import find_word, similarities, word_vector
from tests.pages.bert.shown import header, notes
from tests.pages.page import Page


def test_the_input_is_a_sum_and_one_dimension_can_be_followed():
    page = Page("bert", view="input", text="The cat sat.", pair="It purred.", cell="2.40")
    assert "Sum and LayerNorm of 3 tables" in page.answer
    assert "**cat**, dimension 40 of 384" in page.text
    strips = {
        name: page.figures[f"bert.strip.{name}"].arrays["values"]
        for name in ("token", "position", "segment", "sum")
    }
    total = strips["token"] + strips["position"] + strips["segment"]
    np.testing.assert_allclose(strips["sum"], total, atol=1e-5)


def test_one_lesson_of_pre_training():
    page = Page("bert", view="pretraining", seed="1")
    assert "5 of 35 tokens are chosen" in page.text
    assert "was pier" in notes(page, "corrupted")
    page.button_group(key="bert.preset").set_value("100 / 0 / 0").run()
    assert "5 masked, 0 kept, 0 random" in page.text
    page.number_input(key="bert.pretraining.epoch").set_value(2).run()
    assert "was harbour" in notes(page, "corrupted")  # the second epoch asks for other words
    assert "change this input only, not how the model was" in page.text


def test_next_sentences_and_a_pair_that_fools_it(bert_mini):
    follows = {why: bert_mini.next_sentence(a, b) for a, b, _, why in PAIRS}
    page = Page("bert", view="next")

    def shown() -> float:
        return header(page, "next")["rows"][0]["probability"]

    assert shown() == pytest.approx(follows[PAIRS[0][3]], rel=1e-4)
    order = "the same, in the wrong order"
    page.button_group(key="bert.pair-example").set_value(order).run()
    assert shown() == pytest.approx(follows[order], rel=1e-4)
    wrong = sum((follows[why] >= 0.5) != said for *_, said, why in PAIRS)
    assert f"is wrong on {wrong} of these {len(PAIRS)}" in page.text
    right = "one topic, right order"
    both = f"{follows[right]:.3f} in the right order and {follows[order]:.3f} in the wrong one"
    assert f"p(follows) {both}" in page.text


def test_one_word_in_several_sentences(bert):
    traces = [bert.trace(sentence) for sentence in BOOK]
    last = np.stack(
        [
            word_vector(trace.hidden_states()[-1], find_word(trace.encoding, sentence, "book"))
            for trace, sentence in zip(traces, BOOK, strict=True)
        ]
    )
    cosines = similarities(last[None])[0]
    page = Page("bert", view="context")
    drawn = page.figures["bert.contexts"].arrays["values"]
    np.testing.assert_allclose(drawn, cosines, atol=1e-5)
    assert f"cosine **{cosines[0, -1]:.3f}**" in page.text
    assert "PCA of these 4 vectors" in page.text
    alike, other = sorted((cosines[0, 1], cosines[2, 3])), cosines[:2, 2:]
    assert alike[0] > other.max(), "the page opens on what it is there to show"
    assert (
        f"The same sense: cosine **{alike[0]:.3f} to {alike[1]:.3f}**; another sense: "
        f"**{other.min():.3f} to {other.max():.3f}**. Layer 5 keeps the senses apart."
    ) in page.text
    assert page.link.get("layer", "6") == "6", "a link counts the states, of which the input is one"
    assert page.table("words-in-context.csv")[0]["layer"] == "input"
    assert page.table("words-in-context.csv")[-1]["layer"] == "5"
    page = Page("bert", view="context", model="bert-mini")  # a smaller model, fewer whole words
    page.button_group(key="bert.word-example").set_value("match").run()
    assert "Layer 5 does **not** keep them apart: 4 of the 4 pairs" in page.text
    page.button_group(key="bert.word-example").set_value("bark").run()
    assert "is 2 pieces here" in page.text
    page.text_input(key="bert.context.word").set_value("dog").run()
    assert "The same sense" not in page.text, "a reader's own words have no known senses"
    assert "Without “dog” and left out" in page.text
    page.text_input(key="bert.context.word").set_value("zebra").run()
    assert "Fewer than two sentences have “zebra”" in page.notices


def test_senses_are_known_of_examples_alone():
    assert senses_of("Bank", EXAMPLES["bank"].sentences[1:]) == "abbb"
    assert senses_of("bank", (*EXAMPLES["bank"].sentences, "My own bank.")) == ""
    assert senses_of("dog", EXAMPLES["bark"].sentences) == ""


def test_where_fine_tuning_attaches():
    page = Page("bert", view="tuning", task="answer")
    assert "adds 770 numbers" in page.answer
    assert "Best span: **the lamp**" in page.text
    page.text_input(key="bert.tuning.start").set_value("1, 2").run()
    assert "2 numbers came; the example has 6 tokens" in page.notices
    page.button_group(key="bert.tuning.scores").set_value("random").run()
    assert "**Untrained.**" in page.notices
    page.button_group(key="bert.tuning.task").set_value("tagging").run()
    assert "adds 1,155 numbers" in page.answer
