"""Learning rates, label smoothing and Adam in a real browser."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from core.blocks.label_smoothing import smoothed_loss, smoothed_target
from core.blocks.lr_schedules import transformer_peak

PAGE = "blocks"
VIEW = {"view": "optimisation"}


def chart(page: Page, name: str) -> Locator:
    return page.locator(f"[class*='st-key-blocks-'][class*='-{name}-figure']")


def saved(page: Page, figure: Locator, kind: str) -> bytes:
    with page.expect_download() as waiting:
        figure.get_by_role("button", name=kind, exact=True).click()
    assert waiting.value.suggested_filename.endswith(kind.lower())
    return Path(waiting.value.path()).read_bytes()


def rows(content: bytes) -> list[dict[str, str]]:
    first, rest = content.decode().split("\r\n", 1)
    assert first.startswith("# ")
    return list(csv.DictReader(io.StringIO(rest)))


def metric(page: Page, label: str) -> Locator:
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")


def drawn(figure: Locator) -> None:
    expect(figure.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(figure.locator('[data-painted="chart files"]')).to_be_visible()


def test_the_papers_peak_and_every_export(app):
    page = app.open(PAGE, **VIEW)
    figure = chart(page, "rates")
    drawn(figure)
    expect(figure).to_contain_text("peak 0.000699 at step 4,000")
    expect(metric(page, "Peak")).to_have_text("0.000699")
    points = rows(saved(page, figure, "CSV"))
    by_curve = {row["curve"] for row in points}
    assert by_curve == {"inverse square root", "linear", "cosine"}
    at_peak = [row for row in points if float(row["training step"]) == 4000]
    assert {float(row["learning rate"]) for row in at_peak} == {transformer_peak(512, 4000)}
    assert saved(page, figure, "PNG").startswith(b"\x89PNG")
    svg = saved(page, figure, "SVG")
    assert b"<svg" in svg[:200]
    assert b"peak 0.000699" in svg


def test_a_preset_is_a_link_that_comes_back(app):
    page = app.open(PAGE, **VIEW)
    page.get_by_test_id("stButtonGroup").get_by_text("BERT", exact=True).click()
    app.settled()
    expect(chart(page, "rates")).to_contain_text("peak 0.000100 at step 10,000")
    expect(page).to_have_url(re.compile("schedule=linear"))
    expect(page).to_have_url(re.compile("steps=1000000"))
    page.reload()
    app.settled()
    expect(page.get_by_label("Training (steps)")).to_have_value("1000000")
    expect(chart(page, "rates")).to_contain_text("peak 0.000100 at step 10,000")
    expect(metric(page, "Last step")).to_have_text("0")


def test_a_warm_up_that_never_ends_is_explained(app):
    page = app.open(PAGE, **VIEW, warmup="5000", steps="4000")
    expect(
        page.get_by_text("The warm-up has 5,000 steps and the whole training 4,000")
    ).to_be_visible()
    expect(page.get_by_label("Training (steps)")).to_have_value("4000")  # nothing is lost


def test_smoothing_a_real_prediction(app):
    page = app.open(PAGE, **VIEW, part="smoothing")
    figure = chart(page, "smoothing-p")
    drawn(figure)
    points = rows(saved(page, figure, "CSV"))
    names = list(dict.fromkeys(row[next(k for k in row if "right class" in k)] for row in points))
    assert names[0] == "france"
    target = [float(r["probability (log)"]) for r in points if r["curve"].startswith("target")]
    assert target[:2] == pytest.approx(smoothed_target(9472, 0, 0.1)[:2])
    p = float(next(r["probability (log)"] for r in points if r["curve"].startswith("the model")))
    expect(metric(page, "p of the right class")).to_have_text(f"{p:.3f}")


def test_logits_of_ones_own_and_their_mistakes(app):
    page = app.open(PAGE, **VIEW, part="smoothing", source="logits", logits="2,0,0", share="0.3")
    loss = smoothed_loss(np.array([2.0, 0.0, 0.0]), 0, 0.3)
    expect(metric(page, "Loss, ε = 0.3")).to_have_text(f"{loss.total:.3f} nats")
    expect(metric(page, "Lowest possible")).to_have_text(f"{loss.floor:.3f} nats")
    field = page.get_by_label("Logits, separated by commas")
    for wrong, said in (
        ("1, two", "is no list of numbers"),
        ("1, nan", "Each logit lies between"),
        ("1", "1 logits came; 2 to 40"),
    ):
        field.fill(wrong)
        field.press("Enter")
        expect(page.get_by_text(said)).to_be_visible()
        expect(field).to_have_value(wrong)


def test_a_word_or_sentence_that_cannot_be_asked(app):
    page = app.open(PAGE, **VIEW, part="smoothing", text="no mask here", word="france")
    expect(page.get_by_text("The sentence has 0 [MASK]")).to_be_visible()
    page = app.open(PAGE, **VIEW, part="smoothing", word="$x$ **zyzzyva**")
    expect(page.get_by_text("“$x$ **zyzzyva**” is not one token")).to_be_visible()


def test_adams_memory(app):
    page = app.open(PAGE, **VIEW, part="adam")
    for name in ("adam-memory", "adam-steps", "adam-loss"):
        drawn(chart(page, name))
    expect(metric(page, "Memory 1 / (1 − β₂)")).to_have_text("50.0 steps")
    expect(metric(page, "First step, uncorrected")).to_have_text("0.707 × lr")
    page.get_by_test_id("stButtonGroup").get_by_text("BERT", exact=True).click()
    app.settled()
    expect(metric(page, "Memory 1 / (1 − β₂)")).to_have_text("1,000 steps")
    expect(metric(page, "First step, uncorrected")).to_have_text("3.16 × lr")
    steps = rows(saved(page, chart(page, "adam-steps"), "CSV"))
    first = [r for r in steps if float(r["step (log)"]) == 1]
    lengths = {r["curve"]: float(r["effective step, in learning rates"]) for r in first}
    assert lengths == pytest.approx({"with bias correction": 1, "without": 3.1623}, rel=1e-3)
