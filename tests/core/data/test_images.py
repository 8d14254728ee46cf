"""Readers' pictures: every kind of file that may come, made here as real bytes."""

import io
import struct
import warnings
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from core.data.images import ALLOWED, open_picture
from core.errors import InputError
from core.limits import PICTURE_BYTES, PIXELS

RED, BLUE = (255, 0, 0), (0, 0, 255)


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def halves() -> Image.Image:
    """40 × 20, red on the left, blue on the right."""
    image = Image.new("RGB", (40, 20), RED)
    image.paste(BLUE, (20, 0, 40, 20))
    return image


def png_header(width: int, height: int) -> bytes:
    """A PNG that promises so many pixels and holds none."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    empty = b"IDAT" + zlib.compress(b"")
    data = struct.pack(">I", len(empty) - 4) + empty + struct.pack(">I", zlib.crc32(empty))
    return b"\x89PNG\r\n\x1a\n" + chunk + data


def refusal(content: bytes, name: str = "holiday.png") -> str:
    """The message; every one names the file and the limits."""
    with pytest.raises(InputError) as caught:
        open_picture(content, name)
    message = str(caught.value)
    assert f"“{name}”" in message
    assert ALLOWED in message
    return message


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "TIFF", "WEBP"])
def test_every_lossless_format_gives_its_pixels(kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    opened = open_picture(encoded(halves(), kind, **options))
    assert opened.image.mode == "RGB"
    assert np.array_equal(np.asarray(opened.image), np.asarray(halves()))
    assert opened.notes == ()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_undone(orientation: int) -> None:
    """The camera's way of storing, inverted: the eight cases as transpositions."""
    stored_as = {
        1: None,
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,  # shown turned by 90° clockwise
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }[orientation]
    stored = halves() if stored_as is None else halves().transpose(stored_as)
    exif = Image.Exif()
    exif[0x0112] = orientation
    opened = open_picture(encoded(stored, "JPEG", quality=100, subsampling=0, exif=exif))
    assert opened.image.size == (40, 20)
    assert np.abs(np.asarray(opened.image, int) - np.asarray(halves(), int)).max() <= 3
    assert any("upright" in note for note in opened.notes) == (orientation != 1)
    assert not opened.image.getexif()


def test_16_bits_are_scaled_not_clipped() -> None:
    values = np.array([[0, 257, 25_700, 65_535]], dtype=np.uint16)
    for kind in ("PNG", "TIFF"):
        opened = open_picture(encoded(Image.fromarray(values), kind))
        assert np.asarray(opened.image)[0, :, 0].tolist() == [0, 1, 100, 255]
        assert "16 bits" in opened.notes[0]


def test_cmyk_becomes_rgb() -> None:
    magenta_and_yellow = Image.new("CMYK", (8, 8), (0, 255, 255, 0))
    for kind in ("JPEG", "TIFF"):
        opened = open_picture(encoded(magenta_and_yellow, kind))
        assert opened.image.getpixel((4, 4)) == pytest.approx(RED, abs=3)
        assert "CMYK" in " ".join(opened.notes)


def test_transparency_is_shown_on_white() -> None:
    half = open_picture(encoded(Image.new("RGBA", (2, 2), (255, 0, 0, 51)), "PNG"))
    assert half.image.getpixel((0, 0)) == (255, 204, 204)  # 0.2 · red + 0.8 · white
    assert "white" in half.notes[0]
    grey = open_picture(encoded(Image.new("LA", (2, 2), (0, 0)), "PNG"))
    assert grey.image.getpixel((0, 0)) == (255, 255, 255)
    keyed = open_picture(encoded(halves(), "PNG", transparency=RED))
    assert keyed.image.getpixel((0, 0)) == (255, 255, 255)
    assert keyed.image.getpixel((30, 0)) == BLUE
    opaque = open_picture(encoded(Image.new("RGBA", (2, 2), (255, 0, 0, 255)), "PNG"))
    assert opaque.notes == ()


def test_palettes_and_single_bits() -> None:
    paletted = Image.new("P", (2, 1))
    paletted.putpalette([10, 20, 30, 200, 100, 50])
    paletted.putpixel((1, 0), 1)
    opened = open_picture(encoded(paletted, "PNG")).image
    assert [opened.getpixel((x, 0)) for x in (0, 1)] == [(10, 20, 30), (200, 100, 50)]
    see_through = open_picture(encoded(paletted, "PNG", transparency=0)).image
    assert see_through.getpixel((0, 0)) == (255, 255, 255)
    bits = open_picture(encoded(Image.fromarray(np.array([[True, False]])), "PNG")).image
    assert [bits.getpixel((x, 0)) for x in (0, 1)] == [(255, 255, 255), (0, 0, 0)]


@pytest.mark.parametrize(("kind", "what"), [("GIF", "frame"), ("WEBP", "frame"), ("TIFF", "page")])
def test_of_a_film_the_first_frame_is_taken_and_said(kind: str, what: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in (RED, BLUE, (0, 255, 0))]
    options = {"lossless": True} if kind == "WEBP" else {}
    content = encoded(frames[0], kind, save_all=True, append_images=frames[1:], **options)
    opened = open_picture(content)
    assert opened.image.getpixel((0, 0)) == RED
    assert opened.notes == (f"Of its 3 {what}s the first stands for it.",)


def test_colour_profiles_become_srgb() -> None:
    """Lab's neutral grey under D50 is sRGB's; a profile in Lab that doesn't fit is left aside."""
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
    same = open_picture(encoded(halves(), "PNG", icc_profile=srgb.tobytes()))
    assert np.array_equal(np.asarray(same.image), np.asarray(halves()))
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))
    for profile in (lab.tobytes(), b"not a profile"):
        opened = open_picture(encoded(halves(), "PNG", icc_profile=profile))
        assert opened.image.getpixel((0, 0)) == RED
        assert opened.notes == ()


def test_a_wide_gamut_is_narrowed() -> None:
    """A profile made of sRGB with red and green exchanged turns red into green."""
    exchanged = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    for entry in range(int.from_bytes(exchanged[128:132], "big")):
        tag = slice(132 + 12 * entry, 136 + 12 * entry)
        names = {b"rXYZ": b"gXYZ", b"gXYZ": b"rXYZ"}
        exchanged[tag] = names.get(bytes(exchanged[tag]), bytes(exchanged[tag]))
    exchanged = exchanged.replace("sRGB".encode("utf-16-be"), "mine".encode("utf-16-be"))
    opened = open_picture(encoded(halves(), "PNG", icc_profile=bytes(exchanged)))
    assert opened.image.getpixel((0, 0)) == pytest.approx((0, 255, 0), abs=4)
    assert "sRGB" in opened.notes[0]


def test_the_smallest_and_the_longest() -> None:
    assert open_picture(encoded(Image.new("RGB", (1, 1), RED), "PNG")).image.size == (1, 1)
    line = Image.new("RGB", (10_000, 1), BLUE)
    line.putpixel((5_000, 0), RED)
    for image in (line, line.transpose(Image.Transpose.ROTATE_90)):
        opened = open_picture(encoded(image, "PNG"))
        assert sorted(opened.image.size) == [1, 20]
        assert RED in opened.image.get_flattened_data()
        assert "10000" in opened.notes[0]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
@pytest.mark.parametrize("share", [0.9, 0.5, 0.02])
def test_a_truncated_picture_is_refused(kind: str, share: float) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (100, 100, 3), dtype=np.uint8)
    content = encoded(Image.fromarray(noise), kind)
    message = refusal(content[: int(share * len(content))])
    assert "damaged" in message


@pytest.mark.parametrize(
    ("width", "height", "megapixels"),
    [
        (5001, 5000, "25.01"),
        (10_000, 10_000, "100"),
        (20_000, 10_000, "200"),
        (60_000, 60_000, "3600"),
    ],
)
def test_a_bomb_is_refused_by_its_header(width: int, height: int, megapixels: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        message = refusal(png_header(width, height))
    assert f"{megapixels} megapixels. Allowed" in message


def test_bombs_of_other_formats_are_refused_before_decoding() -> None:
    frame = encoded(Image.new("RGBA", (8, 8), (255, 0, 0, 128)), "WEBP", lossless=False)
    at = frame.index(b"VP8X") + 12
    huge = frame[:at] + (16_382).to_bytes(3, "little") * 2 + frame[at + 6 :]
    refusal(huge)
    gif = bytearray(encoded(halves(), "GIF"))
    gif[6:10] = struct.pack("<HH", 65_535, 65_535)
    refusal(bytes(gif))


def test_25_megapixels_and_10_megabytes_are_allowed() -> None:
    assert (PIXELS, PICTURE_BYTES) == (5000 * 5000, 10_000_000)
    assert open_picture(encoded(Image.new("L", (5000, 5000)), "PNG")).image.size == (5000, 5000)
    padded = encoded(halves(), "BMP").ljust(PICTURE_BYTES, b"\0")
    assert open_picture(padded).image.size == (40, 20)
    assert "10.01 MB" in refusal(padded + b"\0" * 1)
    assert "50.01 MB" in refusal(b"\xff\xd8\xff" + bytes(50_000_000), "photo.jpg")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\n", "text"),
        ("Grüße, no picture".encode(), "is text"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', "SVG"),
        (b"<svg/>", "SVG"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(64), "HEIC"),
        (b"\0\0\0\x1cftypavif" + bytes(64), "AVIF"),
        (b"%PDF-1.7\n", "PDF"),
        (bytes(range(256)), "no picture of a format known here"),
        (b"\x89PNG\r\n\x1a\n", "breaks off"),
    ],
)  # fmt: skip
def test_what_is_no_picture_is_called_by_its_name(content: bytes, said: str) -> None:
    assert said in refusal(content)


def test_formats_outside_the_list_are_not_even_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """An EPS would start Ghostscript, an ICNS unpacks JPEG 2000: neither plugin hears of it."""
    tried: list[str] = []
    for kind, (factory, accept) in list(Image.OPEN.items()) or []:

        def heard(*given: Any, kind: str = kind, factory: Any = factory) -> Any:
            tried.append(kind)
            return factory(*given)

        monkeypatch.setitem(Image.OPEN, kind, (heard, accept))
    image = Image.new("RGB", (4, 4))
    for kind in ("EPS", "JPEG2000", "ICO", "PPM", "TGA"):
        refusal(encoded(image, kind))
    assert set(tried) <= {"JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"}
    assert open_picture(encoded(image, "PNG"))
    assert "PNG" in tried


def test_numbers_without_a_white_are_refused() -> None:
    assert "32-bit" in refusal(encoded(Image.new("F", (3, 3), 0.5), "TIFF"))


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"]),
    damage=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6),
)
def test_damaged_bytes_give_a_picture_or_a_message(
    kind: str, damage: list[tuple[int, int]]
) -> None:
    content = bytearray(encoded(halves(), kind))
    for position, value in damage:
        content[position % len(content)] = value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            opened = open_picture(bytes(content))
        except InputError:
            return
    assert opened.image.mode == "RGB"
