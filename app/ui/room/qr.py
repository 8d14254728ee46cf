"""The link into a room, as students type it, and as they scan it."""

from functools import lru_cache


def link(address: str, page: str, code: str) -> str:
    """Into the room; `address`: of the page in the teacher's browser."""
    return f"{address.rstrip('/').removesuffix(f'/{page}')}/?room={code}"


@lru_cache(maxsize=16)
def picture(text: str) -> str:
    """An SVG: dark on white in whatever theme, with the quiet zone of ISO/IEC 18004, 4 modules."""
    import segno  # when a room is opened

    return segno.make(text, error="m", micro=False).svg_inline(scale=8, border=4, light="#fff")
