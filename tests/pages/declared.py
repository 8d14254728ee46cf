"""What the app declares: every view of every page, by its link, and what else a link may say."""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from app.main import PAGES
from app.ui.page import Page, View


class Shown(NamedTuple):
    """A view, or a part of one: its page's path, the link that shows it, its parameters' names."""

    path: str
    link: dict[str, str]
    title: str  # of the page; "" where the page is not a `Page` yet
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
    for path, _, page, _ in PAGES:
        if isinstance(page, Page):
            for link, view in _leaves(page):
                yield Shown(path, link, page.title, tuple(param.name for param in view.params))
        else:
            module: Any = sys.modules[page.__module__]
            owner = getattr(module, "state", module)
            views = getattr(module, "NAMES", None) or getattr(owner, "VIEWS", None) or ()
            params = getattr(module, "PARAMS", None) or getattr(owner, "PARAMS", ())
            names = tuple(param.name for param in params if param.name != "view")
            for link in [{"view": view} for view in views] or [{}]:
                yield Shown(path, link, "", names)


SHOWN = tuple(_shown())
