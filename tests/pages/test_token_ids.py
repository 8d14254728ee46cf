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
