"""A lesson on its way: a file's bytes, or all of it in a link, compressed (zlib, RFC 1950)."""

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from app.content.lessons.reading import LARGEST
from core.errors import InputError
from core.limits import LESSON_BYTES, LESSON_LINK, MB

BINARY: Final = "\0"  # in no text
MARKS: Final = (b"\xff\xfe", b"\xfe\xff")  # a UTF-16 file begins with one
PACKED: Final = re.compile(r"[\w-]*={0,2}", re.ASCII)


def text_of(content: bytes, name: str) -> str:
    """A file's text; `name` is for messages. Raises InputError for what is no text, or too much."""
    if len(content) > LESSON_BYTES:
        raise InputError(
            f"“{name}” has {len(content) / MB:.1f} MB; {LESSON_BYTES // MB} MB go. A lesson is a "
            "Markdown file: text, links to views, pictures that “Make a lesson” makes small."
        )
    try:
        text = content.decode("utf-16" if content.startswith(MARKS) else "utf-8-sig")
    except UnicodeDecodeError:
        text = BINARY
    if BINARY in text:
        raise InputError(
            f"“{name}” is no text in UTF-8. A lesson is a Markdown file: save it as plain text, "
            "encoded in UTF-8, and open it again."
        )
    return text


def packed(text: str) -> str | None:
    """For a link; None where it is too long for one."""
    found = urlsafe_b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode()
    return found.rstrip("=") if len(found) <= LESSON_LINK else None


def unpacked(given: str) -> str:
    """What a link holds. Raises InputError for what is damaged, or would become too long."""
    if not PACKED.fullmatch(given):
        raise InputError(_damaged(given))
    inflating = zlib.decompressobj()
    try:
        content = inflating.decompress(urlsafe_b64decode(given + "=" * (-len(given) % 4)), LARGEST)
        if inflating.unconsumed_tail:
            raise InputError(
                f"The lesson in this link would unpack to more than {LARGEST:,} characters: links "
                "that are made here never do. Ask for the lesson’s file."
            )
        if not inflating.eof:
            raise InputError(_damaged(given))
        return content.decode("utf-8")
    except (ValueError, zlib.error):
        raise InputError(_damaged(given)) from None


def _damaged(given: str) -> str:
    return (
        f"The lesson in this link is cut off or damaged ({len(given):,} characters came). Copy the "
        "link again, from its first to its last character, or ask for the lesson’s file."
    )
