"""The reader's own picture: every kind is shown upright, every bad file is told what it is."""

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.explain import attention_rollout
from core.targets import ClassTarget
from tests.pages.page import Page
from tests.pages.vision.shown import Folders, loaded, opened

RED, BLUE, GREEN, WHITE = (200, 30, 30), (30, 30, 200), (30, 160, 30), (255, 255, 255)
LIMITS = "at most 10 MB and 25 megapixels"


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def bomb() -> bytes:
    """A PNG of 200 megapixels in its header, and nothing else."""
    header = b"IHDR" + struct.pack(">IIBBBBB", 20_000, 10_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT" + bytes(4)


def give(page: Page, name: str, content: bytes) -> None:
    """Upload a file; each has a widget of its own, gone with the file's bytes."""
    (widget,) = (each for each in page.file_uploader if (each.key or "").startswith("vision.pic"))
    widget.set_value((name, content, "application/octet-stream")).run()


def seen(page: Page) -> np.ndarray:
    """The crop that the model saw, as drawn."""
    return page.figures["vision.mae.Original"].arrays["picture0"].astype(int)


def expect_colours(page: Page, places: dict[tuple[float, float], tuple[int, int, int]]) -> None:
    """At a share of the picture's width and of its height."""
    picture = seen(page)
    for (x, y), colour in places.items():
        found = picture[int(y * len(picture)), int(x * len(picture))]
        assert np.abs(found - colour).max() < 12, (x, y)


def test_a_phones_picture_stands_upright(folders: Folders):
    page = opened("mae", folders["mae"], picture="coffee")
    halves = Image.new("RGB", (400, 200), RED)
    halves.paste(BLUE, (200, 0, 400, 200))
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise: red on top, blue below
    give(page, "phone.jpg", encoded(halves, "JPEG", quality=95, exif=exif))
    assert "Turned upright, as its EXIF orientation says." in page.text
    expect_colours(page, {(0.5, 0.2): RED, (0.5, 0.8): BLUE})
    assert page.link["picture"] == "coffee"  # the own picture stays out of links
    sample = seen(opened("mae", folders["mae"], picture="coffee"))
    next(b for b in page.button if b.label == "Back to the sample").click().run()
    assert "Your own picture is shown" not in page.text
    np.testing.assert_array_equal(seen(page), sample)


def test_transparency_is_white_and_a_wide_picture_is_cropped(folders: Folders):
    page = opened("mae", folders["mae"])
    see_through = Image.new("RGBA", (200, 200), (0, 0, 0, 0))
    see_through.paste((*GREEN, 255), (0, 0, 200, 100))
    give(page, "logo.png", encoded(see_through, "PNG"))
    assert "Its transparent parts are shown on white." in page.text
    expect_colours(page, {(0.5, 0.2): GREEN, (0.5, 0.8): WHITE})
    wide = Image.new("RGB", (900, 200), RED)
    wide.paste(BLUE, (350, 0, 550, 200))
    give(page, "wide.webp", encoded(wide, "WEBP", lossless=True))
    expect_colours(page, {(0.1, 0.5): BLUE, (0.5, 0.1): BLUE, (0.9, 0.9): BLUE})
    page.button_group(key="vision.picture").set_value("horse").run()
    assert "Your own picture is shown" not in page.text


NOISE = np.random.default_rng(0).integers(0, 256, (80, 80, 3), dtype=np.uint8)
BAD = {
    "drawing.svg": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "is an SVG drawing"),
    "phone.heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(64), "is a HEIC picture"),
    "letter.png": (b"Dear reader, this is no picture.", "is text, not a picture"),
    "half.jpg": (encoded(Image.fromarray(NOISE), "JPEG")[:2000], "is damaged or not complete"),
    "bomb.png": (bomb(), "would unpack to 200 megapixels"),
    "large.bmp": (b"BM" + bytes(50_000_000), "has 50.01 MB"),
    "empty.png": (b"", "is empty"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gets_its_message_and_the_picture_stays(folders: Folders, name: str):
    page = opened("mae", folders["mae"])
    give(page, "mine.png", encoded(Image.new("RGB", (50, 50), GREEN), "PNG"))
    expect_colours(page, {(0.5, 0.5): GREEN})
    content, said = BAD[name]
    give(page, name, content)
    assert f"“{name}” {said}" in page.notices
    assert LIMITS in page.notices
    expect_colours(page, {(0.5, 0.5): GREEN})
    next(b for b in page.button if b.label == "Another draw").click().run()
    assert "draw 1" in page.text


def test_a_film_runs_frame_by_frame_under_rollout(folders: Folders):
    """Every frame's rollout is the core's of that frame; a still picture has no such film."""
    page = opened("rollout", folders["vit"])
    assert "vision.rollout.film" in page.figures
    assert not [each for each in page.get("button_group") if each.key == "vision.rollout.plays"]
    colours = (RED, BLUE, GREEN)
    stills = [Image.new("RGB", (64, 64), colour) for colour in colours]
    for still in stills:
        still.paste(WHITE, (0, 0, 20, 20))
    give(page, "film.gif", encoded(stills[0], "GIF", save_all=True, append_images=stills[1:]))
    assert "Of its 3 frames the first stands for it." in page.text
    assert "“Why this class?” can play 3 of them, evenly spaced, as a film." in page.text
    assert "vision.rollout.shots" not in page.figures
    page.button_group(key="vision.rollout.plays").set_value("frames").run()
    model = loaded(folders["vit"])
    film = page.figures["vision.rollout.shots"]
    expected = [attention_rollout(model.trace(still))[0] for still in stills]
    found = film.arrays["values"].reshape(3, -1)
    np.testing.assert_allclose(found, np.stack(expected)[:, 1:], atol=2e-3)
    drawn = film.arrays["pictures"]
    for number, colour in enumerate(colours):
        assert np.abs(drawn[number, -1, -1].astype(int) - colour).max() < 12
    page.button_group(key="vision.rollout.shown").set_value("attention").run()
    last = [model.trace(still).attention(1).weights.mean(0)[0, 1:] for still in stills]
    found = page.figures["vision.rollout.shots"].arrays["values"].reshape(3, -1)
    np.testing.assert_allclose(found, np.stack(last), atol=2e-3)
    with np.load(io.BytesIO(page.file("frames.npz"))) as arrays:
        assert arrays["frames"].shape == (3, 17)
    next(b for b in page.button if b.label == "Back to the sample").click().run()
    assert "vision.rollout.shots" not in page.figures
    assert "plays" not in page.link


def test_a_wide_film_is_shown_whole_in_every_frame(folders: Folders):
    page = opened("rollout", folders["vit"], whole="1", plays="frames")
    stills = [Image.new("RGB", (120, 60), colour) for colour in (RED, BLUE)]
    give(page, "wide.gif", encoded(stills[0], "GIF", save_all=True, append_images=stills[1:]))
    page.button_group(key="vision.rollout.plays").set_value("frames").run()
    film = page.figures["vision.rollout.shots"]
    assert film.arrays["values"].shape == (2, 4, 8)
    assert film.arrays["pictures"].shape == (2, 32, 64, 3)


STILLS = tuple(Image.new("RGB", (64, 64), colour) for colour in (RED, BLUE, GREEN))
for _still in STILLS:
    _still.paste(WHITE, (0, 0, 20, 20))


def given_a_film(view: str, folder: Path, **link: str) -> Page:
    page = opened(view, folder, film="1", **link)
    assert not [each for each in page.toggle if each.key.endswith(".film.film")]
    give(page, "film.gif", encoded(STILLS[0], "GIF", save_all=True, append_images=STILLS[1:]))
    assert f"vision.{view}.film.shots" not in page.figures
    switch = page.toggle(key=f"vision.{view}.film.film")
    if not switch.disabled:
        switch.set_value(True).run()
    return page


def test_a_films_frames_are_looked_at_one_by_one(folders: Folders):
    """Each frame's map is the core's of that frame, of the same head and token."""
    page = given_a_film("attention", folders["vit"], layer="1", head="2", fusion="one", token="0")
    film = page.figures["vision.attention.film.shots"]
    model = loaded(folders["vit"])
    expected = np.stack([model.trace(still).attention(1).weights[2, 0] for still in STILLS])
    np.testing.assert_allclose(film.arrays["values"].reshape(3, -1), expected[:, 1:], atol=2e-3)
    np.testing.assert_allclose(film.arrays["prefix"], expected[:, :1], atol=2e-3)
    assert "vision.attention.picture" not in page.figures
    page.choose("vision.attention.film.shots", [1, 6])  # frame 1, the sixth patch
    assert page.link["token"] == "6"
    film = page.figures["vision.attention.film.shots"]
    expected = np.stack([model.trace(still).attention(1).weights[2, 6] for still in STILLS])
    np.testing.assert_allclose(film.arrays["values"].reshape(3, -1), expected[:, 1:], atol=2e-3)
    with np.load(io.BytesIO(page.file("patch-attention.npz"))) as arrays:
        assert arrays["frames"].shape == (3, 4, 4)
    page.toggle(key="vision.attention.film.film").set_value(False).run()
    assert "vision.attention.picture" in page.figures


@pytest.mark.parametrize("method", ["relevance", "gradcam", "occlusion"])
def test_a_films_evidence_is_of_one_class_in_every_frame(folders: Folders, method: str):
    page = given_a_film("why", folders["vit"], method=method, **{"class": "2"})
    if method == "occlusion":
        assert page.toggle(key="vision.why.film.film").disabled
        assert "vision.why.film.shots" not in page.figures
        return
    film = page.figures["vision.why.film.shots"]
    model = loaded(folders["vit"])
    expected = [model.evidence(still, method, ClassTarget(2)) for still in STILLS]
    np.testing.assert_allclose(film.arrays["values"], np.stack(expected), atol=2e-3)
    chances = [model.measure(still, [()], ClassTarget(2))[0] for still in STILLS]
    for line, chance in zip(film.header["lines"], chances, strict=True):
        assert abs(float(line.split()[1]) - 100 * chance) < 0.5
    assert film.header["uniform"] is None
    next(b for b in page.button if b.label == "Back to the sample").click().run()
    assert "vision.why.film.shots" not in page.figures
