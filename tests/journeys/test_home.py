"""Home: a live head at once, nothing heavy loaded, a lecture's link; Back, and a projector."""

import json
import re

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.journeys.browser_page import App


def test_home_draws_a_head_and_loads_no_plotly(app: App):
    loaded: list[str] = []
    app.page.on("request", lambda request: loaded.append(request.url))
    page = app.open()
    expect(page.get_by_role("heading", level=1)).to_contain_text("See what a Transformer does")
    expect(page.locator("canvas[role]").first).to_be_visible()
    expect(page.get_by_text("0.677").first).to_be_visible()  # it → animal, computed now
    assert loaded
    assert not [url for url in loaded if "lotly" in url]


def test_a_lecture_and_a_lesson_are_shown_as_they_say_and_back_returns(app: App):
    page = app.open()
    app.act(page.get_by_role("link", name="Many heads, one sentence").click)
    plant = "The sewage treatment plant smells particularly special today"
    expect(app.line).to_contain_text(plant)
    expect(page.get_by_text("mean of 12 heads of layer 5").first).to_be_visible()
    app.act(page.get_by_text("subject and verb", exact=True).click)
    app.act(page.get_by_role("link", name="About").click)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Where does this come from?")
    app.act(page.go_back)
    expect(app.line).to_contain_text("The keys to the old wooden cabinet are on the kitchen table.")
    app.act(page.get_by_role("link", name="Home").click)
    app.act(page.get_by_role("link", name="Attention in 20 minutes").click)
    app.act(page.get_by_role("button", name="animal").click)
    panel = page.locator(".st-key-lesson")
    expect(panel).to_contain_text("animal, as you said (attention weight 0.677)")
    panel_box, figure_box = panel.bounding_box(), page.locator("canvas[role]").last.bounding_box()
    assert panel_box is not None
    assert figure_box is not None
    assert figure_box["x"] + figure_box["width"] <= panel_box["x"]  # nothing stands behind it
    app.act(lambda: page.keyboard.press("PageDown"))
    expect(panel).to_contain_text("Change one word")
    app.act(lambda: page.keyboard.press("PageDown"))  # who doesn't know sees
    expect(panel).to_contain_text("1 of 2 right")
    app.act(lambda: page.keyboard.press("PageDown"))
    app.act(lambda: page.keyboard.press("PageDown"))
    expect(page).to_have_url(re.compile("/blocks.*lesson=attention.4"))
    app.act(page.go_back)
    expect(panel).to_contain_text("A weight, step by step")
    app.act(page.get_by_role("button", name="Leave the lesson").click)
    expect(panel).to_have_count(0)


def _styled_for_one_more(app: App, chromium: Browser) -> int:
    """How many elements get a new style when one comes; with `:root:has(…)` the whole page."""
    chromium.start_tracing(page=app.page, categories=["disabled-by-default-devtools.timeline"])
    app.page.evaluate(
        """() => {
            const one = document.createElement("span");
            one.textContent = "a label";
            document.body.append(one);
            one.getBoundingClientRect();
            one.remove();
        }"""
    )
    events = json.loads(chromium.stop_tracing())["traceEvents"]
    return max(
        event["args"]["elementCount"]
        for event in events
        if event["name"] == "UpdateLayoutTree" and "elementCount" in event["args"]
    )


def test_projector_mode_makes_the_type_larger_and_back(app: App, chromium: Browser):
    page = app.open()
    size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    usual = page.evaluate(size)
    page.get_by_role("button", name="Display").click()
    app.act(page.get_by_text("Projector mode").click)
    assert page.evaluate(size) >= 1.35 * usual
    assert 0 < _styled_for_one_more(app, chromium) < 100  # Plotly measures label by label
    app.act(page.get_by_text("Projector mode").click)
    assert page.evaluate(size) == usual


def test_a_projectors_page_is_dressed_before_streamlit_can_send_a_style(app: App):
    held: list[Route] = []
    app.page.route("**/static/js/Html.*", lambda route: held.append(route))
    app.page.goto(f"{app.address}/about?projector=1")
    expect(app.page.locator("[data-testid=stDataFrame] canvas").first).to_be_attached()
    size = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    assert app.page.evaluate(size) == pytest.approx(22.4)
    for one in held:
        one.continue_()
