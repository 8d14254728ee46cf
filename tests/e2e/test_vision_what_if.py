"""What if: patches painted away, heads silenced, positions moved, and the lens, in a browser."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import core
from app.services.vision import sample
from core import DropPositions, HidePatches, SilenceHead
from core.models.vision.classifier import VisionModel
from tests.e2e.conftest import App, offering
from tests.tiny_pictures import CLASSES, save_picture_model

MODELS = ("vit", "swin", "xcit")
ANSWERED = 60_000  # ms: the first model is opened meanwhile


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    return {name: save_picture_model(name, tmp_path_factory.mktemp(name)) for name in MODELS}


@pytest.fixture(scope="module")
def server(folders: dict[str, Path], tmp_path_factory) -> Iterator[str]:
    with offering(folders.values(), tmp_path_factory.mktemp("server")) as started:
        yield started


def opened(app: App, folder: Path, **given: str) -> Page:
    return app.open("vision", view="what-if", model=str(folder), **given)


def row_of(page: Page, label: str) -> Locator:
    bars = page.get_by_role("group", name="The likeliest classes, before and after")
    return bars.locator(".row").filter(has=page.locator(".name", has_text=re.compile(f"^{label}$")))


def expect_bars(page: Page, before: np.ndarray, after: np.ndarray) -> None:
    """Every class's bar, with what it lost or gained; waits for it."""
    for label, p, q in zip(CLASSES, before, after, strict=True):
        row = row_of(page, label)
        expect(row).to_be_visible(timeout=ANSWERED)
        deadline = time.monotonic() + ANSWERED / 1000
        while drawn(row) != pytest.approx((float(p), float(q)), abs=1e-5):
            assert time.monotonic() < deadline, f"{label}: {drawn(row)}, not {(p, q)}"
            page.wait_for_timeout(100)


def drawn(row: Locator) -> tuple[float, ...]:
    """Probabilities of a bar, before and after."""
    return tuple(float(row.get_attribute(f"data-{name}") or "nan") for name in ("before", "after"))


def probabilities(folder: Path, *changes) -> np.ndarray:
    model = core.load(folder)
    assert isinstance(model, VisionModel)
    return model.probabilities(sample("chelsea").convert("RGB"), [(), changes])


def test_painting_hides_patches_and_moves_the_answer(app, folders):
    page = opened(app, folders["vit"])
    expect(page.get_by_text("Nothing is changed yet")).to_be_visible(timeout=ANSWERED)
    sheet = page.locator(".sheet.paint")
    expect(sheet).to_be_visible(timeout=ANSWERED)
    sheet.click(position={"x": 20, "y": 40})
    expect(page.get_by_text("(1 patch hidden)")).to_be_visible(timeout=ANSWERED)
    app.settled()
    hidden = re.search(r"ifhide=([^&]+)", page.url)
    assert hidden is not None
    before, after = probabilities(folders["vit"], HidePatches((0,)))
    expect_bars(page, before, after)
    sheet.click(position={"x": 20, "y": 40})  # the same patch again: shown
    expect(page.get_by_text("Nothing is changed yet")).to_be_visible(timeout=ANSWERED)
    page.get_by_role("button", name="Right half").click()
    expect(page.get_by_text("(8 patches hidden)")).to_be_visible(timeout=ANSWERED)
    right = tuple(i for i in range(16) if i % 4 >= 2)
    expect_bars(page, *probabilities(folders["vit"], HidePatches(right)))


def test_a_link_restores_every_change_together(app, folders):
    page = opened(
        app, folders["vit"], hidden="4x4.bBA", heads="0.1,1.2", positions="dropped", random="1"
    )
    changes = (HidePatches((2,)), SilenceHead(0, 1), SilenceHead(1, 2), DropPositions())
    expect_bars(page, *probabilities(folders["vit"], *changes))
    words = "(1 patch hidden, layer 0 head 1 silenced, layer 1 head 2 silenced, positions dropped"
    expect(page.get_by_text(words)).to_be_visible(timeout=ANSWERED)
    expect(page.get_by_text("with 20 random sets")).to_be_visible(timeout=ANSWERED)
    page.get_by_text("as trained", exact=True).click()
    expect(page.get_by_text("layer 1 head 2 silenced)")).to_be_visible(timeout=ANSWERED)
    expect_bars(page, *probabilities(folders["vit"], *changes[:3]))


def test_a_click_on_a_heads_worth_silences_it(app, folders):
    page = opened(app, folders["vit"], effects="1")
    expect(page.get_by_text("Most is lost without layer")).to_be_visible(timeout=ANSWERED)
    app.settled()
    canvas = page.get_by_label(re.compile("Change of P.*when one head alone is silenced")).first
    expect(canvas).to_be_visible(timeout=ANSWERED)
    canvas.focus()
    page.keyboard.press("ArrowRight")  # the first cell, or the one beside it
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile(r"\(layer 0 head \d silenced"))).to_be_visible(
        timeout=ANSWERED
    )


def test_the_lens_reads_every_layer_and_patch(app, folders):
    page = opened(app, folders["vit"], patch="5")
    table = page.get_by_role("table", name="The likeliest class after each layer")
    expect(table).to_be_visible(timeout=ANSWERED)
    model = core.load(folders["vit"])
    assert isinstance(model, VisionModel)
    read = model.patch_logits(sample("chelsea").convert("RGB"))
    rows = table.get_by_role("row")
    expect(rows).to_have_count(1 + 3)  # the head line, two layers, the embeddings
    for line, at in enumerate((2, 1, 0), start=1):
        cells = rows.nth(line).get_by_role("cell")
        for cell, index in enumerate(
            (read.answer_first[at], read.first[at, 0], read.first[at, 1 + 5])
        ):
            expect(cells.nth(cell)).to_have_text(CLASSES[int(index)])
    page.get_by_text("Each patch's own class, in words").click()
    words = page.get_by_role("table", name="layer 1: the class that each patch's token would give")
    expect(words).to_be_visible(timeout=ANSWERED)
    expect(words.get_by_role("cell").nth(5)).to_have_text(CLASSES[int(read.first[2, 1 + 5])])
    layers = page.get_by_role("group", name="All layers: click one to see it large")
    layers.get_by_role("button").first.click()
    expect(
        page.get_by_role("table", name="embeddings: the class that each patch's token would give")
    ).to_be_visible(timeout=ANSWERED)


def test_what_a_model_cannot_do_is_said(app, folders):
    page = opened(app, folders["swin"], positions="shuffled", hidden="16x16.bDw")
    expect(page.get_by_text("they can be dropped, not permuted")).to_be_visible(timeout=ANSWERED)
    expect(page.get_by_text("has its positions as trained")).to_be_visible(timeout=ANSWERED)
    expect_bars(page, *probabilities(folders["swin"], HidePatches((0, 1, 2, 3))))
    expect(page.get_by_text("Only the last stage has the width")).to_be_visible(timeout=ANSWERED)
    page = opened(app, folders["xcit"])
    expect(page.get_by_text("attends over channels, not over patches")).to_be_visible(
        timeout=ANSWERED
    )
