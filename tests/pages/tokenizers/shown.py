"""What the tokenizers page's tests share: the lanes of tokens, the bars over a word's letters."""

from typing import Any

from tests.pages.page import Page

FAMILY = "👨‍👩‍👧‍👦"
HOSTILE = "</script><img src=x onerror=window.broken=1>"


def opened(view: str = "text", **link: str) -> Page:
    return Page("tokenizers", view=view, **link)


def lanes(page: Page) -> dict[str, list[str]]:
    """Every tokenizer's tokens, as they are drawn."""
    header = page.figures["tokenizers.spans"].header
    return {lane["name"]: lane["tokens"] for lane in header["lanes"]}


def counts(page: Page) -> list[int]:
    """How many tokens stand in each lane."""
    return [len(tokens) for tokens in lanes(page).values()]


def sections(page: Page, figure: str) -> list[dict[str, Any]]:
    return page.figures[f"tokenizers.{figure}"].header["sections"]


def bars(section: dict[str, Any]) -> list[dict[str, Any]]:
    """The bars of a section, row by row."""
    return [bar for row in section["rows"] for bar in row["bars"]]


def labels(page: Page, figure: str) -> list[str]:
    """What stands in every bar of a figure."""
    return [bar["label"] for section in sections(page, figure) for bar in bars(section)]


def take(page: Page, chips: str, name: str) -> Page:
    """Press a chip."""
    page.button_group(key=f"tokenizers.{chips}").set_value(name).run()
    return page


def type_text(page: Page, text: str) -> Page:
    page.text_area(key="tokenizers.text").set_value(text).run()
    return page


def give(page: Page, *files: tuple[str, str | bytes], to: str = "upload") -> Page:
    """Upload files, (name, content) each."""
    given = [(name, c if isinstance(c, bytes) else c.encode(), "text/plain") for name, c in files]
    field = next(one for one in page.file_uploader if str(one.key).startswith(f"tokenizers.{to}"))
    return field.set_value(given if to == "upload" else given[0]).run()
