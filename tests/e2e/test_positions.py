"""The positions page in a real browser: every view against the core's own numbers."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Position, expect

import core
from app.services.positions import other_places
from app.style.number_format import three as number
from app.views.positions.state import DEFAULT_TEXT
from core import DropPositions, PermutePositions, positions
from core.data.snapshots import read_moments
from core.positions import Layout

PAGE = "positions"
PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def bert():
    return core.load("bert-mini")


def figure(page: Page, label: str) -> Locator:
    """The heat map whose label begins so."""
    image = page.get_by_role("img", name=re.compile(f"^{re.escape(label)}"))
    return page.locator("[data-painted]").filter(has=image)


def expect_painted(page: Page, label: str, values: np.ndarray) -> Locator:
    """The drawn matrix is this one: its shape, and the sum of its numbers."""
    shown = figure(page, label)
    shape = " x ".join(map(str, values.shape))
    expect(shown).to_have_attribute("data-painted", re.compile(f"^{shape}, sum "), timeout=60_000)
    drawn = float((shown.get_attribute("data-painted") or "").rpartition(" ")[2])
    assert drawn == pytest.approx(float(values.sum(dtype=np.float64)), abs=2e-3 * values.size**0.5)
    return shown


def place_of(root: Locator, row: int, column: int) -> Position:
    left, top, wide, high = json.loads(root.get_attribute("data-geometry") or "null")
    return {"x": left + (column + 0.5) * wide, "y": top + (row + 0.5) * high}


def rows_of_csv(page: Page) -> list[list[str]]:
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name="CSV").click()
    text = Path(waiting.value.path()).read_text("utf-8")
    assert text.startswith("# ")
    return list(csv.reader(io.StringIO(text)))[1:]


def step(app, parameter: str, key: str = "ArrowRight") -> Page:
    """Move a slider by one step, as the keyboard does."""
    app.page.locator(f".st-key-{PAGE}-{parameter}").get_by_role("slider").press(key)
    return app.settled()


def test_both_layouts_are_drawn_and_show_the_same_cell(app):
    page = app.open(PAGE)
    paper = expect_painted(page, "Sinusoidal positions, interleaved", positions.sinusoidal(64, 128))
    halves = expect_painted(
        page,
        "Sinusoidal positions, concatenated",
        positions.sinusoidal(64, 128, layout=Layout.CONCATENATED),
    )
    box = paper.bounding_box()
    assert box
    assert box["y"] < 320  # the figure has most of the first screen
    paper.locator(".stack").click(position=place_of(paper, 12, 34))
    value = number(float(np.sin(12 / 10000 ** (34 / 128))))
    expect(
        page.get_by_text(f"PE(12, 34) = sin(12 / 10000^(34/128)) = sin(1.04) = {value}")
    ).to_be_visible()
    expect(halves).to_have_attribute("data-selected", "[12,17]")
    expect(page).to_have_url(re.compile("cell=12.34"))
    halves.locator(".stack").click(position=place_of(halves, 5, 64 + 3))  # the third cosine
    expect(paper).to_have_attribute("data-selected", "[5,7]")
    app.settled()
    page.goto(page.url)
    expect(page.get_by_text("PE(5, 7) = cos(5 / 10000^(6/128))")).to_be_visible()
    expect(figure(page, "Sinusoidal positions, concatenated")).to_have_attribute(
        "data-selected", "[5,67]"
    )


def test_every_slider_is_in_the_link_and_the_numbers_follow(app):
    page = app.open(PAGE)
    step(app, "n")
    step(app, "d")
    step(app, "base")
    table = positions.sinusoidal(65, 130, 100_000)
    expect_painted(page, "Sinusoidal positions, interleaved", table)
    for part in ("n=65", "d=130", "base=100000"):
        assert part in page.url
    longest = positions.wavelengths(130, 100_000)[-1]
    expect(page.get_by_text("is wrong. 10,000 is the base of the")).to_be_visible()
    assert f"{longest:,.2f}".replace(",", "") in (
        page.locator(".katex-mathml").first.text_content() or ""
    ).replace("\u2009", "").replace("\\,", "").replace(" ", "")
    rows = rows_of_csv(page)
    assert rows[0] == ["position", "dimension", "value"]
    assert float(rows[1 + 130 * 64 + 129][2]) == pytest.approx(float(table[64, 129]), abs=1e-7)


def test_a_shift_is_a_rotation_with_its_error(app):
    page = app.open(PAGE, view="shift", k="7", d_model="12")
    matrix = positions.shift_matrix(7, 12)
    expect_painted(page, "The matrix M that shifts by 7", matrix)
    error = float(
        np.abs(
            positions.sinusoidal(207, 12)[:200] @ matrix.T - positions.sinusoidal(207, 12)[7:]
        ).max()
    )
    assert error < 1e-6
    expect(page.get_by_text("Largest error over 200 positions").first).to_contain_text(
        number(error)
    )
    page.get_by_test_id("stButtonGroup").get_by_text("concatenated", exact=True).click()
    app.settled()
    halves = positions.shift_matrix(7, 12, layout=Layout.CONCATENATED)
    root = expect_painted(page, "The matrix M that shifts by 7", halves)
    root.locator(".stack").hover(position=place_of(root, 0, 6))
    readout = root.locator("[data-value]")
    expect(readout).to_have_attribute("data-value", str(float(halves[0, 6])))
    step(app, "k")
    assert "k=8" in page.url
    assert "morder=concatenated" in page.url
    expect_painted(
        page, "Dot products of 96", positions.sinusoidal(96, 12) @ positions.sinusoidal(96, 12).T
    )


def test_a_learned_table_and_the_moments_of_its_training(app, bert):
    page = app.open(PAGE, view="learned")
    table = bert.position_table().vectors[:64]
    expect_painted(page, "Learned positions of BERT mini", table)
    expect_painted(page, "Cosine similarity of 64", positions.cosine_similarity(table))
    folder = Path(core.__file__).parent.parent / "assets" / "models" / "bert-mini"
    training = read_moments(folder / "snapshots.npz", "positions")
    assert training is not None
    step(app, "at", "Home")
    assert "at=0" in page.url
    expect_painted(page, "Learned positions of BERT mini", training.values[0])
    expect(page.get_by_text("most similar to a direct neighbour")).to_be_visible()


def test_five_schemes_side_by_side_and_one_on_a_real_head(app, bert):
    page = app.open(PAGE, view="relative")
    angles = positions.rotary_angles(32, 32).astype(np.float64)
    expect_painted(page, "Rotary positions", (angles + np.pi) % (2 * np.pi) - np.pi)
    expect_painted(
        page, "ALiBi: bias of head 1 of 8", np.tril(positions.alibi(32, 8, causal=False)[1])
    )
    expect_painted(page, "T5: the bucket", positions.t5_buckets(32, 32))
    expect_painted(page, "Swin: which of 169", positions.swin_relative_index(7))
    expect_painted(page, "Two-dimensional sines", positions.sine_2d(6, 6, 32).reshape(36, 32))
    layer = bert.trace(DEFAULT_TEXT).attention(1)
    turned = positions.rotated(layer, 5)
    expect_painted(page, "The head as it is", layer.weights[5])
    expect_painted(page, "What its scores get", turned.added)
    page.get_by_test_id("stButtonGroup").get_by_text("ALiBi", exact=True).click()
    app.settled()
    n = len(turned.added)
    alibi = positions.biased(layer, 5, positions.alibi(n, 8)[5])
    after = figure(page, "What if (counterfactual)")
    root = expect_painted(page, "What if (counterfactual)", alibi.changed)
    root.locator(".stack").click(position=place_of(root, 6, 5))
    expect(page.get_by_text(f"then {number(float(alibi.changed[6, 5]))}")).to_be_visible()
    expect(page.get_by_text("this model was never trained with these positions")).to_be_visible()
    assert "scheme=alibi" in page.url
    expect(page).to_have_url(re.compile("cell=6.5"))
    expect(after).to_have_attribute("data-selected", "[6,5]")


def test_shuffled_and_dropped_positions_change_what_bert_sees_and_says(app, bert):
    page = app.open(PAGE, view="order")
    trace = bert.trace(DEFAULT_TEXT)
    places = other_places(trace.encoding, "shuffled", 1)
    shuffled = bert.trace(DEFAULT_TEXT, interventions=[PermutePositions(places)])
    expect_painted(page, "As trained", trace.attention(1).weights[5])
    expect_painted(page, "Positions shuffled", shuffled.attention(1).weights[5])
    page.get_by_test_id("stButtonGroup").get_by_text("Dropped", exact=True).click()
    app.settled()
    dropped = bert.trace(DEFAULT_TEXT, interventions=[DropPositions()])
    root = expect_painted(page, "Positions dropped", dropped.attention(1).weights[5])
    root.locator(".stack").hover(position=place_of(root, 2, 3))
    expect(root.locator("[data-value]")).to_have_attribute("data-value", re.compile(r"^0\.\d+"))
    seen = float(root.locator("[data-value]").get_attribute("data-value") or "nan")
    assert seen == pytest.approx(float(dropped.attention(1).weights[5][2, 3]), abs=1e-6)
    for name, change in (("as trained", ()), ("positions dropped", (DropPositions(),))):
        best = bert.fill_mask(DEFAULT_TEXT, interventions=change)[0].candidates[0]
        bars = page.get_by_role("group", name=f"Predictions at Mask, token 6, {name}")
        first = bars.locator("[data-probability]").first
        expect(first).to_contain_text(best.token)
        drawn = float(first.get_attribute("data-probability") or "nan")
        assert drawn == pytest.approx(best.probability, abs=1e-5)
    expect(page.get_by_text("equal to rounding.").first).to_be_visible()
    expect(page.get_by_text("With a causal mask put on top")).to_be_visible()
    page.get_by_text("Every model on board").click()
    app.settled()
    expect(page.get_by_role("cell", name="holds").first).to_be_visible()
    expect(page.get_by_role("cell", name="0.61382")).to_be_visible()
    assert "every_model=1" in page.url


@pytest.mark.parametrize("app", [PHONE], indirect=True)
def test_a_phone_shows_every_view_without_scrolling_sideways(app):
    for view in ("sinusoidal", "shift", "relative"):
        page = app.open(PAGE, view=view)
        expect(page.locator("[data-painted]").first).to_be_visible(timeout=60_000)
        wide = page.evaluate(
            "document.querySelector('[data-testid=stMain]').scrollWidth - window.innerWidth"
        )
        assert wide <= 0


def test_what_a_link_asks_in_vain_is_told_and_nothing_breaks(app, own_checkpoints):
    page = app.open(PAGE, n="0", d_model="65", base="7", cell="900.900", dims="9000")
    expect(page.get_by_text("0 positions leave nothing to encode")).to_be_visible()
    expect(page.get_by_text("d_model is 65, an odd number")).to_be_visible()
    expect(page.get_by_text("The link asks for base 7")).to_be_visible()
    expect_painted(page, "Sinusoidal positions, interleaved", positions.sinusoidal(64, 128))
    step(app, "n")
    expect(page.get_by_text("0 positions leave nothing to encode")).to_have_count(0)
    page = app.open(PAGE, n="1000000000", d_model="1")
    expect(page.get_by_text("The link asks for 1,000,000,000; up to 512")).to_be_visible()
    expect(page.get_by_text("d_model is 1. It needs at least one pair")).to_be_visible()
    page = app.open(PAGE, view="learned", model="nonsense")
    expect(page.get_by_text("There is no model “nonsense” here")).to_be_visible()
    page = app.open(PAGE, view="learned", model=str(own_checkpoints["llama"]))
    expect(page.get_by_text("it turns queries and keys instead (rotary positions)")).to_be_visible()
    page = app.open(PAGE, view="order", text="")
    expect(page.get_by_text("The text is empty. Type at least one word.")).to_be_visible()
    slow = 60_000  # a model is opened first
    page = app.open(PAGE, view="order", text="No mask in here.")
    expect(page.get_by_text("no [MASK]").first).to_be_visible(timeout=slow)
    page = app.open(PAGE, view="order", model=str(own_checkpoints["deberta"]), text="the cat sat")
    told = page.get_by_text("mixes distances into its scores").first
    expect(told).to_be_visible(timeout=slow)
    page = app.open(
        PAGE, view="relative", model=str(own_checkpoints["deberta"]), text="the cat sat"
    )
    expect(page.get_by_text("hides queries and keys")).to_be_visible(timeout=slow)
