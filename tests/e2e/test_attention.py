"""The attention page, every interaction, against the model's own numbers."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Position, expect

import core
from app.style.number_format import three
from core.explain.attention.hide_tokens import hide_tokens

TEXT = "The animal didn't cross the street because it was too tired."
HEAD, IT, ANIMAL = (3, 1), 10, 2


@pytest.fixture(scope="module")
def trace():
    return core.load("minilm-l6").trace(TEXT)


@pytest.fixture(scope="module")
def head(trace) -> np.ndarray:
    return trace.attention(HEAD[0]).weights[HEAD[1]]


def grid(page: Page) -> Locator:
    return page.locator('[data-painted*="heads of"]')


def view(page: Page) -> Locator:
    return page.locator('[data-painted*="maps of"]')


def selection(root: Locator) -> dict:
    return json.loads(root.get_attribute("data-selection") or "{}")


def thumbnail(page: Page, layer: int, head: int) -> Position:
    left, top, wide, high, gap = json.loads(grid(page).get_attribute("data-geometry") or "")
    return {"x": left + head * (wide + gap) + wide / 2, "y": top + layer * (high + gap) + high / 2}


def painted_sum(root: Locator) -> float:
    return float(root.get_attribute("data-total") or "nan")


def open_display(page: Page) -> None:
    page.get_by_role("button", name="Display").click()


def test_the_first_screen_makes_the_point(app, head):
    page = app.open("attention")
    assert f"{head[IT, ANIMAL]:.3f}" == "0.677"
    expect(page.get_by_text("0.677 · rank 1 of 16 · 10.8 × uniform")).to_be_visible()
    expect(view(page)).to_be_in_viewport(ratio=0.9)


def test_the_view_paints_the_models_own_weights(app, head):
    page = app.open("attention")
    assert painted_sum(view(page)) == pytest.approx(float(head.sum()), abs=0.01)


def test_a_click_on_a_thumbnail_chooses_the_head(app, trace):
    page = app.open("attention")
    grid(page).locator(".stack").click(position=thumbnail(page, 5, 11))
    expect(view(page).get_by_text("layer 5 · head 11").first).to_be_visible()
    app.settled()
    assert "heads=5.11" in page.url
    expect(page.get_by_text("0.673").first).to_be_visible()
    assert trace.attention(5).weights[11][IT, ANIMAL] == pytest.approx(0.673, abs=5e-4)


def test_shift_click_overlays_and_mean_averages(app, trace):
    page = app.open("attention")
    place = thumbnail(page, 5, 11)
    grid(page).locator(".stack").click(position=place, modifiers=["Shift"])
    expect(page.get_by_text("2 heads overlaid")).to_be_visible()
    app.settled()
    page.get_by_text("Mean", exact=True).click()
    expect(page.get_by_text("mean of 2 heads in 2 layers").first).to_be_visible()
    app.settled()
    mean = (trace.attention(3).weights[1] + trace.attention(5).weights[11]) / 2
    expect(page.get_by_text(f"{mean[IT, ANIMAL]:.3f} · rank 1 of 16")).to_be_visible()


def test_arrow_keys_walk_the_grid(app):
    page = app.open("attention")
    grid(page).locator(".stack").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(view(page).get_by_text("layer 4 · head 2").first).to_be_visible()


def test_hovering_a_head_names_its_strongest_pair(app):
    page = app.open("attention")
    grid(page).locator(".stack").hover(position=thumbnail(page, 5, 11))
    expect(grid(page).get_by_text("it → animal 0.673").first).to_be_visible()


def test_the_worked_cell_ends_at_the_displayed_weight(app, head):
    page = app.open("attention")
    cell = page.locator('[data-painted^="weight"]')
    expect(cell).to_have_count(1)
    weight = float((cell.get_attribute("data-painted") or "").split()[1])
    assert weight == pytest.approx(float(head[IT, ANIMAL]), abs=1e-6)


def test_clicking_another_cell_works_it_out(app, head):
    page = app.open("attention")
    root = view(page)
    geometry = json.loads(root.get_attribute("data-geometry") or "")["heatmap"]
    row, column = 6, 8  # cross → street
    place = {
        "x": geometry["x"] + (column + 0.5) * geometry["cell"],
        "y": geometry["y"] + (row + 0.5) * geometry["cell"],
    }
    root.locator(".stack").click(position=place)
    app.settled()
    assert selection(root)["cell"] == [row, column]
    assert f"cell={row}.{column}" in page.url
    cell = page.locator('[data-painted^="weight"]')
    weight = float((cell.get_attribute("data-painted") or "").split()[1])
    assert weight == pytest.approx(float(head[row, column]), abs=1e-6)


def test_hidden_special_tokens_leave_and_their_mass_is_told(app, trace, head):
    page = app.open("attention", heads="3.1", nospecial="1")
    kept = ~trace.encoding.special
    reduced = hide_tokens(head[None], kept_queries=kept, kept_keys=kept, renormalise=False)
    assert painted_sum(view(page)) == pytest.approx(float(reduced.maps.sum()), abs=0.01)
    mean = float(reduced.removed.mean())
    expect(page.get_by_text(f"They took {three(mean)} of a row on average")).to_be_visible()


def test_renormalised_rows_sum_to_one(app, trace):
    page = app.open("attention", heads="3.1", nospecial="1", renorm="1")
    assert painted_sum(view(page)) == pytest.approx(int((~trace.encoding.special).sum()), abs=0.01)


def test_pieces_merge_to_words(app):
    page = app.open("attention", text="Tokenizers split unapologetically", words="1")
    expect(view(page)).to_have_attribute("data-painted", re.compile(r"maps of 5 x 5"))


def test_every_display_choice_enters_the_link_and_comes_back(app):
    page = app.open("attention")
    open_display(page)
    page.get_by_text("heatmap", exact=True).click()
    page.get_by_text("to: key → query").click()
    page.get_by_text("log", exact=True).click()
    page.get_by_text("One scale for all heads").click()
    page.get_by_text("Hide punctuation").click()
    page.get_by_text("Merge word pieces to words").click()
    app.settled()
    for part in ("layout=heatmap", "direction=to", "scale=log", "shared=1", "nopunct=1", "words=1"):
        assert part in page.url
    painted = view(page).get_attribute("data-painted")
    page.goto(page.url)
    app.settled()
    assert view(page).get_attribute("data-painted") == painted


def test_threshold_and_top_k_thin_the_lines_out(app):
    def lines(**params: str) -> int:
        page = app.open("attention", heads="3.1", **params)
        return int((view(page).get_attribute("data-painted") or "").split(", ")[2].split()[0])

    every = lines()
    assert lines(top="2") <= 2 * 16
    assert 0 < lines(min="0.3") < lines(min="0.05") < every


def test_copy_link_copies_the_link_that_restores_the_page(app):
    page = app.open("attention", heads="5.11", cell="10.2", layout="lines")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied").first).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url
    page.goto(copied)
    app.settled()
    expect(view(page).get_by_text("layer 5 · head 11").first).to_be_visible()


def test_a_link_can_not_draw_a_picture_from_elsewhere(app):
    page = app.open("attention", model="![x](http://192.0.2.1/x.png) <b>bold</b>")
    expect(page.get_by_text("![x](http://192.0.2.1/x.png) <b>bold</b>")).to_be_visible()


def test_nonsense_in_a_link_is_ignored(app):
    page = app.open(
        "attention",
        model="../../etc/passwd",
        heads="99.99,x",
        kind="cross",
        layout="cubist",
        min="-3",
        pin="9999",
        cell="1.9999",
        front="-1",
    )
    expect(page.get_by_text("There is no model “../../etc/passwd” here")).to_be_visible()
    expect(view(page)).to_be_visible()


def download(page: Page, name: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).last.click()
    return Path(waiting.value.path()).read_bytes()


def test_csv_holds_the_exact_weights(app, head):
    page = app.open("attention")
    text = download(page, "CSV").decode()
    comment, _, table = text.partition("\n")
    assert "MiniLM" in comment
    assert TEXT in comment
    rows = list(csv.DictReader(io.StringIO(table)))
    weights = np.array([float(row["weight"]) for row in rows]).reshape(16, 16)
    np.testing.assert_allclose(weights, head, atol=1e-6)
    assert rows[IT * 16 + ANIMAL]["query_token"] == "it"


def test_npz_holds_maps_vectors_and_settings(app, trace, head):
    page = app.open("attention")
    with np.load(io.BytesIO(download(page, "NPZ"))) as file:
        np.testing.assert_allclose(file["maps"][0], head, atol=1e-6)
        np.testing.assert_allclose(file["q_layer3_head1"], trace.attention(3).queries[1], atol=1e-5)
        assert json.loads(str(file["settings"]))["heads"] == "3.1"


def test_the_offline_page_works_from_a_file(app, head, tmp_path):
    page = app.open("attention")
    file = tmp_path / "attention.html"
    file.write_bytes(download(page, "HTML"))
    offline = app.page.context.new_page()
    asked: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    offline.goto(file.as_uri())
    expect(view(offline)).to_have_count(1)
    assert painted_sum(view(offline)) == pytest.approx(float(head.sum()), abs=0.01)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_pictures_of_the_figure(app, kind):
    page = app.open("attention")
    with page.expect_download() as waiting:
        view(page).get_by_text(kind, exact=True).click()
    content = Path(waiting.value.path()).read_bytes()
    if kind == "PNG":
        assert content.startswith(b"\x89PNG")
    else:
        text = content.decode()
        assert text.startswith("<svg")
        assert "animal" in text
        assert "MiniLM" in text


def test_a_session_file_brings_everything_back(app, tmp_path):
    page = app.open("attention", text="Birds fly. " * 250, heads="2.3", layout="lines")
    expect(
        page.get_by_text("1,002 tokens").or_(page.get_by_text("tokens; this model takes"))
    ).to_be_visible()
    page = app.open("attention", text="Birds fly south.", heads="2.3", layout="lines")
    saved = tmp_path / "session.json"
    saved.write_bytes(download(page, "Session file"))
    page = app.open("attention")
    page.get_by_role("button", name="Open a session file").click()
    page.locator('input[type="file"]').set_input_files(saved)
    expect(page.get_by_label("Sentence", exact=True)).to_have_value("Birds fly south.")
    expect(view(page).get_by_text("layer 2 · head 3").first).to_be_visible()


@pytest.mark.parametrize(
    ("name", "mark"), [("head view", "#vis"), ("model view", "#vis"), ("neuron view", "#vis")]
)
def test_bertviz_draws_in_its_own_frame(app, name, mark):
    page = app.open("attention")
    page.get_by_text(name, exact=True).click()
    app.settled()
    frame = page.frame_locator("iframe").last
    expect(frame.locator(f"{mark} svg").first).to_be_visible()
    expect(view(page)).to_be_visible()


def test_bertviz_declines_long_texts(app):
    page = app.open("attention", text="word " * 80, bertviz="model")
    expect(page.get_by_text("it is offered up to 64")).to_be_visible()


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_shows_it_all_without_scrolling_sideways(app):
    page = app.open("attention")
    expect(view(page)).to_be_visible()
    assert page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth <= window.innerWidth"
    )
