"""A figure's caption is its view's answer: heard at the figure, and below it where it is saved."""

from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect

from tests.figures.conftest import Mount
from tests.figures.samples import SAMPLES

ANSWER = """(said) => {
    let place = document.querySelector(".st-key-answer");
    if (!place) {
        place = document.body.appendChild(document.createElement("div"));
        place.className = "st-key-answer";
    }
    place.textContent = said;
}"""


@pytest.mark.parametrize("component", sorted(SAMPLES))
def test_every_figure_has_its_answer_as_caption(mount: Mount, component: str):
    figure = mount(component)
    figure.page.evaluate(ANSWER, "It looks at animal with 0.677.")
    figure.show(SAMPLES[component]())
    described = figure.root.locator("[aria-description]")
    expect(described.first).to_have_attribute("aria-description", "It looks at animal with 0.677.")
    assert described.first.get_attribute("aria-label")
    drawing = ET.parse(figure.download("SVG")).getroot()
    words = " ".join("".join(node.itertext()) for node in drawing)
    assert words.count("0.677") >= 2  # below the figure, and for those who hear it


def test_an_answer_that_comes_later_is_said_too(mount: Mount):
    figure = mount("heat_map")
    figure.page.evaluate(ANSWER, "")
    figure.show(SAMPLES["heat_map"]())
    figure.page.evaluate(ANSWER, "The largest is 0.5.")
    described = figure.root.locator("[aria-description]").first
    expect(described).to_have_attribute("aria-description", "The largest is 0.5.")
