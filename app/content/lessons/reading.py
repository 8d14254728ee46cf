"""A lesson's file: front matter, then steps, each after a line of `---`.

    ---
    title: Attention in 20 minutes
    about: What a head is.
    ---
    title: One head
    link: attention?model=minilm-l6&heads=3.1&text=The+cat+sat.
    minutes: 3
    predict:
      ask: attended token
      question: Which word does “it” look at most?
      word: it
    reveal: >
      What is said once the answer is there.
    notes: For who teaches.

    The step's text, in Markdown, after the first empty line.

The link is what “Copy link” gives, with or without the server's address. All values are read as
they are written: 3.10 stays 3.10. What is wrong is told with its line, as InputError.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, NoReturn, cast
from urllib.parse import parse_qsl, urlsplit

import yaml

from app.content.lessons.lesson import Lesson, Predict, Step
from core.errors import InputError

LARGEST: Final = 500_000  # characters
RULE: Final = "---"
OF_A_LESSON: Final = ("title", "about")
OF_A_STEP: Final = ("title", "link", "minutes", "predict", "reveal", "notes")
USUAL: Final = 2  # minutes
LONGEST: Final = 60
CODE: Final = re.compile(r"`[^`]*`")
MARKUP: Final = re.compile(r"</?[a-zA-Z][^>]*>|<!")
PICTURE: Final = re.compile(r"!\[")


class _Field(NamedTuple):
    node: yaml.Node
    line: int


def read(text: str, name: str) -> Lesson:
    """The lesson of this text, known by `name` in links."""
    if len(text) > LARGEST:
        raise InputError(
            f"The lesson has {len(text):,} characters; {LARGEST:,} go. Pictures stay outside: "
            "link to a view that shows them."
        )
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    _refuse_markup(lines)
    rules = [at for at, line in enumerate(lines) if line.rstrip() == RULE]
    if rules[:1] != [0] or len(rules) < 2:
        _wrong(1, f"a lesson begins with its title and about, between two lines of {RULE}.")
    front, *steps = [
        (start + 2, lines[start + 1 : end]) for start, end in pairwise((*rules, len(lines)))
    ]
    given = _fields(*front, "a lesson", OF_A_LESSON)
    title, about = (_needed(given, field, 2) for field in OF_A_LESSON)
    read_steps = tuple(_step(*step) for step in steps if any(map(str.strip, step[1])))
    if not read_steps:
        _wrong(len(lines), f"there is no step: each begins after a line of {RULE}.")
    return Lesson(name, title, about, read_steps)


def _step(first: int, lines: Sequence[str]) -> Step:
    began = next(at for at, line in enumerate(lines) if line.strip())
    first, lines = first + began, lines[began:]
    ends = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    given = _fields(first, lines[:ends], "a step", OF_A_STEP)
    text = "\n".join(lines[ends:]).strip()
    if not text:
        _wrong(first, "this step has no text. It stands below the fields, after an empty line.")
    page, state = _link(_needed(given, "link", first), given["link"].line)
    return Step(
        title=_needed(given, "title", first),
        text=text,
        page=page,
        state=state,
        minutes=_minutes(given.get("minutes")),
        predict=_predict(given.get("predict")),
        reveal=_text(given, "reveal"),
        notes=_text(given, "notes"),
    )


def _predict(field: _Field | None) -> Predict | None:
    if field is None:
        return None
    given = _mapping(field.node, field.line, "predict")
    fields = {name: _text(given, name) for name in given}
    ask, question = (_needed(given, name, field.line) for name in ("ask", "question"))
    del fields["ask"], fields["question"]
    return Predict(ask, question, fields)


def _link(given: str, line: int) -> tuple[str, Mapping[str, str]]:
    try:
        split = urlsplit(given)
        state = dict(parse_qsl(split.query, keep_blank_values=True, strict_parsing=True))
    except ValueError:
        _wrong(line, f"“{given}” is no link. It reads page?name=value&name=value.")
    return split.path.strip("/"), state


def _minutes(field: _Field | None) -> int:
    if field is None:
        return USUAL
    given = _scalar(field, "minutes")
    if not re.fullmatch("[0-9]{1,2}", given) or not 1 <= int(given) <= LONGEST:
        _wrong(field.line, f"minutes are {given}; whole numbers from 1 to {LONGEST} go.")
    return int(given)


def _fields(
    first: int, lines: Sequence[str], what: str, allowed: Sequence[str]
) -> dict[str, _Field]:
    try:
        node = cast("yaml.Node | None", yaml.compose("\n".join(lines), yaml.BaseLoader))
    except yaml.MarkedYAMLError as error:
        line = first + (error.problem_mark.line if error.problem_mark else 0)
        _wrong(line, f"this is no YAML: {error.problem}.")
    except (yaml.YAMLError, RecursionError):
        _wrong(first, "what begins here is no YAML.")
    given = _mapping(node, first, what)
    for name, field in given.items():
        if name not in allowed:
            _wrong(field.line, f"{what} has no field “{name}”; {', '.join(allowed)} go.")
    return given


def _mapping(node: yaml.Node | None, line: int, what: str) -> dict[str, _Field]:
    if not isinstance(node, yaml.MappingNode):
        _wrong(line, f"{what} is written as “name: value”, a line each.")
    below = line - node.start_mark.line
    found: dict[str, _Field] = {}
    for key, value in node.value:
        at = below + key.start_mark.line
        name = _scalar(_Field(key, at), "a field's name")
        if name in found:
            _wrong(at, f"{what} has {name} twice.")
        found[name] = _Field(value, at)
    return found


def _needed(given: Mapping[str, _Field], name: str, line: int) -> str:
    said = _text(given, name)
    if not said:
        _wrong(line, f"“{name}:” is missing.")
    return said


def _text(given: Mapping[str, _Field], name: str) -> str:
    return _scalar(given[name], name) if name in given else ""


def _scalar(field: _Field, name: str) -> str:
    if not isinstance(field.node, yaml.ScalarNode):
        _wrong(field.line, f"{name} is a list or has fields of its own; it must be one text.")
    return str(field.node.value).strip()


def _refuse_markup(lines: Sequence[str]) -> None:
    for number, line in enumerate(lines, 1):
        words = CODE.sub("", line)
        if found := MARKUP.search(words):
            _wrong(number, f"HTML does not go, such as {found[0][:40]}: write Markdown.")
        if PICTURE.search(words):
            _wrong(number, "pictures do not go: link to a view that shows one.")


def _wrong(line: int, said: str) -> NoReturn:
    raise InputError(f"Line {line}: {said}")
