"""Whatever the GPT page is given: a clear sentence or a right picture, and nothing lost."""

import pytest
from playwright.sync_api import Page, expect

HOSTILE = "</script><img src=x onerror=window.broken=1> cat"


@pytest.fixture
def opened(app, own_checkpoints):
    def go(**params: str) -> Page:
        return app.open("gpt", **{"model": str(own_checkpoints["gpt2"])} | params)

    return go


def prompt(page: Page):
    return page.get_by_label("Prompt", exact=True)


def test_an_empty_prompt_and_back(opened):
    page = opened(text="the cat")
    prompt(page).fill("   ")
    prompt(page).press("Control+Enter")
    expect(page.get_by_text("The text is empty. Type at least one word.")).to_be_visible()
    prompt(page).fill("a dog")
    prompt(page).press("Control+Enter")
    expect(page.get_by_role("group", name="Next tokens")).to_be_visible()


def test_a_prompt_past_the_limit_is_counted_and_kept(opened):
    page = opened(text="cat " * 600)
    expect(page.get_by_text("has 600 tokens; this model takes up to 64")).to_be_visible()
    assert len(prompt(page).input_value()) > 2000


def test_a_prompt_at_the_limit_has_a_next_token_but_no_room(app, opened):
    page = opened(text="cat " * 64)
    expect(page.get_by_role("group", name="Next tokens")).to_be_visible()
    page = opened(text="cat " * 64, view="generate")
    expect(page.get_by_text("The context is full: 64 of 64 tokens")).to_be_visible()
    page.get_by_role("button", name="Write 20").click()
    app.settled()
    expect(page.get_by_text("The context is full: 64 of 64 tokens")).to_be_visible()


def test_writing_stops_where_the_context_ends(app, opened):
    page = opened(text="cat " * 60, view="generate", temperature="0")
    page.get_by_role("button", name="Write 20").click()
    app.settled()
    full = page.get_by_text("The context is full: 64 of 64 tokens")
    expect(full.or_(page.get_by_text("has written its end token"))).to_be_visible()


@pytest.mark.parametrize("view", ["next", "generate", "layers"])
def test_emoji_and_markup_are_text(opened, view):
    page = opened(text=f"the 😀 {HOSTILE}", view=view)
    expect(page.locator("[data-painted]").first).to_be_visible()
    assert page.evaluate("window.broken") is None


def test_one_token_has_no_surprise(opened):
    page = opened(view="surprise", text="cat")
    expect(page.get_by_text("This is one token, and nothing stands before it")).to_be_visible()


def test_nonsense_in_a_link_is_ignored_or_told(app, opened):
    page = opened(
        text="the cat",
        view="generate",
        temperature="-4",
        top_k="many",
        top_p="7",
        seed="x",
        tree="1.2",
        layer="99",
    )
    expect(page.get_by_role("group", name="Prompt and continuation")).to_be_visible()
    page = opened(text="the cat", view="generate", tree="99999@0.1")
    expect(page.get_by_text("There is no token 99999")).to_be_visible()
    page.get_by_role("button", name="Start over from the prompt").click()
    app.settled()
    expect(page.get_by_role("group", name="Prompt and continuation")).to_be_visible()


def test_an_induction_test_that_does_not_fit_says_what_would(opened):
    page = opened(view="induction", length="40", copies="4")
    expect(page.get_by_text("Take up to 15 random tokens")).to_be_visible()


def test_examples_past_the_context_end_the_curve(opened):
    lines = "\n".join("the cat sat on a street -> the dog ran" for _ in range(9))
    page = opened(view="shots", examples=lines, query="the", answer="cat")
    expect(page.get_by_text("The curve ends at")).to_be_visible()


def test_an_unknown_model_is_told(opened):
    page = opened(model="../../etc/passwd", text="the cat")
    expect(page.get_by_text("There is no model “../../etc/passwd” here")).to_be_visible()


def test_a_hub_model_without_a_network_says_so(opened):
    page = opened(model="gpt2", text="the cat")
    expect(page.get_by_text("comes from the hub").first).to_be_visible(timeout=60_000)
    expect(prompt(page)).to_have_value("the cat")


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
@pytest.mark.parametrize("view", ["next", "generate", "layers", "beside"])
def test_a_phone_shows_it_without_scrolling_sideways(opened, view):
    page = opened(text="the cat sat on a street", view=view)
    expect(page.locator("[data-painted]").first).to_be_visible()
    assert page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth <= window.innerWidth"
    )
