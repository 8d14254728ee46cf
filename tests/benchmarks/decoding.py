"""One decoding step: the model's own time, and what a reader waits from key to token.

Run by hand on a quiet machine:
`.venv/bin/python -m tests.benchmarks.decoding --model assets/models/gpt-mini`
Compares a cached step with a whole pass over prompt and continuation, which is what the page
asks for, and with the page end to end: the key N in “Generate” until the next token is drawn.
Target: at most 100 ms end to end.
"""

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

import core
from tests.benchmarks.page import cpu_seconds, running, wait_until_healthy
from tests.browser import find

PROMPT = "Background music from a"
STEPS = 30


def model_times(model_id: str) -> dict[str, float]:
    """Milliseconds of process CPU: other work on the machine does not count."""
    model = core.load(model_id)
    model.generate(PROMPT, max_new_tokens=3)
    start = time.process_time()
    made = model.generate(PROMPT, max_new_tokens=STEPS, temperature=0)
    cached = 1000 * (time.process_time() - start) / len(made.steps)
    ids = tuple(step.id for step in made.steps)
    whole: list[float] = []
    for length in range(len(ids)):
        start = time.process_time()
        model.next_step(PROMPT, continuation=ids[:length])
        whole.append(1000 * (time.process_time() - start))
    return {
        "cached step, mean CPU ms": cached,
        "whole pass, median CPU ms": statistics.median(whole),
        "whole pass, longest CPU ms": max(whole),
    }


def page_times(model_id: str) -> dict[str, float]:
    """From the key to the next token on the screen."""
    os.environ["GLASSFORMER_CHECKPOINTS"] = model_id if Path(model_id).is_dir() else ""
    with sync_playwright() as playwright, running() as (address, process):
        wait_until_healthy(address)
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        query = urlencode({"view": "generate", "model": model_id, "text": PROMPT, "t": "0"})
        page.goto(f"{address}/gpt?{query}")
        row = page.get_by_role("group", name="Prompt and continuation").locator(".word")
        row.first.wait_for(timeout=120_000)
        page.wait_for_timeout(3000)
        page.get_by_text("Which word comes next?").click()
        taken: list[float] = []
        before = cpu_seconds(process)
        for _ in range(STEPS):
            there = row.count()
            start = time.perf_counter()
            page.keyboard.press("n")
            row.nth(there).wait_for()
            taken.append(1000 * (time.perf_counter() - start))
            page.wait_for_timeout(400)
        cpu = 1000 * (cpu_seconds(process) - before) / STEPS
        browser.close()
    return {
        "key to token, median ms": statistics.median(taken),
        "key to token, fastest ms": min(taken),
        "server CPU a token, ms": cpu,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="gpt-mini")
    model_id = parser.parse_args().model
    report = model_times(model_id) | page_times(model_id)
    report = {name: round(value, 1) for name, value in report.items()}
    report["load average"] = os.getloadavg()[0]
    sys.stdout.write(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
