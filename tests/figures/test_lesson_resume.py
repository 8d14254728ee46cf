"""A lesson that was left is gone on with, until its end, or until the reader forgets it."""

from playwright.sync_api import Page, expect

from app.components.frame import pack
from app.components.lesson_keys import Standing
from tests.figures.conftest import Mount

FRAME = pack({"base": "/gf"}, {})


def stand(mount: Mount, step: int, title: str = "Attention") -> None:
    standing = Standing("attention", "lesson=attention.4&heads=3.1", title, step, 9)
    mount("lesson_keys").give(pack({"standing": standing}, {}))


def test_it_leads_back_and_is_forgotten(mount: Mount, page: Page):
    stand(mount, 3, "<b>A</b>")
    mount("lesson_resume").give(FRAME)
    link = page.get_by_role("link", name="Go on: step 4 of 9 · <b>A</b>")
    expect(link).to_have_attribute("href", "/gf/attention?lesson=attention.4&heads=3.1")
    page.get_by_role("button", name="Forget").click()
    expect(link).to_have_count(0)
    assert page.evaluate("localStorage.getItem('glassformer.lesson')") is None


def test_nothing_is_left_at_the_end(mount: Mount, page: Page):
    stand(mount, 3)
    stand(mount, 8)
    mount("lesson_resume").give(FRAME)
    expect(page.get_by_role("link")).to_have_count(0)


def test_what_is_not_ours_is_left_alone(mount: Mount, page: Page):
    figure = mount("lesson_resume")
    for kept in (
        "{",
        "7",
        '{"path": "//evil.org", "search": "", "title": "", "step": 1, "steps": 2}',
    ):
        page.evaluate("(kept) => localStorage.setItem('glassformer.lesson', kept)", kept)
        figure.give(FRAME)
        expect(page.get_by_role("link")).to_have_count(0)
