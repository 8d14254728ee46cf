"""Changes of a lesson that keep its languages in step with one another."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from app.content.lessons import pictures
from app.content.lessons.lesson import OPENED_ON, Lesson, Predict, Step
from app.content.lessons.pictures import Picture

Steps = tuple[Step, ...]
SHARED: Final = (
    "page",
    "state",
    "minutes",
    "picture",
)  # languages that have one of these in common keep so
RULE: Final = re.compile(r"^---[ \t]*$", re.MULTILINE)  # it would begin a step


def moved(lesson: Lesson, at: int, to: int) -> Lesson:
    """The step stands elsewhere."""

    def move(steps: Steps) -> Steps:
        rest = (*steps[:at], *steps[at + 1 :])
        return (*rest[:to], steps[at], *rest[to:])

    return _each(lesson, move)


def removed(lesson: Lesson, at: int) -> Lesson:
    return _each(lesson, lambda steps: (*steps[:at], *steps[at + 1 :]))


def added(lesson: Lesson, step: Step, at: int) -> Lesson:
    """With one more step, in the same words in every language."""
    return _each(lesson, lambda steps: (*steps[:at], step, *steps[at:]))


def changed(lesson: Lesson, language: str, at: int, **said: Any) -> Lesson:
    """A step of one language says this now; the others follow where they have to."""
    old = lesson.said_in(language).steps[at]
    if "text" in said:
        said["text"] = RULE.sub("***", said["text"])
    if said.get("page", old.page) not in OPENED_ON:
        said["picture"] = ""

    def change(one: Lesson) -> Lesson:
        step = one.steps[at]
        mine = one.language == lesson.said_in(language).language
        new = replace(step, **(said if mine else _followed(step, old, said)))
        return replace(one, steps=(*one.steps[:at], new, *one.steps[at + 1 :]))

    return replace(change(lesson), others=tuple(map(change, lesson.others)))


def illustrated(lesson: Lesson, at: int, name: str, picture: Picture, alt: str) -> Lesson:
    """With one more picture, below the step's text in every language."""
    line = pictures.line(alt, name)

    def show(steps: Steps) -> Steps:
        step = replace(steps[at], text=f"{steps[at].text}\n\n{line}")
        return (*steps[:at], step, *steps[at + 1 :])

    return replace(_each(lesson, show), pictures={**lesson.pictures, name: picture})


def bare(lesson: Lesson, name: str) -> Lesson:
    """Without this picture; a text that was nothing else says the step’s title."""

    def strip(steps: Steps) -> Steps:
        return tuple(
            replace(
                step,
                text=pictures.without(step.text, name) or step.title,
                picture="" if step.picture == name else step.picture,
            )
            for step in steps
        )

    rest = {other: one for other, one in lesson.pictures.items() if other != name}
    return replace(_each(lesson, strip), pictures=rest)


def entitled(lesson: Lesson, language: str, **said: str) -> Lesson:
    """Its title, or what it is about, is this in one of its languages."""
    if language == lesson.language:
        return replace(lesson, **said)
    others = (
        replace(other, **said) if other.language == language else other for other in lesson.others
    )
    return replace(lesson, others=tuple(others))


def _followed(step: Step, old: Step, said: dict[str, Any]) -> dict[str, Any]:
    """What a step of another language says, where the step that was `old` now says this."""
    new = {
        name: said[name]
        for name in SHARED
        if name in said and getattr(step, name) == getattr(old, name)
    }
    if said.get("reveal") and not step.reveal:
        new["reveal"] = said["reveal"]  # needed in every language, or in none
    if "predict" in said:
        new["predict"] = _asked(said["predict"], step.predict)
    return new


def _asked(predict: Predict | None, there: Predict | None) -> Predict | None:
    """The same with the question that is there."""
    if predict is None or there is None:
        return predict
    return replace(predict, question=there.question)


def _each(lesson: Lesson, change: Callable[[Steps], Steps]) -> Lesson:
    others = tuple(replace(other, steps=change(other.steps)) for other in lesson.others)
    return replace(lesson, steps=change(lesson.steps), others=others)
