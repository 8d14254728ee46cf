"""Patches and patch attention on the vision page: a server of its own, with tiny checkpoints."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
import timm
import torch
from playwright.sync_api import Browser, Locator, Page, Position, expect
from safetensors.torch import save_file

import core
from app.services.vision import sample
from app.style.number_format import three
from core.explain.attention.patch_attention import look, top_mass
from tests.e2e.conftest import offering

PICTURE = sample("chelsea").convert("RGB")
SMALL = {"img_size": 32, "patch_size": 8, "embed_dim": 32, "depth": 3, "num_heads": 4}
PICTURES = {
    "vit": ("vit_tiny_patch16_224", SMALL),
    "registers": ("vit_small_patch14_reg4_dinov2", SMALL | {"patch_size": 4, "depth": 2}),
    "swin": (
        "swin_tiny_patch4_window7_224",
        {
            "img_size": 32,
            "patch_size": 2,
            "embed_dim": 16,
            "depths": (2, 2),
            "num_heads": (2, 4),
            "window_size": 4,
        },
    ),
    "xcit": ("xcit_nano_12_p16_224", {"depth": 2, "embed_dim": 32}),
}


def save(name: str, folder: Path) -> Path:
    architecture, arguments = PICTURES[name]
    torch.manual_seed(0)
    module = timm.create_model(architecture, num_classes=5, **arguments)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim > 1:
                parameter.normal_(0, 0.2)
    state = {key: value.contiguous() for key, value in module.state_dict().items()}
    save_file(state, folder / "model.safetensors")
    side = arguments.get("img_size", 224)
    config = {
        "architecture": architecture,
        "num_classes": 5,
        "model_args": arguments,
        "pretrained_cfg": {"input_size": (3, side, side), "crop_pct": 1.0},
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    return {name: save(name, tmp_path_factory.mktemp(name)) for name in PICTURES}


@pytest.fixture(scope="module")
def server(folders: dict[str, Path], tmp_path_factory, chromium: Browser) -> Iterator[str]:
    """A server that has opened its first model: a busy machine may take minutes for that."""
    with offering(folders.values(), tmp_path_factory.mktemp("server")) as started:
        page = chromium.new_page()
        page.goto(f"{started}/vision?{urlencode({'view': 'attention', 'm': str(folders['vit'])})}")
        figure(page, "attention-picture").wait_for(timeout=240_000)
        page.close()
        yield started


def figure(page: Page, key: str) -> Locator:
    """A component's root by its key on the page."""
    return page.locator(f".st-key-vision-{key} .gf").first


def expect_sum(root: Locator, rows: int, columns: int, total: float) -> None:
    """The drawn numbers are these: their grid, and their sum to rounding."""
    near = "|".join(re.escape(f"{total + step / 1000:.3f}") for step in (-1, 0, 1))
    expect(root).to_have_attribute(
        "data-painted", re.compile(f"^{rows} x {columns}, sum ({near})$"), timeout=60_000
    )


def patch_at(root: Locator, patch: int, columns: int) -> Position:
    expect(root).to_have_attribute("data-patches", re.compile(r"\d"))
    ((top, wide, high),) = json.loads(root.get_attribute("data-patches") or "null")
    row, column = divmod(patch, columns)
    return {"x": (column + 0.5) * wide, "y": top + (row + 0.5) * high}


def click_patch(root: Locator, patch: int, columns: int) -> None:
    root.locator(".sheet").click(position=patch_at(root, patch, columns))


def test_a_clicked_patch_shows_where_it_looks_and_who_looks_at_it(app, folders):
    page = app.open("vision", view="attention", model=str(folders["vit"]))
    layer = core.load(folders["vit"]).trace(PICTURE).attention(2)
    root = figure(page, "attention-picture")
    cls = look(layer, 0).fused("mean")
    expect_sum(root, 4, 4, float(cls.patches.sum()))
    told = f"On prefix tokens {three(float(cls.prefix.sum()))} ([CLS]"
    expect(page.get_by_text(told)).to_be_visible()
    click_patch(root, 6, 4)
    expect_sum(root, 4, 4, float(look(layer, 7).fused("mean").patches.sum()))
    expect(root).to_have_attribute("data-selected", "6")
    page.get_by_role("radio", name="Who looks at it").click()
    expect_sum(root, 4, 4, float(look(layer, 7, "to").fused("mean").patches.sum()))
    expect(page.get_by_text("Prefix tokens look at it with [CLS]")).to_be_visible()
    page.get_by_role("radio", name="[CLS]").click()
    expect_sum(root, 4, 4, float(look(layer, 0, "to").fused("mean").patches.sum()))
    expect(root).to_have_attribute("data-selected", "-1")
    page.get_by_role("radio", name="all patches, averaged").click()
    expect_sum(root, 4, 4, float(look(layer, None, "to").fused("mean").patches.sum()))


def test_a_thumbnail_picks_layer_and_head_and_the_link_keeps_everything(app, folders):
    page = app.open("vision", view="attention", model=str(folders["vit"]), token="3", keep="50")
    layers = core.load(folders["vit"]).trace(PICTURE)
    grid, root = figure(page, "attention-heads"), figure(page, "attention-picture")
    expect(grid).to_have_attribute("data-painted", re.compile("12 heads of 4 x 4 codes"))
    left, top, wide, high, gap = json.loads(grid.get_attribute("data-geometry") or "null")
    at: Position = {"x": left + 2 * (wide + gap) + wide / 2, "y": top + high + gap + high / 2}
    grid.locator(".stack").click(position=at)
    shown = look(layers.attention(1), 3).patches[2]
    expect_sum(root, 4, 4, float(shown.sum()))
    kept = int(top_mass(shown, 0.5).sum())
    expect(page.get_by_text(f"The {kept} brightest of 16 patches hold 50 %")).to_be_visible()
    page.get_by_text("One scale for all heads").click()
    app.settled()
    expect(page).to_have_url(re.compile("ahead=2"))
    for part in ("atoken=3", "alayer=1", "afuse=one", "ashared=1", "akeep=50"):
        assert part in page.url
    page.reload()
    app.settled()
    expect_sum(figure(page, "attention-picture"), 4, 4, float(shown.sum()))
    expect(figure(page, "attention-picture")).to_have_attribute("data-selected", "2")
    expect(figure(page, "attention-heads")).to_have_attribute("data-selected", "[[1,2]]")


def test_one_click_in_two_models(app, folders):
    page = app.open(
        "vision",
        view="attention",
        model=str(folders["registers"]),
        other_model=str(folders["swin"]),
    )
    model = core.load(folders["registers"]).trace(PICTURE)
    swin = core.load(folders["swin"]).trace(PICTURE)
    expect(page.get_by_text("It has no [CLS]: all patches, averaged, instead.")).to_be_visible(
        timeout=60_000
    )
    first, second = figure(page, "attention-picture"), figure(page, "attention-picture2")
    click_patch(first, 9, 8)  # row 1, column 1 of 8 × 8
    expect_sum(first, 8, 8, float(look(model.attention(1), 5 + 9).fused("mean").patches.sum()))
    # its centre lies in row 3, column 3 of 16 × 16; the last stage has 8 × 8, each 4 times as large
    there = look(swin.attention(3), 9).fused("mean").patches.sum()
    expect_sum(second, 16, 16, 4 * float(there))
    expect(second).to_have_attribute("data-selected", str(3 * 16 + 3))
    expect(page.get_by_text("register 4")).not_to_have_count(0)
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name="NPZ").click()
    with np.load(waiting.value.path()) as arrays:
        np.testing.assert_allclose(arrays["layer1_patches"], look(model.attention(1), 14).patches)
        assert arrays["layer3_patches2"].shape == (4, 8, 8)


def test_a_model_without_patch_attention_is_declined_with_the_reason(app, folders):
    page = app.open("vision", view="attention", model=str(folders["xcit"]))
    expect(page.get_by_text("attends over channels")).to_be_visible(timeout=60_000)


def test_a_patch_becomes_a_token_and_one_number_is_worked_out(app, folders):
    page = app.open("vision", model=str(folders["vit"]), token="6")
    model = core.load(folders["vit"])
    embedded = model.patch_embedding(PICTURE)
    strip, products = figure(page, "patches-strip"), figure(page, "patches-products")
    tokens = model.trace(PICTURE).hidden_states()[0]
    rows = np.stack([embedded.projected[5], embedded.positions[5], tokens[6]])
    near = f"^3 x 32, sum {float(rows.sum()):.2f}"
    expect(strip).to_have_attribute("data-painted", re.compile(near[:-1]), timeout=60_000)
    worked = embedded.worked(5, 0)
    expect(page.get_by_text("Output 0 = Σ pixel × weight + bias")).to_be_visible()
    left, top, wide, high = json.loads(strip.get_attribute("data-geometry") or "null")
    strip.locator(".stack").click(position={"x": left + 9.5 * wide, "y": top + high / 2})
    worked = embedded.worked(5, 9)
    expect(page.get_by_text("Output 9 = Σ pixel × weight + bias")).to_be_visible()
    expect_sum(products, 8, 8, float(worked.products.sum()))
    click_patch(figure(page, "patches-picture"), 10, 4)
    expect_sum(products, 8, 8, float(embedded.worked(10, 9).products.sum()))
    expect(page).to_have_url(re.compile("ptoken=11"))
    assert "pout=9" in page.url
    page.get_by_role("radio", name="[CLS]").click()
    expect(page.get_by_text("is no piece of the picture")).to_be_visible()
    expect(strip).to_have_attribute("data-painted", re.compile("^3 x 32, sum "))
    expect(products).to_have_count(0)


def test_filters_and_lengths_of_a_swin(app, folders):
    page = app.open("vision", model=str(folders["swin"]), layer="1")
    expect(page.get_by_text("patches are all it has")).to_be_visible(timeout=60_000)
    expect(figure(page, "patches-filters")).to_have_attribute("data-painted", "2 x 7")
    expect(page.get_by_label(re.compile("first 12 principal components")).first).to_be_attached()
    expect(page.get_by_text("This model adds no positions here")).to_be_visible()
    norms = figure(page, "patches-norms")
    expect(norms).to_have_attribute("data-painted", re.compile("^16 x 16, sum "))
    expect(page.get_by_text(re.compile(r"of 256 patches stand out"))).to_be_visible()
    page.get_by_role("slider", name="After").press("End")
    expect(norms).to_have_attribute("data-painted", re.compile("^8 x 8, sum "))
