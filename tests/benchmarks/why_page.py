"""A new picture on “Why this class?”: when its first explanation stands, the quick ones, all.

Run by hand on a quiet machine: `.venv/bin/python -m tests.benchmarks.why_page`. Each picture is
chosen when the one before is done; the last three follow each other while work is under way, so
what nobody waits for any more has to be given up for them. Target: the first within a second.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks import page as attention_page
from tests.browser import find

HURRIED = ("horse", "camera", "chelsea")
PAUSE = 700  # ms between two pictures of a reader in a hurry
FIGURES = {"first": "map", "quick": "quick", "all": "slow"}
# a component lives in a shadow root, which only its host leads to
PAINTED = """
(figure) => {
  const hosts = document.querySelectorAll(`.st-key-vision-why-${figure} *`);
  const roots = [...hosts].map((node) => node.shadowRoot?.querySelector("[data-painted]"));
  return roots.find(Boolean)?.dataset.painted ?? "";
}
"""
CHANGED = (
    f"([figure, before]) => {{ const now = ({PAINTED})(figure); return now && now !== before; }}"
)


def choose(page: Page, picture: str) -> None:
    page.locator(".st-key-vision-picture").get_by_text(picture, exact=True).click()


def timed(page: Page, picture: str, figures: Mapping[str, str] = FIGURES) -> dict[str, float]:
    """Seconds from the click to each of the figures."""
    before = {name: page.evaluate(PAINTED, figure) for name, figure in figures.items()}
    began = time.perf_counter()
    choose(page, picture)
    taken: dict[str, float] = {}
    for name, figure in figures.items():
        page.wait_for_function(CHANGED, arg=[figure, before[name]], timeout=180_000, polling=20)
        taken[name] = round(time.perf_counter() - began, 2)
    return taken


def measure(page: Page) -> dict[str, object]:
    calm = {picture: timed(page, picture) for picture in ("astronaut", "rocket")}
    *passing, last = HURRIED
    for picture in passing:
        choose(page, picture)
        page.wait_for_timeout(PAUSE)
    rows = {name: figure for name, figure in FIGURES.items() if name != "first"}  # may be another's
    return {"one after the other, s": calm, "in a hurry, s": {last: timed(page, last, rows)}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="vit-mini")
    model = parser.parse_args().model
    with sync_playwright() as playwright, attention_page.running() as (address, _):
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        attention_page.wait_until_healthy(address)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{address}/vision?view=why&picture=coffee&model={model}")
        page.wait_for_function(CHANGED, arg=["slow", ""], timeout=180_000)
        attention_page.settle(page)
        report = measure(page)
        browser.close()
    sys.stdout.write(json.dumps({"model": model, **report}, indent=1) + "\n")


if __name__ == "__main__":
    main()
