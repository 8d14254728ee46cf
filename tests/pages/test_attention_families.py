"""Every text family on the attention page: tiny models from directories the server offers."""

from pathlib import Path

import numpy as np
import pytest

from tests.pages.page import Page

TEXT = "the animal did cross the street ."
Offered = dict[str, Path]


def maps_of(page: Page, kind: str) -> tuple[int, ...]:
    """(map, query, key) of what is drawn."""
    return page.figures[f"attention.view.{kind}"].arrays["maps"].shape


@pytest.mark.parametrize(
    ("family", "kind"), [("bert", "encoder"), ("gpt2", "decoder"), ("llama", "decoder")]
)
def test_one_stack(offered: Offered, family: str, kind: str):
    page = Page("attention", model=str(offered[family]), text=TEXT)
    assert maps_of(page, kind)[0] == 1
    assert f"**{kind.capitalize()} self-attention**" in page.text
    assert [area.label for area in page.text_area][1:] == (
        ["Second sentence (optional)"] if family == "bert" else []
    )


def test_a_causal_model_explains_its_mask(offered: Offered):
    page = Page("attention", model=str(offered["gpt2"]), text=TEXT)
    assert "the future is masked with −∞" in page.text


@pytest.mark.parametrize("family", ["marian", "t5"])
@pytest.mark.parametrize("kind", ["decoder", "cross", "encoder"])
def test_two_stacks_and_three_kinds(offered: Offered, family: str, kind: str):
    page = Page("attention", model=str(offered[family]), text=TEXT, target="a dog ran .", kind=kind)
    name = "Cross-attention" if kind == "cross" else f"{kind.capitalize()} self-attention"
    assert f"**{name}**" in page.text
    assert maps_of(page, kind)[0] == 1


def test_cross_attention_has_rows_of_the_target(offered: Offered):
    page = Page(
        "attention", model=str(offered["marian"]), text=TEXT, target="a dog ran .", kind="cross"
    )
    # the decoder's input: start and four tokens; the encoder's: seven words and the end
    assert maps_of(page, "cross") == (1, 5, 8)


def test_a_model_that_hides_its_queries_says_so(offered: Offered):
    page = Page("attention", model=str(offered["deberta"]), text=TEXT, heads="0.0", cell="1.2")
    assert "hides queries and keys" in page.text
    assert maps_of(page, "encoder")[0] == 1


def test_a_learned_sink_is_a_column_by_name(offered: Offered):
    page = Page("attention", model=str(offered["gpt_oss"]), text=TEXT, heads="1.2", cell="3.7")
    figure = page.figures["attention.view.decoder"]
    assert figure.header["key_tokens"][-2:] == [".", "sink"]
    assert figure.header["selection"]["value"]["cell"] == [3, 7]
    np.testing.assert_allclose(figure.arrays["maps"].sum(-1), 1, atol=1e-5)
    assert figure.arrays["uniform"].tolist() == list(range(2, 9))  # itself, those before, the sink
    assert page.figures["attention.grid.decoder"].header["key_tokens"][-1] == "sink"
    assert "looks at **sink** with" in page.text
    assert "sink: no token, but a score" in page.text
    assert b'"sink"' in page.file("attention.csv") or b",sink," in page.file("attention.csv")
    page.choose("attention.view.decoder", {"cell": [6, 7], "pinned": None, "front": 0})
    assert page.link["cell"] == "6.7"


def test_a_learned_sink_can_be_hidden_and_its_mass_is_told(offered: Offered):
    page = Page("attention", model=str(offered["gpt_oss"]), text=TEXT, heads="1.2", nospecial="1")
    assert page.figures["attention.view.decoder"].header["key_tokens"][-1] == "."
    assert "Hidden: sink; they took" in page.text


def test_where_the_last_token_looks_says_what_a_sink_took(offered: Offered):
    page = Page("gpt", view="generate", model=str(offered["gpt_oss"]), text=TEXT)
    assert "of a head's look goes to a learned sink" in page.text
