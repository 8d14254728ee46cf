"""Every text family on the attention page: tiny models from directories the server offers."""

from pathlib import Path

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
