"""What the Transformer page's tests share: the sentences, and what its figures hold."""

import json
from collections import Counter
from typing import Any

from tests.pages.page import Page

TEXT = "the cat sat on a street ."
TARGET = "a dog ran ."


def header(page: Page, key: str) -> dict[str, Any]:
    return page.figures[f"transformer.{key}"].header


def fates_drawn(page: Page) -> Counter[str]:
    """How many hypotheses of the drawn tree met which fate."""
    tree = json.loads(page.figures["transformer.tree"].arrays["tree"].tobytes())
    return Counter(fate for column in tree["columns"] for *_, fate in column["nodes"])
