"""Readers' own pictures on the vision page: the right one, or a message and the page as it was."""

import io
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.conftest import App, offering
from tests.tiny_autoencoder import save_autoencoder

RED, BLUE, GREEN, WHITE = (255, 0, 0), (0, 0, 255), (0, 255, 0), (255, 255, 255)
LIMITS = "at most 10 MB and 25 megapixels"


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[str]:
    folder = save_autoencoder(tmp_path_factory.mktemp("mae"))
    with offering([folder], tmp_path_factory.mktemp("server")) as started:
        yield started


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def bomb() -> bytes:
    """A PNG of 200 megapixels in its header, and nothing else."""
    header = b"IHDR" + struct.pack(">IIBBBBB", 20_000, 10_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT" + bytes(4)


def give(page: Page, turn: int, name: str, content: bytes, folder: Path) -> None:
    """Upload a file; each turn has its own widget, the last one is gone with its bytes."""
    path = folder / name
    path.write_bytes(content)
    widget = page.locator(f".st-key-vision-file-{turn}")
    widget.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(path)
    expect(widget).to_have_count(0, timeout=60_000)


def expect_colours(page: Page, places: dict[tuple[float, float], tuple[int, int, int]]) -> None:
    """The original as drawn: at a share of its width and of its height below the title."""
    canvas = page.get_by_role("img", name="The picture as it was")
    look = """(canvas, [places, wanted]) => {
      const title = canvas.height - canvas.width;
      const at = ([x, y]) => [...canvas.getContext('2d').getImageData(
        Math.floor(x * canvas.width), title + Math.floor(y * canvas.width), 1, 1).data];
      const far = (a, b) => Math.max(...b.map((value, i) => Math.abs(value - a[i])));
      return places.every((place, i) => far(at(place), wanted[i]) < 12);
    }"""
    given = [list(map(list, places)), list(map(list, places.values()))]
    expect(canvas).to_be_visible(timeout=60_000)
    for _ in range(100):
        if canvas.evaluate(look, given):
            return
        page.wait_for_timeout(200)
    pytest.fail(f"the picture does not show {places}")


def opened(app: App) -> Page:
    page = app.open("vision", view="mae", picture="coffee")
    expect(page.get_by_role("img", name="The picture as it was")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Your own").click()
    return page


def test_pictures_of_all_kinds_are_shown_upright_and_stay_out_of_links(app, tmp_path):
    page = opened(app)
    halves = Image.new("RGB", (400, 200), RED)
    halves.paste(BLUE, (200, 0, 400, 200))
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise: red on top, blue below
    give(page, 0, "phone.jpg", encoded(halves, "JPEG", quality=95, exif=exif), tmp_path)
    expect(page.get_by_text("Turned upright, as its EXIF orientation says.")).to_be_attached()
    expect_colours(page, {(0.5, 0.2): RED, (0.5, 0.8): BLUE})
    see_through = Image.new("RGBA", (200, 200), (0, 0, 0, 0))
    see_through.paste((*GREEN, 255), (0, 0, 200, 100))
    give(page, 1, "logo.png", encoded(see_through, "PNG"), tmp_path)
    expect(page.get_by_text("Its transparent parts are shown on white.")).to_be_attached()
    expect_colours(page, {(0.5, 0.2): GREEN, (0.5, 0.8): WHITE})
    wide = Image.new("RGB", (900, 200), RED)
    wide.paste(BLUE, (350, 0, 550, 200))
    give(page, 2, "wide.webp", encoded(wide, "WEBP", lossless=True), tmp_path)
    expect_colours(page, {(0.1, 0.5): BLUE, (0.5, 0.1): BLUE, (0.9, 0.9): BLUE})
    assert "picture=coffee" in page.url
    assert re.search("[0-9a-f]{32}|wide|own", page.url) is None
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Back to the sample").click()
    expect(page.get_by_text("Your own picture is shown")).to_have_count(0)
    page.reload()
    app.settled()
    expect(page.get_by_role("img", name="The picture as it was")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Your own picture is shown")).to_have_count(0)


def test_every_bad_file_gets_its_message_and_the_picture_stays(app, tmp_path):
    page = opened(app)
    give(page, 0, "mine.png", encoded(Image.new("RGB", (50, 50), GREEN), "PNG"), tmp_path)
    expect_colours(page, {(0.5, 0.5): GREEN})
    noise = np.random.default_rng(0).integers(0, 256, (80, 80, 3), dtype=np.uint8)
    bad = {
        "drawing.svg": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "is an SVG drawing"),
        "phone.heic": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(64), "is a HEIC picture"),
        "letter.png": (b"Dear reader, this is no picture.", "is text, not a picture"),
        "half.jpg": (encoded(Image.fromarray(noise), "JPEG")[:2000], "is damaged or not complete"),
        "bomb.png": (bomb(), "would unpack to 200 megapixels"),
        "large.bmp": (b"BM" + bytes(50_000_000), "has 50.01 MB"),
        "empty.png": (b"", "is empty"),
    }
    for turn, (name, (content, said)) in enumerate(bad.items(), start=1):
        give(page, turn, name, content, tmp_path)
        message = page.get_by_text(f"“{name}” {said}")
        expect(message).to_be_visible(timeout=60_000)
        expect(message).to_contain_text(LIMITS)
    expect_colours(page, {(0.5, 0.5): GREEN})
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Another draw").click()
    expect(page.get_by_text("75%, draw 1.")).to_be_visible()
