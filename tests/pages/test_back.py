"""The browser's Back within a page, as its permalink tells of it."""

from itertools import count
from urllib.parse import urlencode

import pytest

from tests.pages.page import Page

COUNTS = count(1)


def step(page: Page) -> int:
    return page.figures[f"{page.path}.link"].header["step"]


def go_back(page: Page, number: int, **link: str) -> Page:
    search = f"?{urlencode(link)}"
    return page.fire(f"{page.path}.link", {"step": number, "search": search, "count": next(COUNTS)})


def test_a_new_text_is_a_step_and_a_selection_is_none():
    page = Page("attention")
    assert step(page) == 0
    page.choose("attention.grid.encoder", [[2, 5]])
    assert step(page) == 0
    page.text_area(key="attention.text").set_value("The cat sat.").run()
    assert step(page) == 1
    go_back(page, 0, heads="2.5")
    assert page.link == {"heads": "2.5"}
    assert step(page) == 0
    assert page.text_area(key="attention.text").value != "The cat sat."
    go_back(page, 1, heads="2.5", text="The cat sat.")  # forward
    assert page.text_area(key="attention.text").value == "The cat sat."
    assert step(page) == 1


def test_a_change_of_view_and_of_part_is_undone():
    page = Page("blocks")
    first = page.link
    page.button_group(key="blocks.view").set_value("norms").run()
    assert (page.link["view"], step(page)) == ("norms", 1)
    page.button_group(key="blocks.norms.part").set_value("vectors").run()
    assert (page.link["part"], step(page)) == ("vectors", 2)
    go_back(page, 1, view="norms")
    assert page.link == {"view": "norms"}
    go_back(page, 0, **first)
    assert page.link == first


def test_a_text_too_long_for_a_link_is_there_again():
    page = Page("tokenization")
    corpus = "abcd " * 700
    page.text_area(key="tokenization.corpus").set_value(corpus).run()
    after = page.link
    assert "corpus" not in after
    go_back(page, 0)
    assert page.text_area(key="tokenization.corpus").value != corpus
    go_back(page, 1, **after)
    assert page.text_area(key="tokenization.corpus").value == corpus


def test_coming_from_another_page_begins_anew():
    page = Page("attention")
    page.text_area(key="attention.text").set_value("The cat sat.").run()
    page.go("about").go("attention")
    assert step(page) == 0


@pytest.mark.parametrize(
    "told",
    [
        "",
        {},
        {"step": -1, "search": "", "count": 1},
        {"step": 10**9, "search": "", "count": 1},
        {"step": 0, "search": 3, "count": 1},
        {"step": 0, "search": "", "count": -1},
        {"step": 0, "search": ""},
    ],
)
def test_nonsense_is_no_way_back(told: object):
    page = Page("attention", text="The cat sat.")
    page.fire("attention.link", told)
    assert page.link["text"] == "The cat sat."


def test_a_made_up_entry_is_read_as_any_link():
    page = Page("attention")
    go_back(page, 0, heads="99.1", model="no-such-model", text="\x00<script>")
    assert "text" in page.link
    assert page.link.get("model") != "no-such-model"
