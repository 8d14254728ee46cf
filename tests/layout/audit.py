"""How every view stands on a screen: measured in a browser, one line a view and size.

python -m tests.layout                         every view, on three screens: minutes
python -m tests.layout --views bert vision-why --sizes projector
python -m tests.layout --address http://localhost:8501      of an app that runs already
python -m tests.layout --pictures /tmp/first-screens        and keep what was seen
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext

from tests.journeys.browser_page import App, new_reader
from tests.layout.figures import figure_of
from tests.pages.declared import Shown

HERE: Final = Path(__file__).parent
AUDIT: Final = (HERE / "audit.js").read_text("utf-8")
WRITTEN: Final = (HERE / "written.js").read_text("utf-8")
# What slides or is redrawn after a resize has come to rest: the same sizes in six frames.
STILL: Final = """() => new Promise((done) => {
    let [last, same] = ["", 0];
    const look = () => {
        const boxes = [...document.querySelectorAll(".gf, .js-plotly-plot, section")].map((one) => {
            const { left, top, width, height } = one.getBoundingClientRect();
            return [left, top, width, height].map(Math.round);
        });
        const now = boxes.join();
        same = now === last ? same + 1 : 0;
        last = now;
        if (same >= 6) done(null);
        else requestAnimationFrame(look);
    };
    look();
})"""
CONTRAST: Final = 4.5  # WCAG 2.2, 1.4.3
THEMES: Final = ("light", "dark")
FAULTS: Final = ("cut", "overlapping", "small", "pale", "wider", "scrolled")


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
    stage: float  # the same, with the details that stand beside the figure
    faults: Mapping[str, tuple[int, tuple[str, ...]]]  # how many, and some by name


def new_auditor(browser: Browser, address: str) -> tuple[App, BrowserContext]:
    """A reader whose canvases remember what was written on them; one may look at many views."""
    reader, context = new_reader(browser, address)
    reader.page.add_init_script(WRITTEN)
    return reader, context


def measure(
    reader: App,
    shown: Shown,
    sizes: Sequence[Size],
    themes: Sequence[str] = THEMES,
    pictures: Path | None = None,
) -> Iterator[Measured]:
    """Look at the view on every screen in every theme; its first screens go to `pictures`.

    Screens with the same link share one visit: the window is made smaller.
    """
    opened = None
    for size in sizes:
        reader.page.set_viewport_size({"width": size.width, "height": size.height})
        if opened != size.link:
            reader.page.emulate_media(color_scheme=themes[0])  # type: ignore[arg-type]
            reader.open(shown.path, **shown.link, **size.link)
            opened = size.link
        for theme in themes:
            reader.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            reader.settled()
            reader.page.evaluate(STILL)
            if pictures is not None:
                reader.page.screenshot(path=pictures / f"{shown}-{size.name}-{theme}.png")
            yield _measured(reader, shown, size, theme)


def _measured(reader: App, shown: Shown, size: Size, theme: str) -> Measured:
    asked = {"smallest": size.smallest, "contrast": CONTRAST, "figure": figure_of(str(shown))}
    found: dict[str, Any] = reader.page.evaluate(AUDIT, asked)
    return Measured(
        str(shown),
        size,
        theme,
        found["top"],
        found["figure"] or "",
        found["rows"],
        found["area"],
        found["stage"],
        {kind: (each["count"], tuple(each["told"])) for kind, each in found["faults"].items()},
    )
