"""What the GPT page's tests share: the prompt, and what its figures hold."""

from tests.pages.page import Page

TEXT = "the cat sat on a street because it"  # eight tokens of the tiny models


def tokens(page: Page, key: str) -> list[str]:
    """The chips of a row of tokens."""
    return [chip["text"] for chip in page.figures[f"gpt.{key}"].header["chips"]]


def probabilities(page: Page, key: str) -> list[float]:
    """The bars of a list of candidates."""
    return [row["probability"] for row in page.figures[f"gpt.{key}"].header["rows"]]
