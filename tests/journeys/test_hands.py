"""Small hands: Enter runs, the number box follows, the keyboard's focus is seen."""

import re
from functools import partial

from playwright.sync_api import Locator, expect

from tests.journeys.browser_page import App

CONTRAST = """link => {
    const context = document.createElement("canvas").getContext("2d");
    const light = (colour) => {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) =>
            part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const bar = document.querySelector('[data-testid="stSidebar"]');
    const both = [getComputedStyle(link).outlineColor, getComputedStyle(bar).backgroundColor];
    const [high, low] = both.map(light).sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
}"""


def ringed(link: Locator) -> bool:
    return link.evaluate("link => getComputedStyle(link).outlineStyle === 'solid'")


def test_enter_runs_the_sentence_and_shift_enter_breaks_its_line(app: App):
    page = app.open("attention")
    app.line.click()
    field = page.get_by_label("Sentence", exact=True)
    field.fill("The cat")
    field.press("Shift+Enter")
    field.press_sequentially("sat.")
    expect(field).to_have_value("The cat\nsat.")
    app.act(lambda: field.press("Enter"))
    expect(page).to_have_url(re.compile("text=The%20cat%0Asat|text=The.cat%0Asat"))
    expect(field).to_have_value("The cat\nsat.")
    expect(field).to_be_focused()


def test_slider_and_number_box_are_in_step_and_end_what_a_link_asked_in_vain(app: App):
    page = app.open("positions", view="shift", k="abc", d_model="4098")
    refused = page.get_by_text("The link asks for 4,098")
    replaced = page.get_by_text("The link asks for k=abc")
    expect(refused).to_be_visible()
    expect(replaced).to_be_visible()
    for label, ended, stays in (
        ("Dimensions, d_model", refused, [replaced]),
        ("Shift, k", replaced, []),
    ):
        box = page.get_by_label(f"{label}, as a number")
        box.fill("8")
        app.act(partial(box.press, "Enter"))
        expect(ended).to_have_count(0)
        for one in stays:
            expect(one).to_be_visible()
    page = app.open("gpt")
    box = page.get_by_label("Temperature T, as a number")
    box.fill("0.5")
    app.act(lambda: box.press("Enter"))
    expect(page).to_have_url(re.compile("temperature=0.5"))
    slider = page.get_by_role("slider", name="Temperature T")
    expect(slider).to_have_value("0.5")
    app.act(lambda: slider.press("ArrowRight"))
    expect(page).to_have_url(re.compile("temperature=0.55"))
    expect(box).to_have_value("0.55")


def test_only_the_link_with_the_keyboards_focus_has_a_ring(app: App):
    page = app.open("about")
    nav = page.get_by_test_id("stSidebarNavLink")
    current = nav.filter(has_text="About")
    app.act(current.click)
    assert not ringed(current)
    nav.first.focus()
    page.keyboard.press("Tab")
    focused = nav.nth(1)
    expect(focused).to_be_focused()
    assert ringed(focused)
    assert not ringed(current)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert focused.evaluate(CONTRAST) >= 3
