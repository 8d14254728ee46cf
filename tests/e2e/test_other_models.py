"""Every text family on the attention page: tiny models from directories the server offers."""

import pytest
from playwright.sync_api import Page, expect

TEXT = "the animal did cross the street ."


def view(page: Page):
    return page.locator('[data-painted*="maps of"]')


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama"])
def test_one_stack(app, own_checkpoints, family):
    page = app.open("attention", model=str(own_checkpoints[family]), text=TEXT)
    expect(view(page)).to_be_visible()
    kind = "Encoder" if family == "bert" else "Decoder"
    expect(page.get_by_text(f"{kind} self-attention", exact=True).first).to_be_visible()
    second = page.get_by_label("Second sentence (optional)")
    expect(second).to_have_count(1 if family == "bert" else 0)


def test_a_causal_model_explains_its_mask(app, own_checkpoints):
    page = app.open("attention", model=str(own_checkpoints["gpt2"]), text=TEXT)
    expect(page.get_by_text("the future is masked with −∞")).to_be_visible()


@pytest.mark.parametrize("family", ["marian", "t5"])
def test_two_stacks_and_three_kinds(app, own_checkpoints, family):
    page = app.open(
        "attention", model=str(own_checkpoints[family]), text=TEXT, target="a dog ran ."
    )
    for name in ("decoder self-attention", "cross-attention", "encoder self-attention"):
        page.get_by_role("radio", name=name).click()
        app.settled()
        expect(page.get_by_text(name.capitalize(), exact=True).first).to_be_visible()
        expect(view(page)).to_be_visible()


def test_cross_attention_has_rows_of_the_target(app, own_checkpoints):
    page = app.open(
        "attention",
        model=str(own_checkpoints["marian"]),
        text=TEXT,
        target="a dog ran .",
        kind="cross",
    )
    # the decoder's input: start and four tokens; the encoder's: seven words and the end
    assert "maps of 5 x 8" in (view(page).get_attribute("data-painted") or "")


def test_a_model_that_hides_its_queries_says_so(app, own_checkpoints):
    page = app.open(
        "attention", model=str(own_checkpoints["deberta"]), text=TEXT, heads="0.0", cell="1.2"
    )
    expect(page.get_by_text("hides queries and keys")).to_be_visible()
    expect(view(page)).to_be_visible()
