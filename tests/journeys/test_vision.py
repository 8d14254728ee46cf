"""Vision in a browser: pictures given, patches clicked and painted, films walked, links kept."""

import json
import re
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page, Position, expect

import core
from app.services.vision import sample
from core.trace import AttentionKind
from tests.journeys.browser_page import App, places

RED, BLUE = (200, 30, 30), (30, 30, 200)


def figure(page: Page, key: str) -> Locator:
    """A component's root by its key on the page."""
    return page.locator(f".st-key-vision-{key} .gf").first


def patch_at(root: Locator, patch: int, columns: int) -> Position:
    found = places(root, "patches")
    top, wide, high = found[0] if isinstance(found[0], list) else found
    row, column = divmod(patch, columns)
    return {"x": (column + 0.5) * wide, "y": top + (row + 0.5) * high}


def click_patch(app: App, root: Locator, patch: int, columns: int) -> None:
    at = patch_at(root, patch, columns)
    app.act(lambda: root.locator(".sheet").first.click(position=at))


def test_a_patch_becomes_a_token_and_one_number_is_worked_out(app: App):
    page = app.open("vision", token="6")
    click_patch(app, figure(page, "patches-picture"), 20, 14)
    expect(page).to_have_url(re.compile("token=21"))
    strip = figure(page, "patches-strip")
    left, top, wide, high = places(strip)
    at: Position = {"x": left + 9.5 * wide, "y": top + high / 2}
    app.act(lambda: strip.locator(".stack").click(position=at))
    expect(page.get_by_text("Output 9 = Σ pixel × weight + bias")).to_be_visible()
    app.act(page.get_by_role("radio", name="[CLS]").click)
    expect(page.get_by_text("[CLS] is no piece of the picture", exact=True)).to_be_visible()


def test_a_picture_of_ones_own_is_shown_and_stays_out_of_the_link(app: App, tmp_path: Path):
    page = app.open("vision", picture="coffee")
    app.line.click()
    halves = Image.new("RGB", (400, 200), RED)
    halves.paste(BLUE, (200, 0, 400, 200))
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise: red on top, blue below
    halves.save(tmp_path / "phone.jpg", quality=95, exif=exif)
    (tmp_path / "letter.png").write_bytes(b"Dear reader, this is no picture.")
    upload = page.get_by_test_id("stFileUploaderDropzoneInput").first
    app.act(lambda: upload.set_input_files(tmp_path / "phone.jpg"))
    expect(page.get_by_text("Turned upright, as its EXIF orientation says.")).to_be_attached()
    upload = page.get_by_test_id("stFileUploaderDropzoneInput").first
    app.act(lambda: upload.set_input_files(tmp_path / "letter.png"))
    expect(page.get_by_text("is text, not a picture")).to_be_visible()
    expect(page.get_by_text("Turned upright, as its EXIF orientation says.")).to_be_attached()
    assert "picture=coffee" in page.url
    assert "phone" not in page.url
    page.reload()
    expect(figure(page, "patches-picture")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Your own picture is shown")).to_have_count(0)


def test_a_clicked_patch_and_a_thumbnail_are_kept_by_the_link(app: App):
    page = app.open("vision", view="attention")
    root, grid = figure(page, "attention-picture"), figure(page, "attention-heads")
    click_patch(app, root, 30, 14)
    expect(root).to_have_attribute("data-selected", "30")
    left, top, wide, high, gap = places(grid)
    at: Position = {"x": left + 2 * (wide + gap) + wide / 2, "y": top + high + gap + high / 2}
    app.act(lambda: grid.locator(".stack").click(position=at))
    expect(grid).to_have_attribute("data-selected", "[[1,2]]")
    expect(page).to_have_url(re.compile("head=2"))
    for part in ("token=31", "layer=1", "fusion=one"):
        assert part in page.url
    page.reload()
    expect(figure(page, "attention-heads")).to_have_attribute("data-selected", "[[1,2]]")
    expect(figure(page, "attention-picture")).to_have_attribute("data-selected", "30")
    app.act(page.get_by_role("radio", name="Rollout").click)
    app.act(page.get_by_role("radio", name="Attention", exact=True).click)
    expect(figure(page, "attention-picture")).to_have_attribute("data-selected", "30")


def test_the_film_is_walked_and_a_clicked_patch_has_one_of_its_own(app: App):
    page = app.open("vision", view="rollout")
    film = figure(page, "rollout-film")
    frames = re.compile(r"^frame (\d+) of \1, ")
    expect(film).to_have_attribute("data-painted", frames)
    app.act(film.get_by_role("button", name="«").click)
    expect(film).to_have_attribute("data-painted", re.compile("^frame 0 of "))
    expect(page).to_have_url(re.compile("frame=0"))
    click_patch(app, film, 6, 14)
    expect(page).to_have_url(re.compile("origin=token"))
    expect(film).to_have_attribute("data-painted", re.compile(r"^frame 0 of \d+, patches 1\.000"))
    film.get_by_role("button", name="▶ Play").click()
    expect(film).to_have_attribute("data-painted", frames)


def test_a_labelled_head_opens_on_the_picture(app: App):
    page = app.open("vision", view="how-far")
    labels = figure(page, "how-far-labels")
    left, top, wide, high, gap = places(labels)
    at: Position = {"x": left + 2 * (wide + gap) + wide / 2, "y": top + high + gap + high / 2}
    app.act(lambda: labels.locator(".stack").click(position=at))
    expect(labels).to_have_attribute("data-selected", "[[1,2]]")
    app.act(page.get_by_role("button", name="See layer 1, head 2 on the picture").click)
    expect(figure(page, "attention-heads")).to_have_attribute("data-selected", "[[1,2]]")


def test_a_small_map_is_seen_large_and_a_patch_in_every_method(app: App):
    page = app.open("vision", view="why")
    app.act(figure(page, "why-quick").get_by_role("button", name="GradCAM: choose").click)
    expect(page).to_have_url(re.compile("method=gradcam"))
    click_patch(app, figure(page, "why-map"), 30, 14)
    expect(page.get_by_text("The patch in row 2, column 2, in every method")).to_be_visible()
    app.act(lambda: figure(page, "why-map").locator(".sheet").press("Escape"))
    expect(page.get_by_text("in every method")).to_have_count(0)


def test_the_curves_follow_the_slider_of_hidden_patches(app: App):
    page = app.open("vision", view="truth", hidden="40")
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    expect(page.get_by_text("Most relevant first, 40 % hidden")).to_be_visible()
    app.act(lambda: page.get_by_role("slider", name="Patches hidden, %").press("ArrowRight"))
    expect(page.get_by_text("Most relevant first, 50 % hidden")).to_be_visible()
    app.act(page.get_by_role("radio", name="The benchmark").click)
    expect(page).to_have_url(re.compile("part=table"))
    expect(page.get_by_role("row", name=re.compile("^Random"))).to_be_visible()


def test_painting_hides_patches_and_a_heads_worth_silences_it(app: App):
    page = app.open("vision", view="what-if", effects="1")
    expect(page.get_by_text("Nothing is changed yet")).to_be_visible()
    sheet = figure(page, "what-if-paint").locator(".sheet.paint")
    app.act(lambda: sheet.click(position={"x": 20, "y": 40}))
    expect(page.get_by_text("(1 patch hidden)")).to_be_visible()
    worth = page.get_by_label(re.compile("Change of P.*when one head alone is silenced")).first
    worth.focus()
    page.keyboard.press("ArrowRight")
    app.act(lambda: page.keyboard.press("Enter"))
    expect(page.get_by_text(re.compile(r"layer 0 head \d silenced"))).to_be_visible()


def test_a_painted_mask_survives_a_reload(app: App):
    chelsea = sample("chelsea").convert("RGB")
    hidden = np.flatnonzero(core.load("mae-mini", device="cpu").reconstruct(chelsea).hidden)
    page = app.open("vision", view="mae")
    paint = figure(page, "mae-paint")
    expect(paint).to_have_attribute("data-painted", f"14 x 14, hidden {len(hidden)}")
    click_patch(app, paint, int(hidden[0]), 14)
    expect(paint).to_have_attribute("data-painted", f"14 x 14, hidden {len(hidden) - 1}")
    expect(page.get_by_text("as painted.")).to_be_visible()
    app.act(page.reload)
    expect(paint).to_have_attribute("data-painted", f"14 x 14, hidden {len(hidden) - 1}")
    app.act(lambda: page.get_by_role("slider", name="Hidden at random").press("ArrowRight"))
    expect(page.get_by_text("as painted.")).to_have_count(0)


def test_a_patchs_windows_before_and_after_the_shift(app: App):
    page = app.open("vision", view="swin")
    shifted = figure(page, "swin-map-1")
    click_patch(app, shifted, 28 * 28 - 1, 28)
    expect(figure(page, "swin-map-0")).to_have_attribute("data-selected", str(28 * 28 - 1))
    expect(page.get_by_text("more were rolled into its window").first).to_be_visible()
    app.act(page.get_by_role("button", name="14 × 14: choose").click)
    expect(figure(page, "swin-map-2")).to_be_visible()
    app.act(lambda: page.get_by_role("slider", name="Block").press("ArrowRight"))
    expect(page.get_by_text("Heads of block 3")).to_be_visible()


def test_a_box_is_clicked_and_its_slots_head_chosen(app: App):
    model = core.load("detr-mini", device="cpu")
    boxes_of, layers = model.detect(7), model.trace(7).layers[AttentionKind.CROSS]
    surest = int(boxes_of.probabilities[:, :-1].max(1).argmax())
    claims = np.flatnonzero(boxes_of.probabilities.argmax(1) < 4)
    slot = int(next(claim for claim in claims if claim != surest))
    page = app.open("vision", view="detr", seed="7")
    boxes = figure(page, "detr-boxes")
    x, y = boxes_of.boxes[slot, :2].tolist()
    at = _point(boxes, x, y)
    app.act(lambda: boxes.locator(".stack canvas").first.click(position=at))
    expect(boxes).to_have_attribute("data-selected", str(slot))
    heads = figure(page, "detr-heads").locator("button.sheet")
    app.act(heads.nth(len(layers[0].weights) + 1).click)  # layer 1, head 1
    expect(page.get_by_text("After decoder layer 1:")).to_be_visible()
    expect(page).to_have_url(re.compile(f"slot={slot}"))


def test_boxes_are_dragged_and_matched_anew(app: App):
    rivals = "0,0.3,0.45,0.3,0.3;0,0.55,0.5,0.3,0.34"
    guesses = "0,0.9,0.42,0.47,0.3,0.32;0,0.6,0.14,0.45,0.26,0.3"
    page = app.open("vision", view="detr", part="own", objects=rivals, predictions=guesses)
    expect(page.get_by_text(re.compile("other pairs, .* dearer"))).to_be_visible()
    own = figure(page, "detr-own")
    own.locator(".stack canvas").first.click(position=_point(own, 0.05, 0.55))
    expect(own).to_have_attribute("data-selected", "3")
    app.act(lambda: own.locator(".stack").press("ArrowRight"))
    expect(page).to_have_url(re.compile(r"predictions=.*0\.15"))
    canvas = own.locator(".stack canvas").first
    grip, goal = _point(own, 0.06, 0.55), _point(own, 0.06, 0.85)
    app.act(lambda: canvas.drag_to(canvas, source_position=grip, target_position=goal))
    moved = json.loads(own.get_attribute("data-boxes") or "[]")[3]
    np.testing.assert_allclose(moved, [0.15, 0.75, 0.26, 0.3], atol=0.02)


def _point(root: Locator, x: float, y: float) -> Position:
    """Where a share of the picture stands on the canvas."""
    top, wide, high = places(root)
    return {"x": x * wide, "y": top + y * high}
