"""A lesson on paper: all that is said, every question with its blank, the models' answers last."""

from urllib.parse import parse_qs, urlsplit

import pytest

from app.content.lessons import shipped
from app.services.questions import question
from app.style.markdown_escape import plain
from app.ui.lesson import Place
from tests.pages.page import Page
from tests.pages.test_own_lessons import LESSON, labels, open_on

FIRST = [place for name in shipped() for place in (Place(name, 0), *Place(name, 0).others.values())]


def frames(page: Page) -> list[str]:
    return [one.proto.src for one in page._of_type("iframe")]


@pytest.mark.parametrize("place", FIRST, ids=lambda place: f"{place.lesson}{place.language}")
def test_a_lesson_on_paper(place: Place):
    page = Page("handout", **place.named)
    said = [one.value for one in page.markdown]
    end = said.index("## Answers")
    for number, step in enumerate(place.whole.steps, 1):
        assert f"## {number}. {plain(step.title)}" in said[:end]
        assert step.text in said[:end]
        if step.predict is None:
            continue
        assert f"**{step.predict.question}**" in said[:end]
        answers = question(step.predict.ask, step.predict.fields, step.state).answers(
            lambda future: future.result()
        )
        at = said.index(f"### {number}. {plain(step.title)}")
        assert at > end
        right = (
            answers.value if answers.amount is not None else plain(answers.options[answers.right])
        )
        assert f"**{right}**" in said[at + 1]
        assert "{{" not in said[at + 2]
    opened = [urlsplit(one) for one in frames(page)]
    asked = [step for step in place.whole.steps if step.predict is not None]
    quiet = [step for step in place.whole.steps if step.predict is None]
    assert [one.path.strip("/") for one in opened] == [step.page for step in (*quiet, *asked)]
    for frame, step in zip(opened, (*quiet, *asked), strict=True):
        link = {name: value for name, (value,) in parse_qs(frame.query).items()}
        assert link == {**step.state, "embed": "true", "embed_options": "light_theme"}


def test_a_lesson_of_one_s_own_has_its_handout():
    page = open_on(Page(), LESSON).go("handout")
    assert page.title[0].value == "Handouts"
    assert "Mine" in labels(page)
    said = [one.value for one in page.go("handout", lesson="own-mine.1").markdown]
    assert "Look at *it*." in said
    assert "## Answers" not in said  # nothing is asked
    assert len(frames(page)) == 2


@pytest.mark.parametrize("name", ["nonsense", "attention.99", "own-gone.1", "</script>", ""])
def test_a_lesson_that_is_not_there_is_told(name: str):
    page = Page("handout", lesson=name)
    assert page.warning
    assert page.title[0].value == "Handouts"
