"""From a click on a word to what the model puts there, in a real browser, with bert-mini.

Run by hand on a quiet machine: `.venv/bin/python -m tests.benchmarks.masking --rounds 20`
The click masks a word; the time ends when the candidates of its place stand on the page.
"""

import argparse
import json
import statistics
import sys
import time

from playwright.sync_api import Locator, Page, sync_playwright

from tests.benchmarks.page import cpu_seconds, running, wait_until_healthy
from tests.browser import find

TEXT = "The university is located in Texas and was founded in 1905."
WORDS = {"university": 2, "texas": 6, "founded": 9}  # and where they stand
PATIENCE = 120_000  # ms


def candidates(page: Page, place: int) -> Locator:
    return page.get_by_label(f"Candidates at position {place}")


def token(page: Page, word: str) -> Locator:
    return page.get_by_role("group", name="The text's tokens").get_by_text(word, exact=True)


def settle(page: Page) -> None:
    page.wait_for_selector('[data-test-script-state="notRunning"]', timeout=PATIENCE)
    page.wait_for_timeout(300)


# The page's own clock: Playwright's click and its waiting take some 90 ms of their own.
WATCH = """(label) => {
  const find = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.getAttribute("aria-label") === label) return node;
      const inner = node.shadowRoot && find(node.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  window.untilShown = new Promise((resolve) => {
    const begin = () => {
      const start = performance.now();
      const look = () => {
        if (find(document)) resolve(performance.now() - start);
        else requestAnimationFrame(look);
      };
      look();
    };
    document.addEventListener("click", begin, { once: true, capture: true });
  });
}"""


def masking(page: Page, rounds: int) -> list[float]:
    """Seconds from each click to the candidates; the unmasking in between is not counted."""
    taken: list[float] = []
    for number in range(rounds):
        word, place = list(WORDS.items())[number % len(WORDS)]
        page.evaluate(WATCH, f"Candidates at position {place}")
        token(page, word).click()
        taken.append(page.evaluate("() => window.untilShown") / 1000)
        settle(page)
        token(page, "[MASK]").click()
        candidates(page, place).wait_for(state="detached", timeout=PATIENCE)
        settle(page)
    return taken


def typing(page: Page, rounds: int) -> list[float]:
    """Seconds from the key that sends an edited text to its predictions."""
    page.locator(".st-key-input-line").get_by_test_id("stPopoverButton").click()
    field = page.get_by_label("Sentence", exact=True)
    taken: list[float] = []
    for number in range(rounds):
        # one more word before the mask: its place says that the answer is the new text's
        field.fill("so " * (1 + number % 5) + "the capital of France is [MASK].")
        place = 6 + 1 + number % 5
        start = time.perf_counter()
        field.press("Control+Enter")
        candidates(page, place).wait_for(timeout=PATIENCE)
        taken.append(time.perf_counter() - start)
        settle(page)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    with sync_playwright() as playwright, running() as (address, process):
        wait_until_healthy(address)
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{address}/bert?text={TEXT}&masks=2&model=bert-mini")
        candidates(page, 2).wait_for(timeout=PATIENCE)
        settle(page)
        token(page, "[MASK]").click()
        candidates(page, 2).wait_for(state="detached", timeout=PATIENCE)
        settle(page)
        masking(page, len(WORDS))  # warm
        before = cpu_seconds(process)
        clicked = masking(page, rounds)
        cpu = (cpu_seconds(process) - before) / (2 * rounds)  # a click that masks, one that unmasks
        typed = typing(page, rounds)
        browser.close()
    report = {
        "click on a word to its candidates, median ms": 1000 * statistics.median(clicked),
        "… fastest ms": 1000 * min(clicked),
        "edited text to its predictions, median ms": 1000 * statistics.median(typed),
        "server CPU a click, ms": 1000 * cpu,
    }
    report = {name: round(value, 1) for name, value in report.items()}
    sys.stdout.write(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
