"""Rows of tokens tell the ids of a vocabulary on hover: the model's own, of every token shown."""

import pytest

import core
from tests.pages.page import Page

ROWS = {
    "transformer.direct.said": ("transformer", {"view": "direct"}),
    "transformer.neurons.said": ("transformer", {"view": "neurons"}),
    "transformer.target-row": ("transformer", {"view": "forcing"}),
    "bert.corrupted": ("bert", {"view": "pretraining"}),
    "bert.tokens": ("bert", {"masks": "3"}),
    "gpt.next.row": ("gpt", {}),
    "gpt.neurons.prompt": ("gpt", {"view": "neurons"}),
    "positions.order.tokens": ("positions", {"view": "order"}),
    "blocks.norms.vectors.tokens": ("blocks", {"view": "norms", "part": "vectors"}),
    "blocks.objectives.row.experts": ("blocks", {"view": "objectives", "part": "experts"}),
    "blocks.objectives.row.r-labels": ("blocks", {"view": "objectives", "part": "replaced"}),
    "blocks.objectives.row.causal": ("blocks", {"view": "objectives"}),
}
MAPS = {
    "attention.steps.map": ("attention", {"view": "steps"}),
    "attention.find.map": ("attention", {"view": "heads", "part": "find"}),
    "bert.cosines": ("bert", {"view": "input"}),
    "bert.circuits.qk": ("bert", {"view": "circuits"}),
    "gpt.induction.stripe": ("gpt", {"view": "induction", "length": "4"}),
    "transformer.circuits.map": ("transformer", {"view": "circuits"}),
    "transformer.head.weights": ("transformer", {"view": "heads"}),
    "transformer.part.cross": ("transformer", {"view": "machine"}),
    "blocks.attention.metric.part-0": ("blocks", {"view": "attention", "part": "metric"}),
    "positions.order.order.As": ("positions", {"view": "order"}),
    "positions.relative.before": ("positions", {"view": "relative"}),
}


@pytest.mark.parametrize("row", ROWS)
def test_every_token_of_a_row_tells_its_id(row: str):
    path, link = ROWS[row]
    chips = Page(path, **link).figures[row].header["chips"]
    assert chips
    assert all(chip["token_id"] is not None for chip in chips)


def test_an_id_is_the_token_that_is_shown():
    page = Page("transformer", view="direct")
    words = core.load("transformer-en-de").vocabulary()  # pyright: ignore
    chips = page.figures["transformer.direct.said"].header["chips"]
    assert [words[chip["token_id"]] for chip in chips] == [chip["text"] for chip in chips]


@pytest.mark.parametrize("map_", MAPS)
def test_rows_and_columns_of_maps_are_tokens_of_the_vocabulary(map_: str):
    path, link = MAPS[map_]
    page = Page(path, **link)
    header = page.figures[map_].header
    words = core.load(page.session_state[f"{path}.model"]).vocabulary()  # pyright: ignore
    for tokens, ids in (("rows", "row_ids"), ("columns", "column_ids")):
        shown = [token.replace("␣", "") for token in header[tokens]]
        assert [words[one].lstrip("▁Ġ") for one in header[ids]] == [
            token.lstrip("▁Ġ") for token in shown
        ]


def test_the_alignment_of_a_translation_tells_them_too():
    header = Page("transformer", view="alignment").figures["transformer.alignment.map"].header
    for side in ("query", "key"):
        assert len(header[f"{side}_ids"]) == len(header[f"{side}_tokens"]) > 0
