"""A reader's own picture follows them, and stays while they are away."""

import io

import numpy as np
import pytest
from PIL import Image

from tests.pages.page import Page

YOURS = "your picture"
RED = (200, 30, 30)


def given() -> Page:
    """A page on which a red picture was given."""
    page = Page("vision", view="patches")
    buffer = io.BytesIO()
    Image.new("RGB", (200, 200), RED).save(buffer, "PNG")
    (widget,) = (each for each in page.file_uploader if (each.key or "").startswith("vision.pic"))
    widget.set_value(("red.png", buffer.getvalue(), "image/png")).run()
    return page


def is_red(page: Page, key: str, index: int = 0) -> bool:
    picture = page.figures[key].arrays[f"picture{index}"].astype(int)
    return bool((np.abs(picture - RED) < 12).all())


def chips(page: Page) -> list[str]:
    return [option for group in page.button_group for option in group.options]


def take(page: Page) -> None:
    group = next(one for one in page.button_group if YOURS in one.options)
    group.set_value(YOURS).run()


def test_every_vision_view_shows_it():
    page = given()
    assert is_red(page, "vision.patches.picture")
    page.button_group(key="vision.view").set_value("attention").run()
    assert is_red(page, "vision.attention.picture")
    assert YOURS not in chips(page)  # it is shown already
    assert page.answer


def test_going_away_and_coming_back_keeps_it():
    page = given().go("about").go("vision")
    assert is_red(page, "vision.patches.picture")


def test_back_to_another_view_keeps_it():
    page = given()
    page.button_group(key="vision.view").set_value("attention").run()
    page.fire("vision.link", {"step": 0, "search": "", "count": 1})
    assert is_red(page, "vision.patches.picture")


def test_a_link_shows_its_sample_and_offers_it():
    page = given().go("about").go("vision", view="patches", picture="coffee")
    assert not is_red(page, "vision.patches.picture")
    take(page)
    assert is_red(page, "vision.patches.picture")
    assert page.link["picture"] == "coffee"
    next(b for b in page.button if b.label == "Back to the sample").click().run()
    assert not is_red(page, "vision.patches.picture")
    assert YOURS in chips(page)


@pytest.mark.parametrize(
    ("path", "link", "key"),
    [
        ("blocks", {"view": "objectives", "part": "pictures"}, "blocks.objectives.pictures.row"),
        ("blocks", {"view": "tuning", "part": "lora"}, ""),
        ("positions", {"view": "order"}, ""),
    ],
)
def test_other_pages_offer_it_first(path: str, link: dict[str, str], key: str):
    page = given().go(path, **link)
    take(page)
    assert "Your own picture is shown" in page.text
    assert YOURS not in chips(page)
    assert not key or is_red(page, key)


def test_without_one_nothing_is_offered():
    assert YOURS not in chips(Page("vision", view="patches"))
