"""Back undoes a change of view, text or model; another page's Back finds it as it was left."""

import re

from playwright.sync_api import expect

from tests.journeys.browser_page import App

OWN = "The cat sat on the mat."


def test_back_and_forward_through_texts_views_and_pages(app: App):
    page = app.open("bert", text="Paris is the capital of France.")
    app.write("Sentence", OWN)
    expect(page).to_have_url(re.compile("text=The"))
    app.act(page.get_by_text("Layer by layer", exact=True).click)
    expect(page).to_have_url(re.compile("view=layers"))
    app.act(page.get_by_role("link", name="About", exact=True).click)

    app.act(page.go_back)
    expect(page).to_have_url(re.compile("view=layers"))
    expect(app.line).to_contain_text(OWN)
    app.act(page.go_back)
    expect(page).not_to_have_url(re.compile("view="))
    expect(page.get_by_label("Candidates at position")).to_have_count(0)
    expect(app.line).to_contain_text(OWN)
    app.act(page.go_back)
    expect(app.line).to_contain_text("Paris is the capital of France.")
    app.act(page.go_forward)
    expect(app.line).to_contain_text(OWN)
