"""Predict, then see: views ask first where the reader wants it, and give nothing away before."""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from app.services import decoder, direct_logits, encoder, silencing, vision
from app.services.questions import (
    Answers,
    AttendedToken,
    PatchFor,
    PushedToken,
    Question,
    Silenced,
    WordAt,
)
from core.interventions import SilenceHead
from core.trace import AttentionKind
from tests.pages.page import Page

CAT = vision.sample("cat")
SESSION = "glassformer-session.json"
OWL = "The owl saw the mouse before it ran."
VICTOR = "The native language of Victor Hugo is [MASK]."
HERO = {"model": "minilm-l6", "text": OWL, "heads": "3.1", "pin": "7"}
PROMPT = "Paris is the capital of"


def at_the_prompt() -> silencing.Question:
    step = decoder.next_step("gpt-mini", PROMPT).result(60)
    return silencing.Question("gpt-mini", PROMPT, len(step.encoding) - 1)


def best_class() -> int:
    return int(vision.probabilities("vit-mini", CAT, ((),)).result(60)[0].argmax())


def strongest() -> PushedToken:
    """Of the token that the head writes most for, among those of the text."""
    found = direct_logits.circuits("bert-mini", OWL, 2, 1).result(60)
    vocabulary = encoder.vocabulary("bert-mini").result(60)
    source = int(np.unravel_index(int(found.ov.argmax()), found.ov.shape)[0])
    return PushedToken(found, vocabulary, source)


class Asked(NamedTuple):
    """A view that asks, what it asks, and the figures that may stand beside the question."""

    page: str
    key: str
    link: dict[str, str]
    question: Callable[[], Question]
    beside: tuple[str, ...] = ()
    other: dict[str, str] = {}  # noqa: RUF012  # a change of the input


LOOKS = AttendedToken(model="minilm-l6", text=OWL, kind="encoder", head="3.1", word="it")
VIEWS = {
    "one sentence": Asked(
        "attention", "attention.prediction", HERO, lambda: LOOKS, other={"text": "A cat sat on it."}
    ),
    "another head": Asked(
        "attention",
        "attention.prediction",
        HERO,
        lambda: LOOKS,
        other={"heads": "2.2"},
    ),
    "step by step": Asked(
        "attention",
        "attention.prediction",
        {"view": "steps", "model": "minilm-l6", "text": OWL, "heads": "3.1"},
        lambda: replace(LOOKS, word="ran"),
    ),
    "queries and keys": Asked(
        "attention",
        "attention.prediction",
        {"view": "space", "model": "minilm-l6", "text": OWL, "heads": "3.1"},
        lambda: replace(LOOKS, word="ran"),
    ),
    "masked words": Asked(
        "bert",
        "bert.prediction",
        {"model": "minilm-mlm", "text": VICTOR},
        lambda: WordAt(silencing.Question("minilm-mlm", VICTOR, 8)),
        ("bert.tokens",),
    ),
    "next word": Asked(
        "gpt",
        "gpt.prediction",
        {"model": "gpt-mini", "text": PROMPT},
        lambda: WordAt(at_the_prompt()),
        other={"text": "He was born in"},
    ),
    "circuits": Asked(
        "bert",
        "bert.circuits.prediction",
        {"view": "circuits", "model": "bert-mini", "text": OWL, "circuit": "2.1"},
        strongest,
        other={"circuit": "3.0"},
    ),
    "why this class": Asked(
        "vision",
        "vision.why.prediction",
        {"view": "why", "model": "vit-mini", "picture": "cat"},
        lambda: PatchFor("vit-mini", CAT, best_class()),
    ),
}


def answers(question: Question) -> Answers:
    return question.answers(lambda future: future.result(60))


def wrong_of(found: Answers) -> int:
    return next(at for at in range(len(found.options)) if not found.is_right(at))


def click(page: Page, asked: Asked, found: Answers, option: int) -> Page:
    if found.grid is None:
        return page.fire(asked.key, option)
    return page.choose(asked.key, option)


@pytest.mark.parametrize("asked", VIEWS.values(), ids=VIEWS)
def test_nothing_is_told_before_the_prediction_and_all_after(asked: Asked):
    page = Page(asked.page, predict="1", **asked.link)
    shown = {name for name in page.figures if name.startswith(f"{asked.page}.")}
    assert shown == {asked.key, f"{asked.page}.link", *asked.beside}
    assert page.files == (SESSION,)
    assert page.link.items() >= {"predict": "1"}.items()
    found = answers(asked.question())
    click(page, asked, found, wrong := wrong_of(found))
    assert f"You said {found.options[wrong]}" in page.text
    assert "0 of 1 right" in page.text
    assert asked.key not in page.figures
    assert page.answer
    assert len(page.files) > 1
    assert page.link == Page(asked.page, **asked.link).link | {"predict": "1"}


@pytest.mark.parametrize("asked", VIEWS.values(), ids=VIEWS)
def test_without_the_switch_nothing_is_asked(asked: Asked):
    page = Page(asked.page, **asked.link)
    assert asked.key not in page.figures
    assert "predict" not in page.link
    assert page.answer


@pytest.mark.parametrize(
    "asked", [asked for asked in VIEWS.values() if asked.other], ids=lambda asked: str(asked.other)
)
def test_another_input_is_asked_about_anew_and_the_first_stays_answered(asked: Asked):
    page = Page(asked.page, predict="1", **asked.link)
    page.press("I don’t know")
    assert asked.key not in page.figures
    page.query_params.clear()
    page.go("")
    page.go(asked.page, **{**asked.link, **asked.other})
    assert asked.key in page.figures
    assert page.answer == ""
    page.go("")
    page.go(asked.page, **asked.link)
    assert asked.key not in page.figures


def test_a_click_on_another_head_asks_of_it_before_it_is_shown():
    page = Page("attention", predict="1", **HERO).press("I don’t know")
    page.choose("attention.grid.encoder", [[5, 11]])
    assert "Head 5.11 at it" in page.text.replace("*", "")
    assert "attention.view.encoder" not in page.figures
    page.press("I don’t know")
    assert page.link["heads"] == "5.11"


def test_a_right_answer_counts_and_its_surprise_is_told():
    page = Page("attention", predict="1", **HERO)
    found = answers(LOOKS)
    page.fire("attention.prediction", found.right)
    said = page.text.replace("*", "")
    assert f"{found.options[found.right]}, as you said (attention weight {found.value})" in said
    assert "1 of 1 right" in said
    bits, even = re.findall(r"That is ([\d.]+) bits.* among 11 has ([\d.]+)\.", said)[0]
    assert float(bits) == pytest.approx(-math.log2(max(found.values)), abs=0.01)
    assert float(even) == pytest.approx(3.46)


def test_what_silencing_does_is_asked_first():
    link = {"model": "gpt-mini", "text": PROMPT, "silence": "1", "silent": "0.0"}
    page = Page("gpt", predict="1", **link).press("I don’t know")
    assert "gpt.next.prediction-silenced" in page.figures
    assert "gpt.next.silenced-bars" not in page.figures
    assert "Without layer 0" not in page.text
    at = at_the_prompt()
    change = (SilenceHead(0, 0, AttentionKind.DECODER, "zero"),)
    before = silencing.predictions(at, ()).result(60)[0]
    found = answers(Silenced(at, change, before.top(1)[0]))
    page.fire("gpt.next.prediction-silenced", found.right)
    assert f"You said {found.options[found.right]}" in page.text
    assert "1 of 2 right" in page.text
    assert "gpt.next.silenced-bars" in page.figures


def test_a_lesson_asks_by_itself():
    page = Page("attention", predict="1", lesson="attention.1")
    assert "attention.lesson-question" in page.figures
    page.press("I don’t know")
    assert "attention.prediction" not in page.figures
    assert page.answer


def test_one_switch_is_of_all_pages():
    page = Page("gpt")
    page.toggle(key="gpt.predict").set_value(True).run()
    assert "gpt.prediction" in page.figures
    assert "attention.prediction" in page.go("attention").figures
    assert page.link == {"predict": "1"}
    page.toggle(key="attention.predict").set_value(False).run()
    assert "attention.prediction" not in page.figures
    assert "gpt.prediction" not in page.go("gpt").figures


def test_a_view_without_a_question_is_as_it_was():
    page = Page("positions", predict="1")
    assert page.answer == Page("positions").answer
    assert page.answer


def test_an_option_that_is_none_is_no_prediction():
    page = Page("gpt", predict="1").fire("gpt.prediction", 99)
    assert "gpt.prediction" in page.figures
