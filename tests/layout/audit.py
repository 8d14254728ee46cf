"""How every view stands on a screen: measured in a browser, one line a view and size.

python -m tests.layout                         every view, on three screens: minutes
python -m tests.layout --views bert vision-why --sizes projector
python -m tests.layout --address http://localhost:8501      of an app that runs already
python -m tests.layout --pictures /tmp/first-screens        and keep what was seen
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser

from tests.journeys.browser_page import new_reader
from tests.pages.declared import Shown

HERE: Final = Path(__file__).parent
AUDIT: Final = (HERE / "audit.js").read_text("utf-8")
WRITTEN: Final = (HERE / "written.js").read_text("utf-8")
CONTRAST: Final = 4.5  # WCAG 2.2, 1.4.3
THEMES: Final = ("light", "dark")
FAULTS: Final = ("cut", "overlapping", "small", "pale", "wider")


@dataclass(frozen=True)
class Size:
    """A screen, where its figures should begin, and the smallest type on it."""

    name: str
    width: int
    height: int
    begins: int  # px from the top
    smallest: int  # px
    link: Mapping[str, str]


SIZES: Final = {
    size.name: size
    for size in (
        Size("desktop", 1440, 900, 260, 11, {}),
        Size("projector", 1280, 720, 150, 16, {"projector": "1"}),
        Size("phone", 390, 844, 420, 11, {}),
    )
}


@dataclass(frozen=True)
class Measured:
    """One view on one screen in one theme."""

    view: str
    size: Size
    theme: str
    top: int | None  # px, of the first figure; None where there is none
    figure: str
    rows: float  # share of the first screen's height on which a figure stands
    area: float  # share of the first screen
    faults: Mapping[str, tuple[int, tuple[str, ...]]]  # how many, and some by name


def measure(
    browser: Browser,
    address: str,
    shown: Shown,
    size: Size,
    themes: tuple[str, ...] = THEMES,
    pictures: Path | None = None,
) -> Iterator[Measured]:
    """Open the view once, and look at it in every theme; its first screens go to `pictures`."""
    screen = {"width": size.width, "height": size.height}
    reader, context = new_reader(browser, address, viewport=screen, color_scheme=themes[0])
    page = reader.page
    page.add_init_script(WRITTEN)
    reader.open(shown.path, **shown.link, **size.link)
    for theme in themes:
        if theme != themes[0]:
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            reader.settled()
        found: dict[str, Any] = page.evaluate(
            AUDIT, {"smallest": size.smallest, "contrast": CONTRAST}
        )
        if pictures is not None:
            page.screenshot(path=pictures / f"{shown}-{size.name}-{theme}.png")
        yield Measured(
            str(shown),
            size,
            theme,
            found["top"],
            found["figure"] or "",
            found["rows"],
            found["area"],
            {kind: (each["count"], tuple(each["told"])) for kind, each in found["faults"].items()},
        )
    context.close()
