"""Every view opens on its answer: one sentence, made of the numbers that its figure shows."""

from typing import Final

import pytest

from tests.pages.answers import of_blocks, of_pictures, of_texts
from tests.pages.declared import SHOWN, Shown
from tests.pages.page import Page

LONGEST: Final = 330  # characters: two lines at 1440 px
NUMBERS: Final = {**of_texts.NUMBERS, **of_blocks.NUMBERS, **of_pictures.NUMBERS}
WITHOUT: Final = {
    "home": "three doors and the live figure of Attention, whose page has the sentence",
    "about": "no figure",
    "editor": "no figure: steps that the reader writes",
    "handout": "no figure without a lesson",
    "notes": "no figure: what another window shows",
    "blocks-cost-measured": "nothing is measured until the reader asks for it",
}


@pytest.mark.parametrize("shown", SHOWN, ids=str)
def test_every_view_opens_on_an_answer_made_of_its_numbers(shown: Shown):
    page = Page(shown.path, **shown.link)
    said = page.answer
    if str(shown) in WITHOUT:
        assert said == ""
        return
    assert any(sign.isdigit() for sign in said), said
    assert said.endswith("."), said
    assert len(said) <= LONGEST, said
    for number in NUMBERS[str(shown)](page):
        assert number in said
