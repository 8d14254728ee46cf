"""What a reader typed, or a link brought, in a browser: nothing of it runs and nothing is fetched.

In no view, in no frame of BertViz, in no page that is taken along: no dialog, no console error (the
content security policy would log one), no request to a stranger.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, expect

from tests.journeys.browser_page import App, new_reader
from tests.journeys.server import running_server
from tests.pages.declared import SHOWN, Shown
from tests.pages.test_hostile_texts import DIRECTIVES, MARKUP, taking

TEXT = f"{MARKUP} {DIRECTIVES}"
TAKING = [shown for shown in SHOWN if taking(shown, TEXT)]
FRAMES = ("head", "model", "neuron")


def refuse_dialogs(reader: App) -> None:
    def refuse(dialog: Dialog) -> None:
        reader.errors.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    reader.page.on("dialog", refuse)


@pytest.fixture(scope="module")
def reader(chromium: Browser) -> Iterator[App]:
    with running_server() as address:
        made, context = new_reader(chromium, address)
        refuse_dialogs(made)
        yield made
        context.close()


def quiet(reader: App) -> None:
    faults = [*reader.errors, *reader.strangers]
    reader.errors.clear()
    reader.strangers.clear()
    assert faults == []


@pytest.mark.parametrize("shown", TAKING, ids=str)
def test_a_view_of_it(reader: App, shown: Shown, tmp_path: Path):
    page = reader.open(shown.path, **shown.link | taking(shown, TEXT))
    quiet(reader)
    menu = page.locator(".st-key-quiet").get_by_role("button", name="Files")
    if menu.count() == 0:
        return
    menu.click()
    expect(page.get_by_role("button", name="CSV", exact=True).last).to_be_visible()
    offline = page.get_by_role("button", name="HTML", exact=True)
    if offline.count() == 0:
        return
    with page.expect_download() as waiting:
        offline.last.click()
    waiting.value.save_as(file := tmp_path / "figure.html")
    other = App(page.context.new_page(), "file:")
    other.watch()
    refuse_dialogs(other)
    other.page.goto(file.as_uri())
    expect(other.page.locator(".gf").first).to_be_attached()
    other.page.close()
    quiet(other)
    quiet(reader)


@pytest.mark.parametrize("view", FRAMES)
def test_bertviz_of_it(reader: App, view: str):
    page = reader.open("attention", bertviz=view, text=MARKUP)
    frame = page.frame_locator("iframe").last
    expect(frame.locator("#bertviz svg").first).to_be_attached()
    quiet(reader)
