"""Every lesson that comes with the app is played: its links are whole, its answers computed."""

from urllib.parse import parse_qsl

import numpy as np
import pytest

from app.content.lessons import shipped, tour
from app.content.prose import FACT
from app.services import engine
from app.services.questions import QUESTIONS, question
from app.ui.lesson import Place
from core.errors import InputError
from tests.pages.declared import SHOWN
from tests.pages.page import Page

PLACES = [
    Place(one.id, step, language)
    for one in (*shipped().values(), tour())
    for language in ("", *one.languages[1:])
    for step in range(len(one.steps))
]
ASKED = [place for place in PLACES if place.shown.predict is not None]
FIRST = Place("attention", 0)
SENTENCE = {"model": "minilm-l6", "text": "The cat sat because it was tired."}


def named(place: Place) -> str:
    return place.link["lesson"]


def opened(place: Place) -> Page:
    return Page(place.shown.page, **place.link)


def answers(place: Place):
    step = place.shown
    assert step.predict is not None
    asked = question(step.predict.ask, step.predict.fields, step.state)
    return asked.answers(lambda future: future.result(60))


@pytest.mark.parametrize("place", PLACES, ids=named)
def test_its_link_is_of_a_view_that_is_there_and_is_shown_as_it_says(place: Place):
    step = place.shown
    views = [one for one in SHOWN if one.path == step.page]
    assert views, f"{named(place)}: there is no page “{step.page}”"
    for switch in ("view", "part"):  # a link that says neither is of the first
        shown = step.state.get(switch, views[0].link.get(switch))
        views = [one for one in views if one.link.get(switch) == shown]
        assert views, f"{named(place)}: “{step.page}” has no {switch} “{shown}”"
    unknown = step.state.keys() - {*views[0].link, *views[0].params}
    assert not unknown, f"{named(place)}: {views[0]} knows no {', '.join(unknown)}"
    page = opened(place)
    assert step.title in page.text
    assert page.link["lesson"] == place.link["lesson"]
    if step.predict is not None:
        page.press("I don’t know")
    assert page.notices == ""
    written = Page(step.page, **page.link).link
    assert written == page.link


@pytest.mark.parametrize("place", ASKED, ids=named)
def test_its_answer_is_the_models(place: Place):
    found = answers(place)
    assert len(found.options) == len(found.values) >= 2
    assert np.isfinite(found.values).all()
    assert max(found.values) > 0
    reveal = place.shown.reveal
    assert {fact[1] for fact in FACT.finditer(reveal)} <= {"answer", "value"}


@pytest.mark.parametrize("place", ASKED, ids=named)
def test_nothing_is_shown_before_the_prediction_and_all_after(place: Place):
    page, key = opened(place), f"{place.shown.page}.lesson-question"
    assert place.shown.predict is not None
    assert place.shown.predict.question in page.text
    shown = {name for name in page.figures if name.startswith(f"{place.shown.page}.")}
    assert shown == {key, f"{place.shown.page}.link"}
    assert page.answer == ""
    found = answers(place)
    wrong = next(at for at in range(len(found.options)) if not found.is_right(at))
    if found.grid is None:
        page.fire(key, wrong)
    elif found.grid.picture is None:
        page.fire(key, divmod(wrong, found.grid.columns))
    else:
        page.choose(key, wrong)
    assert f"You said {found.options[wrong]}" in page.text
    assert f"**{found.value if found.amount else found.options[found.right]}**" in page.text
    assert key not in page.figures
    assert "0 of 1 right" in page.text


@pytest.mark.parametrize("first", [place for place in PLACES if place.step == 0], ids=named)
def test_it_is_played_from_its_first_step_to_its_last_and_back(first: Place):
    page, lesson = opened(first), first.whole
    for number, step in enumerate(lesson.steps):
        place = first._replace(step=number)
        assert page.link["lesson"] == place.link["lesson"]
        if step.predict is not None:
            page.press("I don’t know")
        if number + 1 < len(lesson.steps):
            page.press("Next")
            place = place._replace(step=number + 1)
            page.go(place.shown.page, **place.link)  # AppTest keeps to the page that it was on
    page.press("Back")
    assert page.link["lesson"] == first._replace(step=len(lesson.steps) - 2).link["lesson"]


def test_the_page_stays_whole_beside_a_step_and_without_it():
    page = opened(FIRST).press("I don’t know")
    page.choose("attention.grid.encoder", [[5, 11]])
    assert page.link.items() >= {"lesson": "attention.1", "heads": "5.11"}.items()
    page.press("Leave the lesson")
    assert "lesson" not in page.link
    assert page.link["heads"] == "5.11"


def test_a_right_prediction_counts():
    page = opened(FIRST)
    page.fire("attention.lesson-question", answers(FIRST).right)
    assert "animal, as you said (attention weight 0.677)" in page.text.replace("*", "")
    assert "1 of 1 right" in page.text


def test_a_step_is_read_in_another_language_and_back():
    page = opened(Place("attention", 0)).press("Deutsch")
    assert page.link["lesson"] == "attention.de.1"
    assert "Ein Wort sieht die anderen an" in page.text
    page.press("I don’t know").press("English")
    assert page.link["lesson"] == "attention.1"
    assert "right" not in page.text  # what was asked in German


def test_home_offers_every_language():
    assert "Deutsch: Attention in 20 Minuten" in Page("").text


def test_a_click_that_is_none_of_the_options_is_no_prediction():
    page = opened(FIRST)
    page.fire("attention.lesson-question", 99)
    assert "attention.lesson-question" in page.figures


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("nobody.1", "There is no lesson “nobody” here"),
        ("attention", "There is no lesson “attention” here"),
        ("attention.0", "1 to 9 go"),
        ("attention.99", "has 9 steps; the link asks for step 99"),
        ("attention.<b>", "1 to 9 go"),
        ("attention.fr.1", "“Attention in 20 minutes” is not in “fr”; en, de go"),
        ("attention.de.99", "has 9 steps; the link asks for step 99"),
    ],
)
def test_a_link_to_no_step_is_told(given: str, told: str):
    page = Page("attention", lesson=given)
    assert told in page.notices
    assert "lesson" not in page.link


def test_home_goes_on_where_the_reader_left():
    page = opened(Place("attention", 2))
    assert "Go on at step 3: A weight, step by step" in page.go("").text


def test_the_question_of_a_pronoun_is_answered_as_the_page_shows_it():
    found = answers(FIRST)
    _, future = engine.request_maps("minilm-l6", FIRST.shown.state["text"])
    trace = future.result(60)
    np.testing.assert_allclose(found.values, trace.attention(3).weights[1, 10], rtol=0, atol=0)
    assert found.options[found.right] == "animal"


@pytest.mark.parametrize(
    ("ask", "said", "told"),
    [
        ("nothing", {}, "There is no question “nothing”; attended token"),
        (
            "attended token",
            {"wrd": "it"},
            "has no field “wrd”; model, text, pair, target, kind",
        ),
        ("attended token", {"head": "3.1"}, "needs “word”"),
        ("attended token", {"head": "3.1", "word": "dog"}, "“dog” is no token of this text"),
        ("attended token", {"head": "31", "word": "it"}, "“31” is no head"),
        ("attended token", {"head": "3.99", "word": "it"}, "has no head 3.99"),
        ("attended token", {"head": "9.0", "word": "it"}, "has no head 9.0"),
    ],
)
def test_a_question_that_cannot_be_asked_is_told(ask: str, said: dict[str, str], told: str):
    with pytest.raises(InputError, match=told.replace(".", r"\.")):
        question(ask, said, SENTENCE).answers(lambda future: future.result(60))


def test_every_question_is_asked_somewhere():
    assert {place.shown.predict.ask for place in ASKED if place.shown.predict} == set(QUESTIONS)


def test_the_browser_is_told_where_the_reader_stands():
    page = opened(Place("attention", 2))
    standing = page.figures["lesson-keys"].header["standing"]
    assert (standing["path"], standing["step"], standing["steps"]) == ("attention", 2, 9)
    assert dict(parse_qsl(standing["search"])) == Place("attention", 2).link
    assert "lesson-resume" in page.go("").figures
    assert opened(Place("tour", 1)).figures["lesson-keys"].header["standing"] is None
