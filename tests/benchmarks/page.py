"""The attention page as a reader meets it: cold start, paint, bytes, CPU of a rerun.

Run by hand on a quiet machine: `.venv/bin/python -m tests.benchmarks.page --runs 3`
Cold start counts from the command to a painted, clickable head, imports included.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import find

ROOT = Path(__file__).parent.parent.parent
VIEW = '[data-painted*="maps of"]'
TEXT_OF_128 = "word " * 126  # and [CLS], [SEP]
CLICKS = 20


@contextmanager
def running() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "app.web.start", f"--server.port={port}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"HF_HUB_OFFLINE": "1"}, **quiet)
    try:
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        process.wait(20)


def wait_until_healthy(address: str) -> None:
    while True:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.05)


def cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cold_start(browser: Browser) -> float:
    start = time.perf_counter()
    with running() as (address, _):
        wait_until_healthy(address)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{address}/attention")
        page.wait_for_selector(VIEW, timeout=120_000)
        taken = time.perf_counter() - start
        page.close()
    return taken


def settle(page: Page) -> None:
    page.wait_for_selector('[data-test-script-state="notRunning"]')
    page.wait_for_timeout(1500)


def warm(browser: Browser) -> dict[str, float]:
    """Bytes, paint and reruns on a server that is already warm."""
    with running() as (address, process):
        wait_until_healthy(address)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{address}/attention")
        page.wait_for_selector(VIEW, timeout=120_000)
        settle(page)
        sizes: list[int] = []
        page.on("websocket", lambda s: s.on("framereceived", lambda data: sizes.append(len(data))))
        page.goto(f"{address}/attention?text={TEXT_OF_128}&heads=3.1")
        page.wait_for_selector('[data-painted*="of 128 x 128"]')
        settle(page)
        painted = page.locator("[data-milliseconds]").evaluate_all(
            "nodes => nodes.map(node => Number(node.dataset.milliseconds))"
        )
        bytes_at_128 = sum(sizes)
        page.goto(f"{address}/attention")
        page.wait_for_selector(VIEW)
        settle(page)
        answers: list[float] = []
        grid = page.locator('[data-painted*="heads of"]')
        left, top, wide, high, gap = json.loads(grid.get_attribute("data-geometry") or "")
        box = grid.locator(".stack").bounding_box()
        assert box
        before = cpu_seconds(process)
        for click in range(CLICKS):
            layer, head = divmod(click, 12)
            start = time.perf_counter()
            page.mouse.click(
                box["x"] + left + (head + 0.5) * (wide + gap),
                box["y"] + top + (layer + 0.5) * (high + gap),
            )
            page.locator(VIEW).get_by_text(
                f"layer {layer} · head {head}", exact=True
            ).first.wait_for()
            answers.append(time.perf_counter() - start)
        page.wait_for_timeout(500)
        cpu = cpu_seconds(process) - before
        page.close()
    return {
        "bytes of the whole page at 128 tokens": bytes_at_128,
        "longest paint at 128 tokens, ms": max(painted),
        "click to new head, median ms": 1000 * statistics.median(answers),
        "server CPU a click, ms": 1000 * cpu / CLICKS,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        starts = [cold_start(browser) for _ in range(runs)]
        figures = warm(browser)
        browser.close()
    report = {
        "cold start to a painted head, s": [round(taken, 2) for taken in starts],
        **{name: round(value, 1) for name, value in figures.items()},
    }
    sys.stdout.write(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
