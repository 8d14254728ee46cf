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
from app.style.number_format import three
from core.explain.attention.alignment import alignment

PAGE = "transformer"
TEXT = "the cat sat on a street ."
TARGET = "a dog ran ."


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


def test_another_word_can_be_said(app, own_checkpoints, marian):
    page = opened(app, own_checkpoints, "decode")
    second = marian.decode(TEXT).candidates[0][1]
    decoder(page).locator(".row").nth(1).click()
    app.settled()
    expect(page).to_have_url(re.compile(rf"said={second.id}\b"))
    expected = marian.decode(TEXT, prefix=(second.id,))
    stands_at(decoder(page), 1)
    rows = table_of(page)
    said = [row["token"] for row in rows if row["said"] == "True"]
    assert said[1:] == list(expected.labels)[1:]  # the chosen word may lie beyond the listed ones
    page.get_by_role("button", name="Greedy again").click()
    app.settled()
    expect(page).not_to_have_url(re.compile("said="))


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


def test_penalty_and_margins_are_the_readers(app, own_checkpoints, marian):
    page = opened(
        app,
        own_checkpoints,
        "beams",
        normalisation="wu",
        alpha="1",
        word_margin="0.5",
        margin="0.25",
    )
    found = marian.translate(
        TEXT, length_penalty=1.0, normalisation="wu", word_margin=0.5, hypothesis_margin=0.25
    )
    fates = Counter(str(one.fate) for step in found.steps for one in step.hypotheses)
    stands_at(tree(page), len(found.steps))
    painted = tree(page).get_attribute("data-painted") or ""
    assert fates["word-margin"] > 0
    assert f"{fates['word-margin']} word-margin" in painted
    expect(page.get_by_text(f"÷ penalty {three(found.normalised)}")).to_be_visible()
    page.get_by_role("radio", name="|Y|^α", exact=True).or_(
        page.get_by_test_id("stButtonGroup").get_by_text("|Y|^α", exact=True)
    ).first.click()
    app.settled()
    plain = marian.translate(TEXT, length_penalty=1.0, word_margin=0.5, hypothesis_margin=0.25)
    expect(page.get_by_text(f"÷ penalty {three(plain.normalised)}")).to_be_visible()


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


def test_t5_is_pre_norm_and_adds_no_positions(app, own_checkpoints):
    page = opened(app, own_checkpoints, "machine", "t5", figure="enc.positions")
    expect(page.get_by_role("heading", name="No positions are added")).to_be_visible()
    expect(page.get_by_text("Pre-LN here.")).to_be_visible()
    click_box(page, "dec.cross.norm")
    expect(page.get_by_text("the stream itself is never normed")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_text("Multi-head attention", exact=True).click()
    app.settled()
    expect(page.get_by_text("T5 leaves the scale out").first).to_be_visible()


def test_multi_head_attention_equals_the_models_own(app, own_checkpoints):
    page = opened(app, own_checkpoints, "heads", kind="decoder", layer="1", head="2")
    line = page.get_by_text("Largest difference from the model's own q, k and v")
    expect(line).to_be_visible()
    errors = [float(one.rstrip(".")) for one in re.findall(r": ([\d.e-]+)", line.inner_text())]
    assert len(errors) == 2
    assert max(errors) < 1e-4
    expect(page.get_by_text("scores become −∞: the future")).to_be_visible()
    for cell in table_of(page):
        if int(cell["key"]) > int(cell["query"]):
            assert float(cell["weight"]) == 0
            assert float(cell["bias"]) == -np.inf


def test_alignment_is_measured_and_checked_by_erasure(app, own_checkpoints, marian):
    page = opened(app, own_checkpoints, "alignment", layer="1", head="3")
    found = marian.decode(TEXT)
    weights = found.trace.attention(1, kind=core.AttentionKind.CROSS).weights[3]
    measured = alignment(weights, found.trace.encoding.special)
    expect(page.get_by_text(f"{measured.end_mass:.0%}", exact=True)).to_be_visible()
    rows = table_of(page)
    assert [float(row["weight"]) for row in rows] == pytest.approx(weights.ravel(), abs=2e-6)
    page.get_by_text("Hide every source token in turn").click()
    app.settled()
    drops = marian.erasure(TEXT).drops
    same = int((weights.argmax(axis=1) == drops.argmax(axis=1)).sum())
    expect(page.get_by_text(f"{same} of {len(found.labels)}", exact=True)).to_be_visible()


def test_teacher_forcing_shows_each_tokens_loss(app, own_checkpoints, marian):
    page = opened(app, own_checkpoints, "forcing", target=TARGET, smoothing="0.2")
    found = marian.decode(TEXT, target=TARGET, smoothing=0.2)
    chips = page.locator('[data-painted="5 tokens"] button')
    for i in (0, 4):
        expect(chips.nth(i)).to_contain_text(f"{found.losses.plain[i]:.2f}")
    expect(page.get_by_text(three(found.losses.smoothed.mean()), exact=True)).to_be_visible()
    rows = table_of(page)
    assert [float(row["smoothed_loss"]) for row in rows] == pytest.approx(
        found.losses.smoothed.tolist(), rel=1e-4
    )
    chips.nth(2).click()
    app.settled()
    expect(page.get_by_text(f"rank {found.losses.ranks[2]}; loss")).to_be_visible()
    expect(page).to_have_url(re.compile("token=2"))


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
@pytest.mark.parametrize("view", ["decode", "beams", "machine"])
def test_phones(app, own_checkpoints, view):
    page = opened(app, own_checkpoints, view)
    expect(page.locator("[data-painted]").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
