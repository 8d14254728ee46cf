"""One weight worked out: every step in text, every dimension under the pointer."""

import numpy as np
from playwright.sync_api import expect

from app.style.number_format import three
from tests.figures import samples
from tests.figures.conftest import Mount
from tests.figures.harness import Figure
from tests.figures.samples import SAMPLES

CELL = samples.cell()


def part_of(figure: Figure, name: str) -> dict:
    return next(part for part in figure.data() if part["name"] == name)


def test_the_text_carries_every_step(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    figure.root.get_by_role("button", name="Text").click()
    text = figure.root.locator("pre").inner_text()
    assert f"= {three(CELL.weight)}" in text
    assert f"÷ {three(CELL.normaliser)}" in text
    assert f"{three(CELL.dot)} ÷ √16 + 0 (nothing masked)" in text
    for score, share in zip(CELL.row_scores, CELL.row_weights, strict=True):
        assert f"score {three(score)}, " in text
        assert f"weight {three(share)}" in text
    figure.root.get_by_role("button", name="Copy").click()
    expect(figure.root.get_by_role("button", name="Copied")).to_be_visible()
    copied = figure.page.evaluate("navigator.clipboard.readText()")
    assert copied == figure.root.locator("pre").text_content()


def test_hovering_a_dimension_multiplies_the_real_numbers(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    strip = part_of(figure, "products")
    figure.hover(strip["x"] + 5.5 * strip["w"] / 16, strip["y"] + 5)
    expect(figure.tip).to_contain_text("dimension 5")
    expect(figure.tip).to_contain_text(f"{three(CELL.query[5])} × ")
    expect(figure.tip).to_contain_text(f"= {three(CELL.products[5])}")
    assert np.float32(figure.tip.get_attribute("data-value")) == CELL.products[5]


def test_arrow_keys_walk_the_dimensions(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    figure.root.locator(".stack").focus()
    figure.press("ArrowRight", "ArrowRight", "ArrowLeft")
    expect(figure.tip).to_contain_text("dimension 0")
    figure.press(*["ArrowRight"] * 20)  # the edge holds
    expect(figure.tip).to_contain_text("dimension 15")


def test_hovering_the_row_divides_by_its_sum(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    bars = part_of(figure, "bars")
    step = min(bars["w"] / 8, 54)
    figure.hover(bars["x"] + 1.5 * step, bars["y"] + bars["h"] - 3)
    exponential, share = CELL.row_exponentials[1], CELL.row_weights[1]
    expect(figure.tip).to_contain_text(
        f"exp {three(exponential)} ÷ {three(CELL.normaliser)} = {three(share)}"
    )


def test_strips_end_inside_a_phone(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"](), width=390)
    assert all(part["x"] + part["w"] <= 390 - 32 for part in figure.data())
