"""How fast the positions page follows a slider at its largest sizes: CPU time of a rerun.

Run by hand: `.venv/bin/python -m tests.benchmarks.positions`
Target: at most 300 ms. AppTest runs the page without a browser.
"""

import json
import sys
import time

from streamlit.testing.v1 import AppTest

VIEWS = {
    "sinusoidal, 512 × 512": {"n": "512", "d": "512"},
    "shift, d 128": {"view": "shift", "md": "128", "k": "-200"},
    "relative, 128 positions": {"view": "relative", "rn": "128", "rd": "128"},
}
RUNS = 5


def page() -> None:
    from app.views import positions

    positions.render()


def rerun_milliseconds(link: dict[str, str]) -> float:
    """The fastest of several reruns after the first."""
    app = AppTest.from_function(page, default_timeout=120)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    times: list[float] = []
    for _ in range(RUNS):
        began = time.process_time()
        app.run()
        times.append(1000 * (time.process_time() - began))
    return round(min(times), 1)


def main() -> None:
    report = {name: rerun_milliseconds(link) for name, link in VIEWS.items()}
    sys.stdout.write(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
