"""Where a patch looks and who looks at it, in one model or two."""

from io import BytesIO

import numpy as np

from core.explain.attention.patch_attention import look, top_mass
from tests.pages.page import Page
from tests.pages.vision.shown import PICTURE, Folders, drawn, expect_drawn, loaded, opened


def test_a_clicked_patch_in_both_directions(folders: Folders):
    page = opened("attention", folders["vit"])
    layer = loaded(folders["vit"]).trace(PICTURE).attention(1)
    expect_drawn(page, "attention.picture", look(layer, 0).fused("mean").patches)
    assert "On prefix tokens" in page.text
    page.choose("vision.attention.picture", 6)
    expect_drawn(page, "attention.picture", look(layer, 7).fused("mean").patches)
    page = opened("attention", folders["vit"], token="7", direction="to", fusion="max")
    expect_drawn(page, "attention.picture", look(layer, 7, "to").fused("max").patches)
    assert "Prefix tokens look at it with [CLS]" in page.text
    page = opened("attention", folders["vit"], token="-2", direction="to")
    expect_drawn(page, "attention.picture", look(layer, None, "to").fused("mean").patches)


def test_a_thumbnail_picks_layer_and_head_and_the_link_keeps_everything(folders: Folders):
    page = opened("attention", folders["vit"], token="3", keep="50", shared="1")
    page.choose("vision.attention.heads", [[0, 2]])
    shown = look(loaded(folders["vit"]).trace(PICTURE).attention(0), 3).patches[2]
    expect_drawn(page, "attention.picture", shown)
    kept = int(top_mass(shown, 0.5).sum())
    assert f"The {kept} brightest of 16 patches hold 50 %" in page.text
    link = page.link
    asked = {"token": "3", "layer": "0", "head": "2", "fusion": "one", "keep": "50", "shared": "1"}
    assert link.items() >= asked.items()
    expect_drawn(opened("attention", **{k: v for k, v in link.items() if k != "view"}),
                 "attention.picture", shown)  # fmt: skip


def test_one_click_in_two_models(folders: Folders):
    page = opened("attention", folders["registers"], other_model=str(folders["swin"]))
    model, swin = (loaded(folders[name]).trace(PICTURE) for name in ("registers", "swin"))
    assert "It has no [CLS]: all patches, averaged, instead." in page.text
    assert "register 4" in page.text
    page.choose("vision.attention.picture", 5)  # row 1, column 1 of 4 × 4
    expect_drawn(page, "attention.picture", look(model.attention(1), 5 + 5).fused("mean").patches)
    # its centre lies in row 6, column 6 of 16 × 16; the last stage has 8 × 8, each four times
    there = look(swin.attention(3), 3 * 8 + 3).fused("mean").patches[0]
    expect_drawn(page, "attention.picture2", there.repeat(2, axis=0).repeat(2, axis=1))
    with np.load(BytesIO(page.file("patch-attention.npz"))) as arrays:
        np.testing.assert_allclose(
            arrays["layer1_patches"], look(model.attention(1), 10).patches, atol=1e-6
        )
        assert arrays["layer3_patches2"].shape == (4, 8, 8)


def test_a_model_without_patch_attention_is_declined_with_the_reason(folders: Folders):
    assert "attends over channels" in opened("attention", folders["xcit"]).notices


def test_a_missing_second_model_counts_as_none(folders: Folders):
    page = opened("attention", folders["vit"], other_model="/nowhere")
    assert drawn(page, "attention.picture").shape == (4, 4)
    assert "vision.attention.picture2" not in page.figures


def test_the_colours_opacity_is_the_readers_and_in_the_link():
    page = Page("vision", view="attention", overlay="100")
    assert page.link["overlay"] == "100"
    assert any("--gf-overlay: 1;" in one.proto.body for one in page.get("html"))
    page.go("vision", view="attention")
    page.slider(key="vision.overlay").set_value(65).run()
    assert not any("--gf-overlay" in one.proto.body for one in page.get("html"))
