"""Home: what this is, a live head, and links that restore a page's state."""

from playwright.sync_api import expect


def test_home_says_what_it_is_and_draws_a_real_head(app):
    page = app.open()
    expect(page.get_by_role("heading", level=1)).to_contain_text("See what a Transformer does")
    canvas = page.locator("canvas[role]").first
    expect(canvas).to_be_visible()
    expect(page.get_by_text("0.677").first).to_be_visible()  # it → animal, computed now


def test_home_loads_no_plotly(app):
    loaded: list[str] = []
    app.page.on("request", lambda request: loaded.append(request.url))
    app.open()
    assert loaded
    assert not [url for url in loaded if "lotly" in url]


def test_a_lecture_link_restores_the_page(app):
    page = app.open()
    page.get_by_role("link", name="Many heads, one sentence").click()
    app.settled()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(
        "The sewage treatment plant smells particularly special today"
    )
    expect(page.get_by_text("mean of 12 heads of layer 5").first).to_be_visible()


def test_back_returns_to_the_page_as_it_was_left(app):
    page = app.open("attention")
    page.get_by_text("subject and verb", exact=True).click()
    app.settled()
    page.get_by_role("link", name="About").click()
    app.settled()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Where does this come from?")
    page.go_back()
    app.settled()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(
        "The keys to the old wooden cabinet are on the kitchen table."
    )


def test_projector_mode_makes_the_type_larger_and_back(app):
    page = app.open()
    size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    usual = page.evaluate(size)
    page.get_by_text("Projector mode").click()
    app.settled()
    assert page.evaluate(size) >= 1.35 * usual
    page.get_by_text("Projector mode").click()
    app.settled()
    assert page.evaluate(size) == usual
