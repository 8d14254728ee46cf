"""A reader's own lesson: opened from a file or a link, listed, played; what is wrong is told."""

import pytest

from app.content.lessons import FILE, shipped
from app.content.lessons.reading import LARGEST
from app.content.lessons.sharing import packed
from app.content.lessons.writing import write
from tests.pages.page import Page

LESSON = """---
title: Mine
about: Of my own.
---
title: First
link: https://somewhere.org/glassformer/attention?heads=3.1&lesson=attention.4
notes: Wait for it.

Look at *it*.
---
title: Second
link: blocks?part=root

Then here.
"""
NAME = "own-mine"


def given(text: str | bytes, name: str = "mine.md") -> Page:
    """Home, with the file opened."""
    return open_on(Page(), text, name)


def open_on(page: Page, text: str | bytes, name: str = "mine.md") -> Page:
    (field,) = (one for one in page.file_uploader if (one.key or "").startswith("lesson.own:"))
    content = text if isinstance(text, bytes) else text.encode()
    field.set_value((name, content, "text/markdown")).run()
    return page


def labels(page: Page) -> list[str]:
    return [link.label for link in page.get("page_link")]


def test_a_file_is_listed_with_the_others_and_played():
    page = given(LESSON)
    assert "**Mine**" in labels(page)
    assert "**Attention in 20 minutes**" in labels(page)
    assert "2 steps, about 4 minutes" in page.text
    page.go("attention", lesson=f"{NAME}.1", heads="3.1")
    assert "Look at *it*." in page.text
    assert page.link.items() >= {"lesson": f"{NAME}.1", "heads": "3.1"}.items()
    page.press("Next").go("blocks", lesson=f"{NAME}.2", part="root")
    assert "Then here." in page.text
    assert "Go on at step 2: Second" in page.go("").text


def test_a_link_to_a_step_holds_the_lesson():
    page = given(LESSON)
    link = page.go("attention", lesson=f"{NAME}.1").link
    other = Page("attention", **link)
    assert "Look at *it*." in other.text
    assert other.link == link
    assert "**Mine**" in labels(other.go(""))


def test_a_long_lesson_is_played_and_its_link_says_what_is_missing():
    words = " ".join(str(number**9) for number in range(3000))
    page = given(f"{LESSON}\n{words}")
    page.go("attention", lesson="own-mine.1")
    assert FILE not in page.link
    assert "too long for a link" in page.too_long
    other = Page("attention", **page.link)
    assert "“mine” is somebody’s own lesson, and this link is without its file" in other.notices
    assert "lesson" not in other.link


@pytest.mark.parametrize(
    ("link", "told"),
    [
        (packed(LESSON)[:-9], "cut off or damaged"),  # type: ignore[index]
        ("§", "cut off or damaged (1 characters came)"),
        (packed("---\ntitle: x\n---\n"), "“about:” is missing"),
        (packed(LESSON.replace("blocks", "block")), "there is no page “block”; attention, tok"),
        (packed("0" * (LARGEST + 1)), f"more than {LARGEST:,} characters"),
    ],
)  # fmt: skip
def test_a_link_with_a_bad_lesson_is_told_and_the_page_is_shown(link: str, told: str):
    page = Page("attention", lesson=f"{NAME}.1", heads="3.1", lesson_file=link)
    assert told in page.notices
    assert page.link == {"heads": "3.1"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Just words.", "Line 1: a lesson begins with its title and about"),
        (LESSON.replace("Mine", "Mine: it"), "Line 2: this is no YAML: mapping values are not"),
        (LESSON.replace("blocks", "vision2"), "Line 12: there is no page “vi"),
        (LESSON + "<img src=x onerror=alert(1)>", "Line 15: HTML does not go"),
        (LESSON.encode("utf-16")[2:], "“mine.md” is no text in UTF-8"),
        (b"\x89PNG" + bytes(50_000_000), "“mine.md” has 50.0 MB"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_lesson_is_told_and_nothing_is_lost(text: str | bytes, told: str):
    page = given(LESSON)
    open_on(page, text)
    assert told in page.notices
    assert {"**Mine**", "**Attention in 20 minutes**"} <= {*labels(page)}
    page.go("attention", lesson="own-mine.1")
    assert "Look at *it*." in page.text


def test_a_newer_file_of_the_same_title_takes_the_place_of_the_older():
    page = given(LESSON)
    page.go("attention", lesson="own-mine.1")
    open_on(page.go(""), LESSON.replace("Look at", "Point at"))
    assert labels(page).count("**Mine**") == 1
    assert "Point at *it*." in page.go("attention", lesson="own-mine.1").text


def test_a_step_that_is_gone_leaves_the_page_alone():
    page = given(LESSON)
    page.go("blocks", lesson="own-mine.2", part="root")
    open_on(page.go(""), LESSON[: LESSON.index("---\ntitle: Second")])
    assert "Go on at step 2" not in page.text
    page.go("blocks")
    assert "Then here." not in page.text


def test_a_view_that_no_longer_exists_is_told_in_its_step():
    page = given(LESSON.replace("part=root", "part=gone"))
    page.go("blocks", lesson="own-mine.2", part="gone")
    assert "Then here." in page.text
    assert "gone" in page.notices


def test_a_shipped_lesson_opened_as_a_file_stands_beside_it():
    page = given(write(shipped()["attention"]))
    assert labels(page).count("**Attention in 20 minutes**") == 2
    assert labels(page).count("Deutsch: Attention in 20 Minuten") == 2
    page.go("attention", lesson="own-attention-in-20-minutes.de.1")
    assert "Ein Wort sieht die anderen an" in page.text
