"""Texts that a reader brings as files."""

from core.errors import InputError


def decoded(name: str, content: bytes) -> str:
    """An uploaded file's text; InputError if it is none."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is no UTF-8 text (byte {error.start:,} can't be read). Save it as UTF-8, "
            "without pictures or formatting, and upload it again."
        ) from error
