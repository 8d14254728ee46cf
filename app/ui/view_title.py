"""What a view on a reader's text is called, in one line."""

from textwrap import shorten
from typing import Final

SHORT: Final = 40  # characters of the text


def view_title(title: str, text: str) -> str:
    """“Attention: “The animal …””; a view without a text has its title alone."""
    shown = shorten(text, SHORT, placeholder=" …")
    return f"{title}: “{shown}”" if shown else title
