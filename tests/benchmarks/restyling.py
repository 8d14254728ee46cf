"""What one element more costs a page in Chromium, and how long its charts keep it from answering.

Run by hand: `python -m tests.benchmarks.restyling [--pages attention training]`. Plotly measures a
chart's labels one by one, so that a page which styles all of itself for each shows no figure until
that is over. The first page of the browser is left out: it brings what others find at hand.
"""

import argparse
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.browser import find
from tests.journeys.server import running_server

PAGES: Final = ("attention", "training", "training?projector=1", "blocks?view=tuning&part=lora")
SCREEN: Final = {"width": 1280, "height": 720}
SETTLED: Final = 6_000  # milliseconds
LONG_TASKS: Final = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.longTasks.push(Math.round(task.duration));
}).observe({ type: "longtask", buffered: true });
"""
ONE_MORE: Final = """() => {
  const began = performance.now();
  for (let i = 0; i < 20; i++) {
    const one = document.createElementNS("http://www.w3.org/2000/svg", "text");
    one.textContent = `label ${i}`;
    document.body.append(one);
    one.getBoundingClientRect();
    one.remove();
    document.body.getBoundingClientRect();
  }
  return (performance.now() - began) / 20;
}"""


def look(browser: Browser, address: str) -> str:
    """Milliseconds for one element that comes and goes; the page's long tasks until it rests."""
    page = browser.new_page(viewport=SCREEN)
    page.add_init_script(LONG_TASKS)
    page.goto(address)
    page.wait_for_selector('[data-testid="glassformer-run"]', state="attached")
    page.wait_for_timeout(SETTLED)
    tasks, each = page.evaluate("window.longTasks"), page.evaluate(ONE_MORE)
    page.close()
    longest = sorted(tasks, reverse=True)[:3]
    return f"{each:.2f} ms an element; long tasks {sum(tasks)} ms, the longest {longest}"


def measure(pages: list[str]) -> None:
    with running_server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        look(browser, f"{address}/{pages[0]}")
        for page in pages:
            print(f"| {page} | {look(browser, f'{address}/{page}')} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="+", default=PAGES, help="as in an address")
    measure(list(parser.parse_args().pages))
