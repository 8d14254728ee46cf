"""A lesson as the text of its file: the inverse of reading.py."""

from collections.abc import Iterator, Mapping
from itertools import repeat
from typing import Any, Final
from urllib.parse import urlencode

import yaml

from app.content.lessons.lesson import ENGLISH, Lesson, Predict, Step
from app.content.lessons.pictures import write_pictures
from app.content.lessons.reading import RULE

WIDTH: Final = 98  # characters of a line
LONG: Final = 80  # characters of a value that gets lines of its own


def write(lesson: Lesson, *, pictures: bool = True) -> str:
    """read(write(lesson), lesson.id) is the lesson again, where one was read or passes `read`.

    pictures: with their data.
    """
    blocks = [*_blocks(lesson), *(block for one in lesson.others for block in _blocks(one, lesson))]
    if pictures and lesson.pictures:
        blocks.append(write_pictures(lesson.pictures))
    return "".join(f"{RULE}\n{block.strip()}\n" for block in blocks)


def link(step: Step) -> str:
    """As “Copy link” gives it, without the server's address."""
    return f"{step.page}?{urlencode(step.state)}" if step.state else step.page


def _blocks(lesson: Lesson, first: Lesson | None = None) -> Iterator[str]:
    """In one language. first: the same in the first, where that is another."""
    named = {} if first is None and lesson.language == ENGLISH else {"language": lesson.language}
    yield _yaml({**named, "title": lesson.title, "about": lesson.about})
    before = repeat(None) if first is None else first.steps
    for step, of in zip(lesson.steps, before, strict=False):
        yield f"{_yaml(_fields(step, of))}\n{step.text}"


def _fields(step: Step, of: Step | None) -> Mapping[str, object]:
    """What is not as in the first language."""
    fields: dict[str, object] = {"title": step.title}
    if of is None or (step.page, step.state, step.picture) != (of.page, of.state, of.picture):
        fields["link"] = link(step)
        if step.picture:
            fields["picture"] = step.picture
    if of is None or step.minutes != of.minutes:
        fields["minutes"] = step.minutes
    if step.predict is not None:
        fields["predict"] = _predict(step.predict, None if of is None else of.predict)
    return fields | {name: said for name in ("reveal", "notes") if (said := getattr(step, name))}


def _predict(asked: Predict, of: Predict | None) -> Mapping[str, str]:
    known = {} if of is None else {"ask": of.ask, **of.fields}
    said = {"ask": asked.ask, "question": asked.question, **asked.fields}
    return {name: value for name, value in said.items() if known.get(name) != value}


class _Dumper(yaml.SafeDumper):
    """Long texts on lines of their own; what has lines already in quotes, on one."""


def _text(dumper: yaml.SafeDumper, said: str) -> yaml.ScalarNode:
    folds = len(said) > LONG and " " in said and said == " ".join(said.split())
    style = ">" if folds else '"' if len(said.splitlines()) > 1 else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", said, style)


_Dumper.add_representer(str, _text)


def _yaml(fields: Mapping[str, Any]) -> str:
    return yaml.dump(fields, Dumper=_Dumper, width=WIDTH, allow_unicode=True, sort_keys=False)
