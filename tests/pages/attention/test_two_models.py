"""Two models on one sentence: both maps on the stretches that both cut the text into."""

from pathlib import Path

import numpy as np
import pytest

import core
from core.explain.attention.model_pairs import like_heads, on_stretches
from core.explain.embeddings.token_alignment import shared_stretches
from tests.pages.attention.shown import TEXT
from tests.pages.page import Page

FIRST, SECOND = "attention.models.first", "attention.models.second"


def models(**link: str) -> Page:
    return Page("attention", view="models", **link)


@pytest.fixture(scope="module")
def laid():
    """Both models' layers, on the shared axis."""
    traces = [core.load(name).trace(TEXT) for name in ("minilm-l6", "bert-mini")]
    axis = shared_stretches(TEXT, [one.encoding for one in traces])
    assert axis is not None
    return axis, [
        [
            on_stretches(one.attention(layer).weights, words, len(axis.labels))
            for layer in range(one.n_layers())
        ]
        for one, words in zip(traces, axis.by_encoding, strict=True)
    ]


def test_the_most_alike_head_stands_beside_the_chosen_one(laid):
    page = models()
    axis, (first, second) = laid
    like = like_heads(first[3][1], second)[0]
    np.testing.assert_allclose(page.figures[FIRST].arrays["values"], first[3][1], atol=1e-6)
    shown = page.figures[SECOND].arrays["values"]
    np.testing.assert_allclose(shown, second[like.layer][like.head], atol=1e-6)
    headers = [page.figures[key].header for key in (FIRST, SECOND)]
    assert [header["rows"] for header in headers] == [list(axis.labels)] * 2
    assert headers[0]["limit"] == headers[1]["limit"]
    assert f"’s {like.layer}.{like.head} share {like.shared:.3f}" in page.answer
    assert "most of 48 heads" in page.answer
    rows = page.table("attention-models-heads.csv")
    assert float(rows[0]["shared"]) == pytest.approx(like.shared, abs=1e-6)
    assert page.link == {"view": "models"}


def test_heads_models_and_cells_are_linked_and_found_again():
    page = models(other_model="gpt-mini", heads="2.5", other_head="1.3", cell="9.1")
    assert page.figures[SECOND].header["title"] == "GPT mini, layer 1 · head 3"
    assert page.figures[FIRST].header["selection"]["value"] == [9, 1]
    assert "number " in page.answer
    assert "its mask leaves exactly 0 to the right" in page.text
    assert Page("attention", **page.link).answer == page.answer
    page.button_group(key="attention.models.show").set_value("difference").run()
    difference = page.figures["attention.models.difference"].arrays["values"]
    np.testing.assert_allclose(difference.sum(axis=1), 0, atol=1e-5)
    row = page.table("attention-models.csv")[9 * (len(difference[0])) + 1]
    assert float(row["difference"]) == pytest.approx(float(difference[9, 1]), abs=1e-6)


def test_heads_past_the_end_are_dropped_with_a_message():
    page = models(heads="90.1", other_head="40.40")
    assert "The link asks for heads=90.1 and other_head=40.40" in page.notices
    assert "other_head" not in page.link


@pytest.mark.parametrize("family", ["gpt2", "llama", "marian", "t5", "deberta", "gpt_oss"])
@pytest.mark.parametrize("place", ["model", "other_model"])
def test_any_family_stands_in_either_place(offered: dict[str, Path], family: str, place: str):
    page = models(**{place: str(offered[family]), "text": "the cat didn't sit on it ."})
    assert "of their attention" in page.answer
    for key in (FIRST, SECOND):
        values = page.figures[key].arrays["values"]
        np.testing.assert_allclose(values.sum(axis=1), 1, atol=1e-4)


def test_an_unknown_second_model_is_named_and_an_empty_text_asks_for_a_word():
    assert "There is no model “nobody” here; showing" in models(other_model="nobody").notices
    page = models(text=" ")
    assert page.notices.count("The text is empty. Type at least one word.") == 1
    assert FIRST not in page.figures
