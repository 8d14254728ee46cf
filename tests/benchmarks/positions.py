"""How fast the positions page follows a slider at its largest sizes: CPU time of a rerun.

Run by hand: `.venv/bin/python -m tests.benchmarks.positions`
Target: at most 300 ms. AppTest runs the app without a browser.
"""

import json
import sys
import time
from unittest import mock

from app.ui.page import Page as AppPage
from tests.pages.page import Page

VIEWS = {
    "sinusoidal, 512 × 512": {"n": "512", "d_model": "512"},
    "shift, d 128": {"view": "shift", "d_model": "128", "k": "-200"},
    "relative, 128 positions": {"view": "relative", "n": "128", "d_head": "128"},
}
RUNS = 5


def rerun_milliseconds(link: dict[str, str]) -> float:
    """The fastest of several reruns: the page's own thread, without what AppTest does around it."""
    page = Page("positions", **link)
    assert link.items() <= page.link.items(), "the page took other sizes than the link's"
    times: list[float] = []

    def timed(shown: AppPage) -> None:
        began = time.thread_time()
        render(shown)
        times.append(1000 * (time.thread_time() - began))

    render = AppPage.render
    with mock.patch.object(AppPage, "render", timed):
        for _ in range(RUNS):
            page.run()
    return round(min(times), 1)


def main() -> None:
    report = {name: rerun_milliseconds(link) for name, link in VIEWS.items()}
    sys.stdout.write(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
