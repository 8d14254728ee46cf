"""Find a Chromium for the browser tests: the system's, or Playwright's own, fetched if possible.

Prints its path; without one it says loudly, on stderr, that the browser tests are skipped.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def find() -> str | None:
    """The path of a Chromium, if the machine has one."""
    chosen = os.environ.get("GLASSFORMER_CHROMIUM")
    if chosen:
        return chosen
    for name in NAMES:
        if path := shutil.which(name):
            return path
    return MAC if Path(MAC).exists() else _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def fetch() -> str | None:
    """Ask Playwright for its own Chromium; None where it can't be had."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    done = subprocess.run(command, stdout=sys.stderr, check=False)
    return _playwrights_own() if done.returncode == 0 else None


if __name__ == "__main__":
    path = find() or fetch()
    if path is None:
        line = "!" * 78
        sys.stderr.write(
            f"{line}\nNo Chromium found: the BROWSER TESTS ARE SKIPPED. Install Chromium "
            "(Debian: apt-get install chromium)\n"
            f"or set GLASSFORMER_CHROMIUM to its path.\n{line}\n"
        )
    sys.stdout.write(path or "")
