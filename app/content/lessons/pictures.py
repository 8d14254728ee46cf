"""A lesson's own pictures: named in the text of its steps, their data in the file's last block.

    ![A cat, cut into patches][cat]

    ---
    [cat]: data:image/jpeg;base64,/9j/4AAQSkZJRg…

The first on a line of its own, in brackets what it shows, for who can't see it. These are
Markdown's reference images (CommonMark 0.31, 6.4), so other programs show them, too.
"""

import io
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from core.errors import InputError
from core.limits import LESSON_PICTURE_PIXELS, LESSON_PICTURES

NAME: Final = r"[a-z0-9][a-z0-9-]{0,39}"
LINE: Final = re.compile(rf"!\[([^\[\]\n]*[^\[\]\s][^\[\]\n]*)\]\[({NAME})\][ \t]*")
LINES: Final = re.compile(rf"^{LINE.pattern}$", re.MULTILINE)
DATA: Final = re.compile(
    rf"\[({NAME})\]: data:image/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={{0,2}})"
)
BEGINNINGS: Final = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff", "webp": b"RIFF"}
LONGEST: Final = 1200  # pixels of one that is added here: more than a step's place has
QUALITY: Final = 85
FORM: Final = "[name]: data:image/png;base64,… (or jpeg, webp), a line each"


@dataclass(frozen=True)
class Picture:
    """One of them, as its file holds it."""

    content: bytes  # PNG, JPEG or WebP

    @property
    def kind(self) -> str:
        return next(kind for kind, first in BEGINNINGS.items() if self.content.startswith(first))

    @cached_property
    def shown(self) -> bytes:
        """What browsers get: its pixels, written anew. Raises InputError for what is none."""
        from core.data.images import open_picture  # and Pillow, with the first picture

        image = open_picture(self.content, pixels=LESSON_PICTURE_PIXELS).image
        file = io.BytesIO()
        image.save(file, self.kind, quality=QUALITY)
        return file.getvalue()


class Shown(NamedTuple):
    """A picture's place in a text."""

    alt: str  # what it shows
    name: str


def made(content: bytes, file: str) -> Picture:
    """Of a reader's file: small, nothing but pixels. Raises InputError; `file` is for messages."""
    from core.data.images import open_picture

    image = open_picture(content, file).image
    image.thumbnail((LONGEST, LONGEST))
    files = io.BytesIO(), io.BytesIO()
    image.save(files[0], "png", optimize=True)  # drawings
    image.save(files[1], "jpeg", quality=QUALITY)  # photographs
    return Picture(min((one.getvalue() for one in files), key=len))


def named(file: str, known: Mapping[str, Picture]) -> str:
    """A name that none of the others has."""
    bare = re.sub("[^a-z0-9]+", "-", file.rpartition(".")[0].lower()).strip("-")[:30] or "picture"
    names = (bare, *(f"{bare}-{number}" for number in range(2, len(known) + 3)))
    return next(name for name in names if name not in known)


def line(alt: str, name: str) -> str:
    """Shows it in a text."""
    words = " ".join(alt.translate(str.maketrans("[]<>`", "()‹›’")).split())
    return f"![{words}][{name}]"


def pieces(text: str) -> Iterator[str | Shown]:
    """A text in order: Markdown, and the pictures between."""
    at = 0
    for found in LINES.finditer(text):
        if before := text[at : found.start()].strip("\n"):
            yield before
        yield Shown(found[1].strip(), found[2])
        at = found.end()
    if rest := text[at:].strip("\n"):
        yield rest


def without(text: str, name: str) -> str:
    """The text with this picture nowhere."""
    lines = (
        one
        for one in text.split("\n")
        if (found := LINE.fullmatch(one)) is None or found[2] != name
    )
    return "\n".join(lines).strip()


def begins(lines: Sequence[str]) -> bool:
    """Whether a block holds pictures, and no step."""
    return next((one for one in lines if one.strip()), "").startswith("[")


def read_pictures(lines: Sequence[str], first: int) -> dict[str, Picture]:
    """The pictures of a block; first: the number of its first line. Raises InputError."""
    pictures: dict[str, Picture] = {}
    for number, one in enumerate(lines, first):
        if not one.strip():
            continue
        given = DATA.fullmatch(one.rstrip())
        if given is None:
            raise _wrong(number, f"this is no picture, as the last block has them: {FORM}.")
        name, kind, data = given.groups()
        if name in pictures:
            raise _wrong(number, f"there is a picture “{name}” already.")
        if len(pictures) == LESSON_PICTURES:
            raise _wrong(number, f"{LESSON_PICTURES} pictures go, and this is one more.")
        try:
            content = b64decode(data, validate=True)
            if not content.startswith(BEGINNINGS[kind]):
                raise InputError(f"Its data is no {kind.upper()}.")
            pictures[name] = Picture(content)
            _ = pictures[name].shown
        except (ValueError, InputError) as error:
            why = str(error) if isinstance(error, InputError) else "Its data is cut off."
            raise _wrong(number, f"the picture “{name}” does not go. {why}") from None
    return pictures


def write_pictures(pictures: Mapping[str, Picture]) -> str:
    """The inverse."""
    lines = (
        f"[{name}]: data:image/{one.kind};base64,{b64encode(one.content).decode()}"
        for name, one in pictures.items()
    )
    return "\n".join(lines)


def _wrong(number: int, said: str) -> InputError:
    return InputError(f"Line {number}: {said}")
