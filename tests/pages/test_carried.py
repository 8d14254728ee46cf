"""A reader's own sentence follows them; a page that is left is found as it was."""

import pytest

from tests.pages.page import Page

OWN = "The *parrot* sat on the windowsill and sang."
CHIP = r"yours: The \*parrot\* sat on the …"


def typed() -> Page:
    page = Page("attention")
    page.text_area(key="attention.text").set_value(OWN).run()
    return page


@pytest.mark.parametrize(
    ("path", "view"),
    [
        *(("bert", "words"), ("gpt", "next"), ("gpt", "surprise"), ("gpt", "beside")),
        *(("transformer", "decode"), ("tokenizers", "text"), ("positions", "order")),
    ],
)
def test_other_pages_offer_it_first(path: str, view: str):
    page = typed().go(path, view=view)
    group = next(one for one in page.button_group if one.key.endswith(".example"))
    assert group.options[0] == CHIP
    group.set_value(CHIP).run()
    assert any(area.value == OWN for area in (*page.text_area, *page.text_input))
    group = next(one for one in page.button_group if one.key.endswith(".example"))
    assert CHIP not in group.options  # it is shown already


def test_an_example_or_a_link_is_nobodys_own():
    page = Page("attention", text=OWN).go("bert")
    assert not any("yours" in option for one in page.button_group for option in one.options)


def test_a_page_is_found_as_it_was_left():
    page = typed()
    page.choose("attention.grid.encoder", [[2, 5]])
    left = page.link
    page.go("about").go("attention")
    assert page.link == left
    page.go("about").go("attention", text="The cat sat.")  # a link is as it says
    assert page.link["text"] == "The cat sat."
    assert "heads" not in page.link or page.link["heads"] != "2.5"


def test_start_over_is_a_step():
    page = typed()
    step = page.figures["attention.link"].header["step"]
    page.press("Start over")
    assert page.text_area(key="attention.text").value != OWN
    assert page.figures["attention.link"].header["step"] == step + 1
