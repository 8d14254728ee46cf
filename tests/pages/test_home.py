"""Home and its links: every lecture lands on what it promises."""

import pytest

from app.content.lectures import LECTURES, Topic
from tests.pages.page import Page

TOPICS = [topic for _, topics in LECTURES for topic in topics if topic.page != "later"]


def test_home_says_what_it_is_and_lists_every_lecture():
    page = Page()
    assert page.title[0].value == "See what a Transformer does with your own sentence"
    links = [link.label for link in page.get("page_link")]
    numbered = [(step, topic) for _, topics in LECTURES for step, topic in enumerate(topics, 1)]
    told = [f"{step}\\. {topic.title} · {topic.minutes} min" for step, topic in numbered]
    doors = ["**Look inside in two minutes**", "**Measure something**"]
    assert [label for label in links if label in (*told, *doors)] == doors + told
    assert "Prepare a lecture" in page.text


def test_the_live_head_is_the_one_that_looks_from_it_to_animal():
    maps = Page().figures["home.picture"].arrays["maps"]
    assert maps.max() == pytest.approx(0.677, abs=5e-4)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.title)
def test_a_lecture_is_shown_as_its_link_says(topic: Topic):
    written = Page(topic.page, **topic.state).link
    assert topic.state.items() <= written.items()
