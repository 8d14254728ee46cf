"""Maps measured against a mask that the reader paints or uploads: the core's own numbers."""

import io
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from core.explain.attribution.localization import mask_iou, mass_inside, patch_cover, pointing
from core.outputs.vision import WholePicture
from core.targets import ClassTarget
from tests.pages.page import Page
from tests.pages.vision.shown import PICTURE, Folders, line_of, loaded, opened

PAINT = "vision.truth.place.paint"


def uploaded(page: Page, mask: Image.Image, kind: str = "PNG") -> Page:
    file = io.BytesIO()
    mask.save(file, kind)
    uploaders = [one for one in page.get("file_uploader") if "place.own" in one.key]
    return uploaders[0].set_value(("mask.png", file.getvalue(), "image/png")).run()


def expected(folder, cover: np.ndarray, image=PICTURE) -> str:
    """The line of generic relevance."""
    model = loaded(folder)
    best = int(model.trace(image).logits.argmax())
    found = model.evidence(image, "relevance", ClassTarget(best))
    scores = pointing(found, cover), mass_inside(found, cover), mask_iou(found, cover)
    point, mass, iou = (100 * score for score in scores)
    return f"| {point:.0f} % | {mass:.1f} % | {iou:.1f} % |"


def test_patches_that_are_painted(folders: Folders):
    page = opened("truth", folders["vit"], part="place")
    assert "Mark the object" in page.notices
    page.choose(PAINT, [5, 6, 9])
    cover = np.zeros((4, 4), dtype=np.float32)
    cover.flat[[5, 6, 9]] = 1
    assert expected(folders["vit"], cover) in line_of(page, "Generic relevance")
    assert "| 18.8 % |" in line_of(page, "Uniform")  # 3 of 16 patches, and IoU 3 of 16
    again = opened("truth", folders["vit"], part="place", object=page.link["object"])
    assert line_of(again, "Generic relevance") == line_of(page, "Generic relevance")
    with np.load(BytesIO(page.file("own-mask.npz"))) as arrays:
        np.testing.assert_array_equal(arrays["cover"], cover)
    (line,) = (row for row in page.table("own-mask.csv") if row["method"] == "Uniform")
    assert float(line["mass_on_object"]) == pytest.approx(3 / 16)


@pytest.mark.parametrize("whole", ["0", "1"])
def test_an_uploaded_mask_goes_the_picture_s_way(folders: Folders, whole: str):
    """Chelsea is 451 × 300: the crop is her middle 300 pixels, 4 × 4 patches of 75."""
    mask = np.zeros((300, 451), dtype=np.uint8)
    mask[75:150, 75:225] = 7
    page = uploaded(
        opened("truth", folders["vit"], part="place", whole=whole), Image.fromarray(mask)
    )
    image = WholePicture(PICTURE) if whole == "1" else PICTURE
    model = loaded(folders["vit"])
    as_picture = Image.fromarray((mask > 0).astype(np.uint8) * 255).convert("RGB")
    seen = model.seen(WholePicture(as_picture) if whole == "1" else as_picture)
    columns = 6 if whole == "1" else 4
    cover = patch_cover((seen.picture[..., 0] >= 128).astype(np.float32), 4, columns)
    assert cover.shape == (4, columns)
    assert cover.mean() == pytest.approx(2 / 24 if whole == "1" else 2 / 16, abs=0.02)
    assert expected(folders["vit"], cover, image) in line_of(page, "Generic relevance")
    page.press("Back to painting")
    assert "Mark the object" in page.notices


def test_another_picture_drops_the_mask(folders: Folders):
    mask = Image.new("L", (451, 300), 255)
    page = uploaded(opened("truth", folders["vit"], part="place"), mask)
    assert "The mask covers 100.0 %" in page.text
    page.button_group(key="vision.picture").set_value("rocket").run()
    assert "Mark the object" in page.notices


@pytest.mark.parametrize(
    ("mask", "kind", "said"),
    [
        (
            Image.new("L", (300, 300), 255),
            "PNG",
            "300 × 300 pixels (width × height), the picture 451",
        ),
        (Image.new("L", (451, 300), 0), "PNG", "marks nothing"),
        (Image.new("L", (451, 300), 255), "JPEG", "no PNG that can be read"),
    ],
)
def test_a_bad_mask_is_told_where_it_was_given(
    folders: Folders, mask: Image.Image, kind: str, said: str
):
    page = uploaded(opened("truth", folders["vit"], part="place"), mask, kind)
    assert said in page.notices
    assert "Mark the object" in page.notices


def test_an_object_outside_of_the_crop_is_told(folders: Folders):
    mask = Image.new("L", (451, 300), 0)
    mask.paste(255, (0, 0, 40, 300))
    page = uploaded(opened("truth", folders["vit"], part="place"), mask)
    assert "the object lies outside" in page.notices


@pytest.mark.parametrize("given", ["x", "4x4", "4x4.zzz", "0x0.b", "99x99.bAA", "4x4.b____"])
def test_nonsense_in_the_link(folders: Folders, given: str):
    page = opened("truth", folders["vit"], part="place", object=given)
    assert PAINT in page.figures
