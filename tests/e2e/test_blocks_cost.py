"""Layer types, memory, pictures, measured times and parameters in a real browser."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

PAGE = "blocks"
VIEW = {"view": "cost"}
MEASURING = 180_000  # ms: 15 s of one core, on a machine that may be busy


def chart(page: Page, name: str) -> Locator:
    return page.locator(f"[class*='st-key-blocks-'][class*='-{name}-figure']")


def rows(page: Page, figure: Locator) -> list[dict[str, str]]:
    with page.expect_download() as waiting:
        figure.get_by_role("button", name="CSV", exact=True).click()
    text = Path(waiting.value.path()).read_text("utf-8")
    return list(csv.DictReader(io.StringIO(text.split("\n", 1)[1])))


def metric(page: Page, label: str) -> Locator:
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")


def test_the_curves_cross_where_the_rules_say(app):
    page = app.open(PAGE, **VIEW, d="256", k="5", r="64")
    figure = chart(page, "layers")
    for rule in ("n = r = 64", "n = d = 256", "n = k·d = 1,280"):
        expect(figure).to_contain_text(rule)
    points = rows(page, figure)
    at = {
        (row["curve"], float(row["length of the sequence n (log)"])): float(
            row["operations a layer (log)"]
        )
        for row in points
    }
    assert at["self-attention", 256] == at["recurrent", 256] == 256**3
    assert at["self-attention", 1280] == at["convolution", 1280]


def test_the_other_two_columns_of_table_1(app):
    page = app.open(PAGE, **VIEW, quantity="path")
    points = rows(page, chart(page, "layers"))
    ends = {
        row["curve"]: float(row["longest path (log)"])
        for row in points
        if float(row["length of the sequence n (log)"]) == 1e6
    }
    assert ends["self-attention"] == 1
    assert ends["recurrent"] == 1e6
    assert ends["convolution"] == pytest.approx(12.58, abs=0.01)
    page.get_by_test_id("stButtonGroup").get_by_text("sequential operations").click()
    app.settled()
    expect(page).to_have_url(re.compile("quantity=sequential"))


def test_memory_from_512_to_a_million(app):
    page = app.open(PAGE, **VIEW, part="memory")
    points = rows(page, chart(page, "memory"))
    full = [
        float(row["bytes of all maps (log)"])
        for row in points
        if row["curve"].startswith("all pairs")
    ]
    assert full[0] == 12 * 12 * 512**2 * 4
    assert full[-1] == 12 * 12 * 2.0**40 * 4
    page.get_by_test_id("stButtonGroup").get_by_text("int8, 1 byte").click()
    app.settled()
    points = rows(page, chart(page, "memory"))
    assert float(points[0]["bytes of all maps (log)"]) == full[0] / 4


def test_a_screens_pixels_and_patches(app):
    page = app.open(PAGE, **VIEW, part="pictures")
    expect(metric(page, "Pairs of pixels")).to_have_text("4.30 · 10¹²")
    expect(page.get_by_text("120 × 68 = 8,160 patches")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_text("Swin's first stage").click()
    app.settled()
    expect(metric(page, "Within windows")).to_have_text("154,000")  # 49 · 3136 = 153,664


def test_counts_beside_what_papers_print(app):
    page = app.open(PAGE, **VIEW, part="parameters")
    expect(metric(page, "Parameters")).to_have_text("109,482,240")
    expect(metric(page, "Published")).to_have_text("110 M")
    page.get_by_label("Model", exact=True).click()
    page.get_by_role("option", name="GPT-2 small").click()
    app.settled()
    expect(metric(page, "Parameters")).to_have_text("124,439,808")
    expect(page.get_by_text("A misprint")).to_be_visible()
    layers = page.get_by_label("layers N")
    layers.fill("24")
    layers.press("Enter")
    expect(metric(page, "Parameters")).to_have_text("209,494,272")  # 12 · 7,087,872 more
    expect(page.get_by_text("Changed from GPT-2 small")).to_be_visible()
    expect(page).to_have_url(re.compile("layers=24"))
    page.reload()
    app.settled()
    expect(metric(page, "Parameters")).to_have_text("209,494,272")


def test_a_link_that_names_a_model_alone_has_its_numbers(app):
    page = app.open(PAGE, **VIEW, part="parameters", model="vit")
    expect(metric(page, "Parameters")).to_have_text("86,567,656")
    expect(metric(page, "A forward pass")).to_have_text("35.1 GFLOP")
    expect(page.get_by_label("classes")).to_have_value("1000")


def test_what_a_link_may_not_hold_counts_as_absent(app):
    page = app.open(PAGE, **VIEW, part="pictures", width="0", height="99999999", patch="x")
    expect(metric(page, "Pairs of pixels")).to_have_text("4.30 · 10¹²")


def test_attention_is_measured_once_for_all(app):
    page = app.open(PAGE, **VIEW, part="measured")
    page.get_by_role("button", name="Measure on this machine").click()
    figure = chart(page, "times")
    expect(figure.locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=MEASURING)
    expect(page.get_by_text("Measured on:")).to_contain_text("d_model 512, 8 heads")
    expect(page.get_by_role("button", name="Measure again")).to_be_disabled()
    points = rows(page, figure)
    seconds = [float(r["seconds a layer (log)"]) for r in points if r["curve"].startswith("fused")]
    assert len(seconds) == 13
    assert 0 < seconds[0] < seconds[-1]
    slope = re.search(r"fused.*n\^(\d\.\d+)", points[13]["curve"])
    assert slope
    assert 1 < float(slope[1]) < 3
    other = page.context.new_page()
    other.goto(f"{app.address}/{PAGE}?view=cost&part=measured")
    expect(chart(other, "times").locator(".main-svg").first).to_be_visible()
    other.close()
