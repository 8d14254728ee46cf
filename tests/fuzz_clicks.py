"""Random clicks at random speed: `python -m tests.fuzz_clicks --seconds 120 --seed 1`.

A real server, a real browser, a reader in a hurry: 40 to 250 ms between two acts, whether the
last was answered or not. Fails on an error in the browser's console, a traceback in the server's
log, an error box, a page that never answers. The seed repeats the acts; a run that is cut short
at another moment may still answer otherwise, so each failure names the view and its last acts.
"""

import argparse
import sys
from collections import deque
from random import Random, SystemRandom
from time import monotonic
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Error, sync_playwright

from tests.browser import find
from tests.journeys.browser_page import App, new_reader
from tests.journeys.server import running_server
from tests.pages.declared import SHOWN, Shown

PAUSES: Final = (40, 250)  # ms
BROKEN: Final = '[data-testid="stException"], [data-testid="stAlertContentError"]'
TEXTS: Final = ("", " ", "7", "3.1", "-1", "foo", "1e999", "the cat sat", "</script>", "müde 🦊")
KEYS: Final = ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Escape", "End", "Home", "Space")
CHOOSE: Final = """
([sort, which, x, y]) => {
    const seen = (each) => {
        const box = each.getBoundingClientRect();
        return box.width > 2 && box.height > 2 && !each.disabled
            && !each.closest('[data-testid="stDownloadButton"], [data-testid="stFileUploader"]')
            && getComputedStyle(each).visibility !== "hidden";
    };
    const find = (root, selector) => {
        const found = [...root.querySelectorAll(selector)];
        for (const each of root.querySelectorAll("*"))
            if (each.shadowRoot) found.push(...find(each.shadowRoot, selector));
        return found.filter(seen);
    };
    const open = find(document, '[role="option"]');
    const main = document.querySelector('[data-testid="stMain"]');
    if (!main) return null;
    const kind = (each) => each.getAttribute("role") || each.type || each.tagName.toLowerCase();
    const folds = document.querySelectorAll('[data-testid="stPopoverBody"]');
    const every = open.length ? open : [main, ...folds].flatMap((root) => find(root,
        'button, canvas, svg, input, textarea, [role="slider"], [role="combobox"], [role="switch"]'
        + ', [role="button"], summary, td'));
    if (!every.length) return null;
    const kinds = [...new Set(every.map(kind))];
    const all = every.filter((each) => kind(each) === kinds[Math.floor(sort * kinds.length)]);
    const one = all[Math.floor(which * all.length)];
    one.scrollIntoView({block: "center", behavior: "instant"});
    const box = one.getBoundingClientRect();
    const wide = ["CANVAS", "svg"].includes(one.tagName);
    const at = (share, start, size) => start + size * (wide ? share : 0.5);
    const name = one.getAttribute("aria-label") || one.textContent.trim().slice(0, 40);
    return {x: at(x, box.x, box.width), y: at(y, box.y, box.height),
            kind: kind(one), name};
}
"""


class Broken(NamedTuple):
    """What a reader would have seen, and how it came about."""

    view: str
    what: str
    acts: tuple[str, ...]

    def __str__(self) -> str:
        return "\n  ".join((f"{self.view}: {self.what}", *self.acts))


def act(reader: App, random: Random) -> str:
    """One act of a reader in a hurry; returns its name."""
    page = reader.page
    target = page.evaluate(CHOOSE, [random.random() for _ in range(4)])
    if target is None:
        return "nothing to click"
    modifiers = random.random() < 0.1
    if modifiers:
        page.keyboard.down("Shift")
    page.mouse.click(target["x"], target["y"])
    if modifiers:
        page.keyboard.up("Shift")
    done = f"{target['kind']} “{target['name']}”"
    if target["kind"] in ("text", "textarea", "number", "combobox"):
        text = random.choice(TEXTS)
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.insert_text(text)
        page.keyboard.press("Tab" if target["kind"] == "textarea" else "Enter")
        return f"{done} ← {text!r}"
    if target["kind"] in ("slider", "canvas", "range") or random.random() < 0.1:
        key = random.choice(KEYS)
        page.keyboard.press(key)
        return f"{done}, {key}"
    return done


def hurry(reader: App, shown: Shown, seconds: float, random: Random) -> Broken | None:
    """Open a view, act for some time, wait for the answer to it all."""
    acts: deque[str] = deque(maxlen=12)

    def broken(what: str) -> Broken:
        return Broken(str(shown), what, tuple(acts))

    try:
        reader.open(shown.path, **shown.link)
        end = monotonic() + seconds
        while monotonic() < end:
            acts.append(act(reader, random))
            reader.page.wait_for_timeout(random.uniform(*PAUSES))
        reader.page.keyboard.press("Escape")
        reader.settled()
    except (Error, AssertionError) as error:
        return broken(f"{error} {reader.errors}")
    boxes = reader.page.locator(BROKEN).all_inner_texts()
    found = [*reader.errors, *reader.strangers, *boxes]
    return broken("; ".join(found)) if found else None


def fuzz(browser: Browser, views: tuple[Shown, ...], seconds: float, seed: int) -> list[Broken]:
    """Every view in turn, as a new reader each, `seconds` of acting together."""
    found: list[Broken] = []
    with running_server() as address:
        for shown in views:
            reader, context = new_reader(browser, address)
            broken = hurry(reader, shown, seconds / len(views), Random(f"{seed} {shown}"))
            say(f"x {broken}\n" if broken else ".", end="")  # now: the log is judged at the end
            found += [broken] if broken else []
            context.close()
    return found


def say(line: object, end: str = "\n") -> None:
    sys.stdout.write(f"{line}{end}")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120, help="of acting, all views together")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**6))
    parser.add_argument("--view", default="", help="only those whose name contains it")
    given = parser.parse_args()
    views = tuple(shown for shown in SHOWN if given.view in str(shown))
    say(f"seed {given.seed}, {len(views)} views, {given.seconds:g} s")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        found = fuzz(browser, views, given.seconds, given.seed)
        browser.close()
    say(f"\n{len(found)} broken" if found else "\nno broken page")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
