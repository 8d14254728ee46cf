"""What the tokenization page's tests share: a run as it is drawn, a word as it is cut."""

import json
from typing import Any

from tests.pages.page import Page

FIGURE = "tokenization.figure"
LECTURE = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
MERGES = ["es", "est", "est</w>", "lo", "low", "ne", "new", "newest</w>", "low</w>", "wi"]


def opened(**link: str) -> Page:
    return Page("tokenization", **link)


def example(page: Page, label: str, row: str = "example") -> Page:
    """Press a chip."""
    page.button_group(key=f"tokenization.{row}").set_value(label).run()
    return page


def give(page: Page, content: str | bytes, name: str = "own.txt", to: str = "own") -> Page:
    """Upload a file."""
    data = content if isinstance(content, bytes) else content.encode()
    field = next(one for one in page.file_uploader if str(one.key).startswith(f"tokenization.{to}"))
    field.set_value((name, data, "text/plain")).run()
    return page


def run_of(page: Page) -> dict[str, Any]:
    """The whole run in short."""
    return json.loads(page.figures[FIGURE].arrays["run"].tobytes())


def step_of(page: Page, step: int) -> dict[str, Any]:
    """One step in full: KeyError where it was not sent."""
    return json.loads(page.figures[FIGURE].arrays["steps"].tobytes())[str(step)]


def at(page: Page) -> int:
    """The step that the figure is told to show."""
    return page.figures[FIGURE].header["selection"]["value"]


def merged(page: Page) -> list[str]:
    """What every merge makes, in order."""
    return ["".join(merge[:2]) for merge in run_of(page)["merges"]]


def tokens(page: Page) -> list[str]:
    """How the word is cut."""
    return page.figures["tokenization.encoding"].header["tokens"]
