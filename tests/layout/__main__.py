"""Print how every view stands on a screen, as a table in Markdown."""

import argparse
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import find
from tests.journeys.server import running_server
from tests.layout.audit import FAULTS, SIZES, THEMES, Measured, measure, new_auditor
from tests.pages.declared import SHOWN


def main() -> None:
    """The table, and below it what was found by name."""
    asked = argparse.ArgumentParser(prog="python -m tests.layout", description=__doc__)
    asked.add_argument("--views", nargs="+", default=[], help="those whose name begins so")
    asked.add_argument("--sizes", nargs="+", default=list(SIZES), choices=list(SIZES))
    asked.add_argument("--themes", nargs="+", default=list(THEMES), choices=THEMES)
    asked.add_argument("--address", help="of a running app; without it one is started")
    asked.add_argument("--brief", action="store_true", help="the table alone")
    asked.add_argument("--pictures", type=Path, help="a folder for the first screens")
    given = asked.parse_args()
    if given.pictures is not None:
        given.pictures.mkdir(parents=True, exist_ok=True)
    wanted = [
        shown for shown in SHOWN if not given.views or str(shown).startswith(tuple(given.views))
    ]
    heads = (
        "view",
        "screen",
        "figure begins at",
        "of the height",
        "of the screen",
        "with details",
        *FAULTS,
    )
    _say(f"| {' | '.join(heads)} |")
    _say("|---|---" + "|---:" * (len(heads) - 2) + "|")
    found: list[Measured] = []
    with _app(given.address) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        reader, context = new_auditor(browser, address)
        sizes = sorted(
            (SIZES[size] for size in given.sizes), key=lambda size: "projector" in size.link
        )
        for shown in wanted:
            for one in measure(reader, shown, sizes, given.themes, given.pictures):
                found.append(one)
                _say(line(one))
        context.close()
        browser.close()
    _say(f"\n{summary(found)}")
    if not given.brief:
        _say("\n" + "\n".join(by_name(found)))


@contextmanager
def _app(address: str | None) -> Generator[str]:
    if address is not None:
        yield address
        return
    with running_server() as started:
        yield started


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def line(one: Measured) -> str:
    """One row of the table; what begins too low is bold."""
    top = "–" if one.top is None else f"{one.top}"
    late = one.top is not None and one.top > one.size.begins
    cells = (
        one.view,
        f"{one.size.name}, {one.theme}",
        f"**{top}**" if late else top,
        f"{one.rows:.0%}",
        f"{one.area:.0%}",
        f"{one.stage:.0%}",
        *(str(one.faults[kind][0] or "") for kind in FAULTS),
    )
    return f"| {' | '.join(cells)} |"


def summary(found: list[Measured]) -> str:
    """By screen: how many begin in time."""
    lines: list[str] = []
    for size in SIZES.values():
        tops = sorted(one.top for one in found if one.size == size and one.top is not None)
        if tops:
            late = sum(top > size.begins for top in tops)
            faults = {
                kind: sum(one.faults[kind][0] for one in found if one.size == size)
                for kind in FAULTS
            }
            lines.append(
                f"{size.name}: {len(tops)} measured, median {tops[len(tops) // 2]} px, "
                f"lowest {tops[-1]} px, {late} beyond {size.begins} px; "
                + ", ".join(f"{kind} {count}" for kind, count in faults.items())
            )
    return "\n".join(lines)


def by_name(found: list[Measured]) -> Iterator[str]:
    """Every fault that has a name, once a view and screen."""
    for one in found:
        for kind, (_, names) in one.faults.items():
            for name in names:
                yield f"{one.view} · {one.size.name}, {one.theme} · {kind}: {name}"


if __name__ == "__main__":
    main()
