"""The Transformer page in a real browser: every view's story, on a tiny translator."""

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import core

PAGE = "transformer"
TEXT = "the cat sat on a street ."


@pytest.fixture(scope="module")
def marian(own_checkpoints):
    return core.load(own_checkpoints["marian"])


def opened(app, own_checkpoints, view: str, family: str = "marian", **params: str) -> Page:
    given = {"view": view, "model": str(own_checkpoints[family]), "text": TEXT} | params
    return app.open(PAGE, **given)


def decoder(page: Page) -> Locator:
    return page.locator("[data-hidden][data-row]")


def tree(page: Page) -> Locator:
    return page.locator('[data-painted*="hypothesis-margin"]')


def stands_at(figure: Locator, step: int) -> None:
    expect(figure).to_have_attribute("data-painted", re.compile(rf"^step {step} of"))


def click_box(page: Page, box: str) -> None:
    figure = page.locator('[data-painted$="arrows"]')
    expect(figure).to_be_visible()
    x, y = json.loads(figure.get_attribute("data-geometry") or "")[box]
    figure.locator(".stack").click(position={"x": x, "y": y})
    expect(figure).to_have_attribute("data-selected", box)


def download(page: Page, name: str) -> bytes:
    with page.expect_download() as waiting:
        # charts have a CSV of their own
        page.get_by_test_id("stDownloadButton").get_by_text(name, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


def table_of(page: Page) -> list[dict[str, str]]:
    text = download(page, "CSV").decode()
    return list(csv.DictReader(io.StringIO(text.split("\n", 1)[1])))


def test_decoding_steps_forward_and_back_by_keys(app, own_checkpoints, marian):
    page = opened(app, own_checkpoints, "decode")
    found = marian.decode(TEXT)
    count = len(found.labels)
    figure = decoder(page)
    stands_at(figure, 0)
    weights = np.stack([one.weights for one in found.trace.layers[core.AttentionKind.CROSS]])
    mean = weights.mean(axis=(0, 1))
    for step in (1, 2):
        page.keyboard.press("ArrowRight")
        stands_at(figure, step)
    np.testing.assert_allclose(
        json.loads(figure.get_attribute("data-row") or ""), mean[2], atol=2e-6
    )
    assert (
        int(figure.get_attribute("data-hidden") or "") == count - 4
    )  # fed 3, the next stands there
    rows = figure.locator(".row")
    shown = [float(row.get_attribute("data-probability") or "") for row in rows.all()]
    assert shown == pytest.approx([one.probability for one in found.candidates[2]], rel=1e-4)
    page.keyboard.press("ArrowLeft")
    stands_at(figure, 1)
    expect(page).to_have_url(re.compile("step=1"))
    page.reload()
    app.settled()
    stands_at(decoder(page), 1)
    page.keyboard.press("End")
    stands_at(decoder(page), count - 1)
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    stands_at(decoder(page), 1)


def test_the_tree_holds_every_hypothesis(app, own_checkpoints, marian):
    page = opened(app, own_checkpoints, "beams", beams="3")
    found = marian.translate(TEXT, beams=3)
    figure = tree(page)
    stands_at(figure, len(found.steps))
    fates = Counter(str(one.fate) for step in found.steps for one in step.hypotheses)
    painted = figure.get_attribute("data-painted") or ""
    drawn = {fate: int(n) for n, fate in re.findall(r"(\d+) ([a-z-]+)(?:,|$)", painted)}
    assert {fate: n for fate, n in drawn.items() if n} == dict(fates)
    rows = table_of(page)
    assert len(rows) == sum(fates.values())
    scores = [one.score for step in found.steps for one in step.hypotheses]
    assert [float(row["sum_minus_log_p"]) for row in rows] == pytest.approx(scores, rel=1e-4)
    page.locator("body").press("Home")
    for step in (1, 2):
        page.keyboard.press("ArrowRight")
        stands_at(figure, step)
    best = found.steps[1].hypotheses[0]
    figure.locator(f'tr[data-node="{best.node}"]').click()
    expect(figure.locator(".sums")).to_contain_text("Σ −log P =")
    expect(figure.locator(".sums")).to_contain_text("with |Y| = 2")
    expect(page).to_have_url(re.compile(rf"depth=2&node={best.node}|node={best.node}.*depth=2"))
    page.reload()
    app.settled()
    expect(tree(page)).to_have_attribute("data-selected", str(best.node))
    stands_at(tree(page), 2)
    page.keyboard.press("Escape")
    expect(tree(page)).to_have_attribute("data-selected", "-1")


def test_a_click_on_figure_one_shows_the_parts_numbers(app, own_checkpoints, marian):
    page = opened(app, own_checkpoints, "machine")
    expect(page.get_by_role("heading", name="Encoder–decoder attention, layer 0")).to_be_visible()
    click_box(page, "enc.attention.norm")
    expect(
        page.get_by_role("heading", name="Residual and LayerNorm: Self-attention")
    ).to_be_visible()
    expect(page.get_by_text("Post-LN: the sums are")).to_be_visible()
    for box, text in (
        ("dec.positions", "Left half sines"),
        ("enc.embed", "Rows of the table E"),
        ("dec.linear", "52 logits"),
        ("dec.mlp", "32 → 48 → 32"),
        ("dec.tokens", "shifted right"),
    ):
        click_box(page, box)
        expect(page.get_by_text(text).first).to_be_visible()
    expect(page).to_have_url(re.compile("figure=dec.tokens"))
    built = marian.machine(TEXT).decoding.trace.block(0, core.AttentionKind.DECODER)
    rows = [r for r in table_of(page) if (r["stack"], r["sublayer"]) == ("decoder", "mlp")]
    lengths = np.linalg.norm(built.mlp_output, axis=1)
    assert [float(row["f"]) for row in rows] == pytest.approx(lengths.tolist(), rel=1e-4)


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
@pytest.mark.parametrize("view", ["decode", "beams", "machine"])
def test_phones(app, own_checkpoints, view):
    page = opened(app, own_checkpoints, view)
    expect(page.locator("[data-painted]").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
