"""Silenced heads beside a mask's predictions: the model's own numbers, clicks, links, files."""

import io

import numpy as np
import pytest

from app.style.number_format import three
from core.explain.attention.activation_patching import (
    head_patches,
    patch_sweep,
    stream_patches,
)
from core.explain.attribution.rank_correlation import rank_correlation
from core.explain.predictions.prediction_change import prediction_change
from core.explain.predictions.token_distribution import token_distribution
from core.interventions import BlockEdge, ReplaceTokens, SilenceHead
from core.targets import LogitContrast, LogitTarget
from tests.pages.bert.shown import FACT, header
from tests.pages.page import Page

HEADS = [(layer, head) for layer in (2, 3) for head in range(12)]
SILENT = tuple(SilenceHead(*head) for head in HEADS)
LINK = {"text": FACT, "masks": "6", "silence": "1"}


def arrays(page: Page) -> dict[str, np.ndarray]:
    return dict(np.load(io.BytesIO(page.file("masked-words.npz"))))


@pytest.fixture
def edits(bert) -> tuple[tuple[int, int], ...]:
    return ((6, bert.profile().mask_id),)


def test_nothing_is_drawn_or_asked_until_it_is_opened():
    page = Page("bert", text=FACT, masks="6", silent="2.5")
    assert [key for key in page.figures if key.startswith("bert.words.")] == []
    assert "Without" not in page.answer
    page.toggle(key="bert.words.silence").set_value(True).run()
    assert page.answer.count("Without layer 2, head 5") == 1


def test_before_and_after_stand_side_by_side(bert, edits):
    page = Page("bert", **LINK, silent=",".join(f"{layer}.{head}" for layer, head in HEADS))
    before, after = map(token_distribution, bert.logits_at(FACT, ((), SILENT), 6, edits=edits))
    france = bert.tokenizer.convert_tokens_to_ids("france")
    change = prediction_change(before, after, france)
    rows = {row["text"]: row for row in header(page, "words.silenced-bars")["rows"]}
    vocabulary = bert.vocabulary()
    assert set(rows) == {vocabulary[token] for token in {*change.top(6), france, change.against}}
    assert rows["france"]["before"] == pytest.approx(before.probability(france), rel=1e-4)
    assert rows["france"]["after"] == pytest.approx(after.probability(france), rel=1e-4)
    assert (rows["france"]["rank_before"], rows["france"]["rank_after"]) == change.ranks
    assert rows["france"]["lit"]
    assert f"Without 24 heads, france has {three(after.probability(france))}" in page.answer
    assert f"{three(change.divergence)} bits" in page.text
    kept = arrays(page)
    assert kept["silenced_heads"].tolist() == [list(head) for head in HEADS]
    np.testing.assert_allclose(kept["log_probabilities_after"], after.log_probabilities, atol=1e-4)
    assert "layer 3 head 11 (in their place zero)" in str(kept["caption"])
    line = next(
        row for row in page.table("masked-words-silenced-heads.csv") if row["token"] == "france"
    )
    assert int(line["rank_after"]) == change.ranks[1]


@pytest.mark.parametrize("instead", ["mean", "uniform"])
def test_something_else_in_its_place(bert, edits, instead):
    page = Page("bert", **LINK, silent="2.5", instead=instead)
    silent = ((SilenceHead(2, 5, fill=instead),),)
    expected = token_distribution(bert.logits_at(FACT, silent, 6, edits=edits)[0])
    np.testing.assert_allclose(
        arrays(page)["log_probabilities_after"], expected.log_probabilities, atol=1e-4
    )


def test_a_click_silences_a_head_and_lets_it_speak_again():
    page = Page("bert", **LINK)
    assert "Every head speaks" in page.text
    page.fire("bert.words.confidence", [1, 3])
    assert page.link["silent"] == "1.3"
    outlined = page.figures["bert.words.confidence"].arrays["outlined"]
    assert np.argwhere(outlined).tolist() == [[1, 3]]
    page.fire("bert.words.confidence", [1, 3])
    assert "silent" not in page.link
    page.text_input(key="bert.words.silent:typed").set_value("0.*").run()
    assert len(page.link["silent"].split(",")) == 12


@pytest.mark.parametrize("effect", ["probability", "logit", "difference"])
def test_every_head_in_turn(bert, edits, effect):
    page = Page("bert", **LINK, sweep="1", effect=effect)
    france = bert.tokenizer.convert_tokens_to_ids("france")
    before = token_distribution(bert.logits_at(FACT, ((),), 6, edits=edits)[0])
    against = next(token for token in before.top(2) if token != france)
    quantity = {
        "probability": LogitTarget(6, france),
        "logit": LogitContrast(6, france),
        "difference": LogitContrast(6, france, against),
    }[effect]
    heads = [(layer, head) for layer in range(6) for head in range(12)]
    variants = ((), *((SilenceHead(*head),) for head in heads))
    found = bert.measure(FACT, variants, quantity, edits=edits)
    effects = (found[1:] - found[0]).reshape(6, 12)
    kept = arrays(page)
    np.testing.assert_allclose(kept["each_head_effect"], effects, atol=1e-4)
    np.testing.assert_allclose(
        page.figures["bert.words.effects"].arrays["values"], effects, atol=1e-4
    )
    weights = bert.trace_edited(FACT, edits=edits)
    words = [i for i, token in enumerate(weights.tokens) if token not in ("[CLS]", "[SEP]")]
    confidence = np.array(
        [
            [of_head[:, words].max(axis=1).mean() for of_head in weights.attention(layer).weights]
            for layer in range(6)
        ]
    )
    np.testing.assert_allclose(kept["head_confidence"], confidence, atol=1e-5)
    rank = rank_correlation(np.abs(kept["each_head_effect"]), kept["head_confidence"])
    assert (
        f"Spearman) of the size of the effect with how much a head attends: **{three(rank)}**"
        in page.text
    )
    assert "self-repair" in page.text
    lines = page.table("masked-words-every-head.csv")
    assert len(lines) == 72
    assert lines[2]["role"] == "previous"


def test_heads_past_the_end_are_named_and_left_out():
    page = Page("bert", **LINK, silent="9.9,2.5")
    assert (
        "The link asks for silent=9.9,2.5, which is not here; the page shows silent=2.5 instead. "
        "What there is: silent: 0.0 to 5.11." in page.notices
    )
    assert page.link["silent"] == "2.5"
    assert "Without layer 2, head 5" in page.answer
    assert "Without" in Page("bert", **LINK, silent="2.5", answer="9999999").answer


def test_another_answer_and_what_it_is_compared_with(bert, edits):
    ids = [bert.tokenizer.convert_tokens_to_ids(word) for word in ("italy", "spain")]
    page = Page("bert", **LINK, silent="2.5", answer=str(ids[0]), against=str(ids[1]))
    rows = map(token_distribution, bert.logits_at(FACT, ((), (SilenceHead(2, 5),)), 6, edits=edits))
    first, second = prediction_change(*rows, *ids).logit_differences
    assert f"Logit of italy less that of spain: **{three(first)}** before" in page.text
    assert f"before, **{three(second)}** after" in page.text
    assert arrays(page)["silenced_answer"].tolist() == ids


def test_what_blocks_no_edge_is_no_part_of_the_caption():
    page = Page("bert", **LINK, blocked="nonsense")
    assert "“nonsense” is no edge of this model" in page.notices
    assert "nonsense" not in str(arrays(page)["caption"])
    assert "nonsense" not in header(page, "words.silenced-bars")["caption"]


def test_a_link_may_name_the_answer_that_the_view_takes_by_itself(bert, edits):
    before = token_distribution(bert.logits_at(FACT, ((),), 6, edits=edits)[0])
    france = bert.tokenizer.convert_tokens_to_ids("france")
    other = next(token for token in before.top(2) if token != france)
    page = Page("bert", **LINK, answer=str(france), against=str(other))
    assert page.selectbox(key="bert.words.answer:options").value is not None
    assert page.selectbox(key="bert.words.against:options").value is not None
    assert arrays(page)["silenced_answer"].tolist() == [france, other]


def test_an_edge_is_blocked_alone(bert, edits):
    page = Page("bert", **LINK, blocked="2.5.6.4, 1.*.6.4")
    changes = (BlockEdge(2, 5, 6, 4), *(BlockEdge(1, head, 6, 4) for head in range(12)))
    expected = token_distribution(bert.logits_at(FACT, (changes,), 6, edits=edits)[0])
    kept = arrays(page)
    np.testing.assert_allclose(
        kept["log_probabilities_after"], expected.log_probabilities, atol=1e-4
    )
    assert len(kept["blocked_edges"]) == 13
    assert "Without 13 edges, france" in page.answer
    assert "blocked edges: 2.5.6.4, 1.*.6.4" in str(kept["caption"])


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2.5.6", "“2.5.6” is no edge of this model"),
        ("9.1.6.4", "layers to 5, heads to 11"),
        ("2.5.60.4", "There is no edge from query 60 to key 4"),
    ],
)
def test_what_is_no_edge_is_said(typed: str, said: str):
    assert said in Page("bert", **LINK, blocked=typed).notices


@pytest.mark.parametrize("part", ["heads", "mlp"])
def test_patches_from_another_sentence_with_the_same_mask(bert, edits, part: str):
    other = "Berlin is the capital of Germany."
    page = Page("bert", **LINK, patch="1", other=other, part=part, effect="logit")
    france = bert.tokenizer.convert_tokens_to_ids("france")
    quantity = LogitContrast(6, france)
    source = bert.trace(other, interventions=(ReplaceTokens(edits),), blocks=True)
    patches = head_patches(source) if part == "heads" else stream_patches(source, part)
    expected = patch_sweep(lambda each: bert.measure(FACT, each, quantity, edits=edits), patches)
    np.testing.assert_allclose(arrays(page)["patched"], expected.patched, atol=1e-3)
