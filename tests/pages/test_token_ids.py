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


TABLES = {
    "gpt.layers.lens": ("gpt", {"view": "layers"}),
    "bert.lens-guesses": ("bert", {"view": "layers", "masks": "3"}),
    "gpt.neurons.sentences": ("gpt", {"view": "neurons"}),
}


@pytest.mark.parametrize("table", TABLES)
def test_what_a_table_says_in_its_cells_is_a_token_of_the_vocabulary(table: str):
    path, link = TABLES[table]
    page = Page(path, **link)
    header = page.figures[table].header
    words = core.load(page.session_state[f"{path}.model"]).vocabulary()  # pyright: ignore
    for cells, ids in zip(header["cells"], header["cell_ids"], strict=True):
        for cell, own in zip(cells, ids, strict=True):
            assert cell == "" if own < 0 else words[own].startswith(cell.removesuffix("…"))
    for column, own in zip(header["columns"], header["column_ids"], strict=False):
        assert words[own] == column


def test_the_rollouts_film_tells_them():
    page = Page("attention", view="rollout")
    header = page.figures["attention.rollout.film"].header
    words = core.load(page.session_state["attention.model"]).vocabulary()  # pyright: ignore
    assert header["row_ids"] == header["column_ids"]
    assert [words[one] for one in header["row_ids"]] == header["rows"]


@pytest.mark.parametrize("show", ["difference", "both"])
def test_two_sentences_tell_them_of_the_tokens_that_they_share(show: str):
    page = Page("attention", view="pair", show=show)
    key = f"attention.pair.{'difference' if show == 'difference' else 'first'}"
    header = page.figures[key].header
    words = core.load(page.session_state["attention.model"]).vocabulary()  # pyright: ignore
    assert [words[one] for one in header["row_ids"]] == header["rows"]
    *shared, differing = header["column_ids"]
    assert [words[one] for one in shared] == header["columns"][:-1]
    assert differing == -1


def test_new_tokens_of_fine_tuning_come_after_the_vocabulary():
    page = Page("gpt", view="tuning")
    words = core.load(page.session_state["gpt.model"]).vocabulary()  # pyright: ignore
    for chip in page.figures["gpt.tuning.sequence.0"].header["chips"]:
        own = chip["token_id"]
        assert own >= len(words) if chip["state"] == "masked" else words[own] == chip["text"]


@pytest.mark.parametrize(
    ("bars", "path", "link"),
    [
        ("gpt.next", "gpt", {}),
        ("gpt.surprise.expected", "gpt", {"view": "surprise"}),
        ("bert.candidates.4", "bert", {"masks": "3"}),
    ],
)
def test_bars_of_likely_tokens_tell_them(bars: str, path: str, link: dict[str, str]):
    page = Page(path, **link)
    words = core.load(page.session_state[f"{path}.model"]).vocabulary()  # pyright: ignore
    for row in page.figures[bars].header["rows"]:
        assert words[row["token_id"]] == row["text"]


def test_the_alignment_of_a_translation_tells_them_too():
    header = Page("transformer", view="alignment").figures["transformer.alignment.map"].header
    for side in ("query", "key"):
        assert len(header[f"{side}_ids"]) == len(header[f"{side}_tokens"]) > 0
