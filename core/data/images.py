"""The one door for a reader's picture: whatever came becomes RGB, upright, or an InputError.

The size is read from the header before anything is decoded, only the formats named here are
tried, and a picture that breaks off is refused, never half shown. Nothing is kept.
"""

import io
import math
import re
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from jaxtyping import UInt8
from PIL import ExifTags, Image, ImageCms, ImageOps

from core.errors import InputError
from core.limits import PICTURE_BYTES, PIXELS

MAX_ASPECT: Final = 20  # resizing the short side to 224 px makes the long one 4480, not millions
FORMATS: Final = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
ALLOWED: Final = (
    f"Allowed are JPEG, PNG, WebP, GIF, BMP and TIFF, at most {PICTURE_BYTES // 1_000_000} MB "
    f"and {PIXELS // 1_000_000} megapixels."
)
BROKEN: Final = (  # what Pillow's decoders raise for bytes that lie
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError, OverflowError,
    MemoryError, ArithmeticError, AttributeError, NotImplementedError,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class OpenedPicture:
    """A picture in RGB, upright, and what had to be changed for that, a sentence each."""

    image: Image.Image
    notes: tuple[str, ...] = ()


def open_picture(content: bytes, name: str = "", pixels: int = PIXELS) -> OpenedPicture:
    """Open a file's bytes of at most so many pixels; `name` is for messages only.

    Raises InputError for a file that is too big, no picture, of another format, or damaged; it
    says what came, what is allowed, and what to do.
    """
    called = f"“{name}”" if name else "This file"
    image = _opened(content, called)
    size = image.width * image.height
    if size > pixels:
        allowed = ALLOWED if pixels == PIXELS else f"Here {pixels / 1e6:g} megapixels go."
        raise InputError(
            f"{called} is {image.width} × {image.height}, {_up(size / 1e6)} megapixels. "
            f"{allowed} Make it smaller; 1000 pixels a side are plenty."
        )
    notes: list[str] = []
    try:
        notes += _frame_notes(image)
        image.load()
        rgb = upright_rgb(image, called, notes)
    except (Image.DecompressionBombError, *BROKEN) as error:
        raise InputError(
            f"{called} is damaged or not complete ({_reason(error)}). {ALLOWED} "
            "Open it in a picture program, save it again and upload that."
        ) from error
    return OpenedPicture(rgb, tuple(notes))


def centre_square(image: Image.Image, side: int) -> UInt8[np.ndarray, "side side 3"]:
    """The largest square around the middle, so many pixels a side, as 8-bit RGB."""
    edge = min(image.size)
    left, top = (image.width - edge) // 2, (image.height - edge) // 2
    cut = image.convert("RGB").resize(
        (side, side), Image.Resampling.BICUBIC, box=(left, top, left + edge, top + edge)
    )
    return np.asarray(cut)


def upright_rgb(image: Image.Image, called: str, notes: list[str]) -> Image.Image:
    """A decoded picture in RGB, upright, not too long; what was changed is added to `notes`."""
    upright = ImageOps.exif_transpose(image)
    if image.getexif().get(ExifTags.Base.Orientation, 1) in range(2, 9):
        notes.append("Turned upright, as its EXIF orientation says.")
    rgb = _flat(_standard_colours(_eight_bits(upright, called, notes), notes), notes)
    return _bounded(rgb, notes)


def _opened(content: bytes, called: str) -> Image.Image:
    """The header's word: format and size; nothing is decoded yet."""
    if not content:
        raise InputError(f"{called} is empty. {ALLOWED} Choose another file.")
    if len(content) > PICTURE_BYTES:
        raise InputError(
            f"{called} has {_up(len(content) / 1e6)} MB. {ALLOWED} "
            "Make the picture smaller, or save it as JPEG."
        )
    try:
        return Image.open(io.BytesIO(content), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        pixels = re.search(r"\((\d+) pixels\)", str(error))
        size = f"{int(pixels[1]) / 1e6:.0f} megapixels" if pixels else "far too many pixels"
        raise InputError(
            f"{called} would unpack to {size}. {ALLOWED} "
            "Make it smaller; 1000 pixels a side are plenty."
        ) from error
    except BROKEN as error:
        raise InputError(
            f"{called} {_what_else(content)} {ALLOWED} Save it as JPEG or PNG and upload that."
        ) from error


def _what_else(content: bytes) -> str:
    """What bytes are that no allowed decoder takes."""
    start = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"<svg") or (start.startswith((b"<?xml", b"<!")) and b"<svg" in start):
        return "is an SVG drawing: shapes, not pixels."
    if content[4:8] == b"ftyp":
        brand = content[8:12]
        kind = "an AVIF" if brand in (b"avif", b"avis") else "a HEIC"
        return f"is {kind} picture, or a film." if brand != b"qt  " else "is a film."
    if start.startswith(b"%pdf"):
        return "is a PDF document."
    if start.startswith((b"\xff\xd8", b"\x89png", b"riff", b"gif8", b"bm", b"ii*\0", b"mm\0*")):
        return "begins like a picture, but its header is damaged or breaks off."
    try:
        start.decode()
    except UnicodeDecodeError as error:
        if error.start < len(start) - 4:  # not just a letter cut in two
            return "is no picture of a format known here."
    if b"\0" in start:
        return "is no picture of a format known here."
    return "is text, not a picture, whatever its name says."


def _frame_notes(image: Image.Image) -> list[str]:
    frames = getattr(image, "n_frames", 1)
    if frames == 1 or image.format not in FORMATS:  # an MPO's further pictures are previews
        return []
    what = "page" if image.format == "TIFF" else "frame"
    return [f"Of its {frames} {what}s the first stands for it."]


def _eight_bits(image: Image.Image, called: str, notes: list[str]) -> Image.Image:
    """Grey of 16 bits scaled, not clipped, to 8; palettes resolved; 32-bit numbers refused."""
    if image.mode.startswith("I;16"):
        notes.append("Its 16 bits of grey were scaled to 8.")
        return Image.fromarray(np.rint(np.asarray(image) / 257).astype(np.uint8))
    if image.mode in ("I", "F"):
        raise InputError(
            f"{called} stores 32-bit numbers, whose black and white are anybody's guess. {ALLOWED} "
            "Save it with 8 or 16 bits a channel."
        )
    if image.mode == "P" or (image.mode in ("L", "1", "RGB") and "transparency" in image.info):
        return image.convert("RGBA" if image.has_transparency_data else "RGB")
    return image.convert("L") if image.mode == "1" else image


def _standard_colours(image: Image.Image, notes: list[str]) -> Image.Image:
    """Colours of an embedded ICC profile as sRGB; a profile that doesn't fit is left aside."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("L", "RGB", "RGBA", "CMYK"):
        return image
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        title = ImageCms.getProfileDescription(source).strip()
        if "srgb" in title.lower():
            return image
        srgb = cast("Any", ImageCms.createProfile("sRGB"))  # pyright: ignore[reportUnknownMemberType]
        converted = ImageCms.profileToProfile(
            image,
            source,
            srgb,
            outputMode="RGBA" if image.mode == "RGBA" else "RGB",
        )
    except (ImageCms.PyCMSError, *BROKEN):
        return image
    notes.append(f"Its colours ({title or 'an ICC profile'}) were converted to sRGB.")
    return converted or image


def _flat(image: Image.Image, notes: list[str]) -> Image.Image:
    """RGB; what is transparent shows white."""
    if image.mode == "CMYK":
        notes.append("Its printing colours (CMYK) were converted to RGB.")
    if not image.has_transparency_data:
        return image.convert("RGB")
    rgba = image.convert("RGBA")
    if rgba.getchannel("A").getextrema() != (255, 255):
        notes.append("Its transparent parts are shown on white.")
    return Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba).convert("RGB")


def _bounded(image: Image.Image, notes: list[str]) -> Image.Image:
    """At most so long for its width that resizing it for a model stays small."""
    width, height = image.size
    if max(width, height) > MAX_ASPECT * min(width, height):
        longest = MAX_ASPECT * min(width, height)
        left, top = max(0, (width - longest) // 2), max(0, (height - longest) // 2)
        image = image.crop((left, top, width - left, height - top))
        notes.append(
            f"Of its {width} × {height} pixels only the middle, {image.width} × {image.height}, "
            "is kept: models look at a square."
        )
    image.info.clear()  # EXIF may hold a place and a time
    return image


def _up(size: float) -> str:
    """Rounded up, so that what is too big is seen to be."""
    return f"{math.ceil(size * 100) / 100:g}"


def _reason(error: BaseException) -> str:
    return str(error).split("\n", maxsplit=1)[0][:80] or type(error).__name__
