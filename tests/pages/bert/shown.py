"""What the BERT page's tests share: a fact, and what its figures hold."""

from typing import Any

from tests.pages.page import Page

FACT = "Paris is the capital of France."


def header(page: Page, key: str) -> dict[str, Any]:
    return page.figures[f"bert.{key}"].header


def candidates(page: Page, place: int) -> dict[str, dict[str, Any]]:
    """The candidates at a mask, by their token."""
    return {row["text"]: row for row in header(page, f"candidates.{place}")["rows"]}


def is_open(page: Page, place: int) -> bool:
    """Whether candidates are offered there."""
    return f"bert.candidates.{place}" in page.figures


def notes(page: Page, key: str = "tokens") -> list[str]:
    """What stands under the chips of a row of tokens."""
    return [chip["note"] for chip in header(page, key)["chips"]]
