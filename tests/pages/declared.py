"""What the app declares: every view of every page, by its link, and what else a link may say."""

from collections.abc import Iterator
from typing import NamedTuple

from app.ui.navigation import PLACES
from app.ui.navigation import page as page_at
from app.ui.page import Page, View


class Shown(NamedTuple):
    """A view, or a part of one: its page's path, the link that shows it, its parameters' names."""

    path: str
    link: dict[str, str]
    title: str  # of the page; "" where it has no state
    params: tuple[str, ...]

    def __str__(self) -> str:
        return "-".join((self.path or "home", *self.link.values()))


def _leaves(page: Page) -> Iterator[tuple[dict[str, str], View]]:
    for view in page.views:
        link = {"view": view.id} if len(page.views) > 1 else {}
        if not view.parts:
            yield link, view
        for part in view.parts:
            yield link | {"part": part.id}, part


def _shown() -> Iterator[Shown]:
    for path in PLACES:
        page = page_at(path)
        if isinstance(page, Page):
            for link, view in _leaves(page):
                yield Shown(page.id, link, page.title, tuple(param.name for param in view.params))
        else:
            yield Shown(path, {}, "", ())


SHOWN = tuple(_shown())
