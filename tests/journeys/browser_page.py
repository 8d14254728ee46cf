"""A browser's page on the app, which knows when the server has answered."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Download,
    Locator,
    Page,
    Request,
    expect,
)

# A deep link makes Streamlit ask for these below the page's path, in vain, once each.
EXPECTED_404 = ("/_stcore/health", "/_stcore/host-config")
ANSWER_LIMIT = 180_000  # ms; reached by what is broken alone, however slow the machine
DESKTOP = {"width": 1440, "height": 900}
RUN = """
() => Math.max(0, ...Array.from(
    document.querySelectorAll('[data-testid="glassformer-run"]'), each => +each.dataset.run))
"""
ANSWERED = f"""
(last) => {{
    const app = document.querySelector('[data-testid="stApp"]');
    return app?.dataset.testConnectionState === "CONNECTED"
        && app.dataset.testScriptState === "notRunning"
        && !document.querySelector('[data-testid="stSkeleton"]')
        && [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')]
            .filter((one) => !one.closest('[class*="-keys"]')) // they listen, and draw nothing
            .every((one) => one.shadowRoot?.querySelector(".gf"))
        && ({RUN.strip()})() > last;
}}
"""
# React hands the components their frames after the commit that shows the run's number.
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
expect.set_options(timeout=20_000)


@dataclass
class App:
    """One reader's browser. Console errors and requests to strangers are kept for the test."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.errors.append(error.stack or str(error)))
        self.page.on("request", self._on_request)

    @property
    def run(self) -> int:
        """The number of the latest complete run that the page shows; 0 before the first."""
        return self.page.evaluate(RUN)

    def open(self, path: str = "", **params: str) -> Page:
        """Go to a page by its link and wait for its first complete run."""
        query = f"?{urlencode(params)}" if params else ""
        self.page.goto(f"{self.address}/{path}{query}")
        return self._answered(0)

    def act(self, action: Callable[[], object]) -> Page:
        """Do something that asks the server, and wait for the run that answers it."""
        last = self.run
        action()
        return self._answered(last)

    @property
    def line(self) -> Locator:
        """The line that says what a view reads; a click opens its fields."""
        return self.page.locator(".st-key-input-line").get_by_test_id("stPopoverButton")

    def write(self, label: str, text: str) -> Page:
        """Type into one of the fields behind the line, and close it again."""
        self.line.click()
        field = self.page.get_by_label(label, exact=True)
        field.fill(text)
        self.act(lambda: field.press("Control+Enter"))
        self.page.keyboard.press("Escape")
        expect(field).to_have_count(0)
        return self.page

    def save(self, kind: str, *, of: Locator | None = None) -> Download:
        """Take a file of the page along, or, `of` a figure, what its own menu offers."""
        if of is None:  # the server fills it when it is opened
            self.act(self.page.locator(".st-key-quiet").get_by_role("button", name="Files").click)
        else:
            of.get_by_role("button", name="Save", exact=True).first.click()
        with self.page.expect_download() as waiting:
            (of or self.page).get_by_role("button", name=kind, exact=True).last.click()
        if of is None:
            self.act(lambda: self.page.keyboard.press("Escape"))
        else:
            self.page.keyboard.press("Escape")
        return waiting.value

    def settled(self) -> Page:
        """Wait until the server has nothing more to answer, whatever was asked."""
        return self._answered(-1)

    def drawn(self) -> None:
        """Wait until the browser has painted what it knows now."""
        self.page.evaluate(PAINTED)

    def _answered(self, last: int) -> Page:
        self.page.wait_for_function(ANSWERED, arg=last, timeout=ANSWER_LIMIT)
        self.drawn()
        expect(self.page.locator(".gf[aria-busy=true]")).to_have_count(0)
        return self.page

    def _on_console(self, message: ConsoleMessage) -> None:
        place = message.location.get("url", "")
        if message.type == "error" and not place.endswith(EXPECTED_404):
            self.errors.append(f"{message.text} ({place})")

    def _on_request(self, request: Request) -> None:
        local = (self.address, "data:", "blob:", "about:", self.address.replace("http", "ws"))
        if not request.url.startswith(local):
            self.strangers.append(request.url)


def places(figure: Locator, kind: str = "geometry") -> Any:
    """Where a figure's parts stand, as it reports in data-`kind`, once it stands still."""
    expect(figure).to_have_attribute(f"data-{kind}", re.compile(r"\d"))
    figure.hover(trial=True)  # in view, and at the same place in two frames
    return json.loads(figure.get_attribute(f"data-{kind}") or "null")


def new_reader(browser: Browser, address: str, **options: object) -> tuple[App, BrowserContext]:
    """A fresh browser context on the app, at a desktop's size unless told otherwise."""
    settings = {"viewport": DESKTOP, "accept_downloads": True} | options
    context = browser.new_context(**settings)  # type: ignore[arg-type]
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    context.add_init_script("localStorage.setItem('glassformer.tour', 'offered')")  # not new
    reader = App(context.new_page(), address)
    reader.watch()
    return reader, context
