"""Text from elsewhere inside Streamlit's Markdown: shown as it is, never as markup.

A link's value could otherwise draw a picture from another machine into the page.
"""

import re

MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


def sentence(text: str) -> str:
    """As `plain`, with a full stop unless it ends with one: “müde ist.”, not “müde ist..”."""
    return plain(text) if text.rstrip().endswith((".", "!", "?", "…")) else f"{plain(text)}."


def plain(text: str) -> str:
    """The text with every sign that Markdown knows escaped."""
    return MARKUP.sub(r"\\\1", text)
