"""One component in a page of its own, without a server: what it draws, says and reports."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from string import Template
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from playwright.sync_api import Locator, Page, expect

from app.components.mount import javascript, stylesheet
from app.components.standalone import theme_variables

HARNESS = Path(__file__).with_name("harness.html")
CLICKS: Final = 7  # the number of what can be clicked, in the samples


def write_harness(folder: Path) -> Path:
    """The page that components are mounted in, with the theme's colours."""
    path = folder / "harness.html"
    template = Template(HARNESS.read_text("utf-8"))
    path.write_text(template.substitute(variables=theme_variables()), "utf-8")
    return path


class Figure:
    """A mounted component; geometry is in px of its `.stack`."""

    def __init__(self, page: Page, component: str) -> None:
        self.page = page
        self.root = page.locator(".gf")
        self.said = page.locator("#said")
        page.evaluate(
            "([script, style]) => figure.load(script, style)",
            [javascript(component), stylesheet(component)],
        )

    def show(self, frame: bytes) -> None:
        """Hand over a frame and wait until it is drawn."""
        self.give(frame)
        self.page.locator(".gf[aria-busy=false]").wait_for()

    def give(self, frame: bytes) -> None:
        """Hand over a frame, as a rerun does; the figure is busy from then on."""
        self.page.evaluate("frame => figure.show(frame)", base64.b64encode(frame).decode("ascii"))

    def chose(self, value: object, serial: int = 1) -> None:
        """Wait until the last choice told is `value`, in answer to that seed."""
        self._reports("selection", value, serial)

    def clicked(self, value: object, serial: int = CLICKS) -> None:
        """Wait until the last click told is `value`, on the things of that number."""
        self._reports("click", value, serial)

    def _reports(self, name: str, value: object, serial: int) -> None:
        wanted = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        expect(self.said).to_have_attribute(f"data-{name}", wanted)
        expect(self.said).to_have_attribute(f"data-{name}-serial", str(serial))

    @property
    def n_reports(self) -> int:
        return int(self.said.get_attribute("data-reports") or 0)

    def data(self, name: str = "geometry") -> Any:
        """What the component says of its drawing in `data-name`."""
        return json.loads(self.root.get_attribute(f"data-{name}") or "null")

    def point(self, x: float, y: float, within: str = ".stack") -> tuple[float, float]:
        """The page's coordinates of a point of the drawing, scrolled into view."""
        part = self.root.locator(within).first
        part.scroll_into_view_if_needed()
        box = part.bounding_box()
        assert box
        return box["x"] + x, box["y"] + y

    def hover(self, x: float, y: float, within: str = ".stack") -> None:
        self.page.mouse.move(*self.point(x, y, within))

    def click(self, x: float, y: float, within: str = ".stack", *, shift: bool = False) -> None:
        place = self.point(x, y, within)
        if shift:
            self.page.keyboard.down("Shift")
        self.page.mouse.click(*place)
        if shift:
            self.page.keyboard.up("Shift")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def download(self, button: str) -> Path:
        """What the figure's menu saves."""
        self.root.get_by_role("button", name="Save", exact=True).click()
        with self.page.expect_download() as saved:
            self.root.get_by_role("button", name=button, exact=True).click()
        path = Path(saved.value.path())
        return path.rename(path.with_name(saved.value.suggested_filename))

    def table(self) -> list[list[str]]:
        """The cells of the figure's table, the alternative of its canvases."""
        return self.root.locator("table").first.evaluate(
            "table => [...table.rows].map((row) => [...row.cells].map((c) => c.textContent))"
        )

    @property
    def tip(self) -> Locator:
        return self.root.locator(".tip")


class Rect(NamedTuple):
    """A filled rectangle of an exported drawing, in px of the figure."""

    x: float
    y: float
    fill: tuple[int, int, int]


def drawn_rects(drawing: Path) -> list[Rect]:
    """What an SVG fills, without its margin; colours as 0 to 255."""
    found = []
    for node in ET.parse(drawing).iter("{http://www.w3.org/2000/svg}rect"):
        colour = re.fullmatch(r"rgb\((\d+),(\d+),(\d+)\)", node.get("fill", ""))
        if colour:
            red, green, blue = (int(part) for part in colour.groups())
            x, y = float(node.get("x", 0)), float(node.get("y", 0))
            found.append(Rect(x, y, (red, green, blue)))
    return found
