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

Other languages follow, each with the same steps in the same order. What a step does not say again
there (its link, its minutes, what is asked) is as in the first:

    ---
    language: de
    title: Attention in 20 Minuten
    about: Was ein Kopf ist.
    ---
    title: Ein Kopf
    predict:
      question: Welches Wort sieht „it“ am meisten an?
    reveal: >
      Was gesagt wird, sobald die Antwort da ist.

    Der Text des Schritts.

A lesson's own pictures stand in its last block (pictures.py). `picture: name` in a step's fields is
the one that its page opens with.

The link is what “Copy link” gives, with or without the server's address. All values are read as
they are written: 3.10 stays 3.10. What is wrong is told with its line, as InputError. The inverse
is writing.py.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise, takewhile
from typing import Final, NamedTuple, NoReturn, cast
from urllib.parse import parse_qsl, urlsplit

import yaml

from app.content.lessons.lesson import ENGLISH, FILE, NAME, OPENED_ON, Lesson, Predict, Step
from app.content.lessons.pictures import LINE, Picture, Shown, begins, pieces, read_pictures
from core.errors import InputError

LARGEST: Final = 500_000  # characters
RULE: Final = "---"
BREAK: Final = re.compile(r"\r+\n?")
OF_A_LESSON: Final = ("title", "about", "language")
OF_A_STEP: Final = ("title", "link", "minutes", "picture", "predict", "reveal", "notes")
LANGUAGE: Final = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")
USUAL: Final = 2  # minutes
LONGEST: Final = 60
CODE: Final = re.compile(r"`[^`]*`")
MARKUP: Final = re.compile(r"</?[a-zA-Z][^>]*>|<!")
PICTURE: Final = re.compile(r"!\[")


class _Field(NamedTuple):
    node: yaml.Node
    line: int


class _Block(NamedTuple):
    first: int  # the number of its first line
    lines: Sequence[str]


def read(
    text: str,
    name: str,
    pages: Collection[str] = (),
    pictures: Mapping[str, Picture] | None = None,
) -> Lesson:
    """The lesson of this text, known by `name` in links; `pages`: those that there are, if known.

    pictures: the lesson's, where the text comes without them.

    Raises InputError for the first thing that is wrong.
    """
    lines = BREAK.sub("\n", text.removeprefix("\ufeff")).split("\n")
    rules = [at for at, line in enumerate(lines) if line.rstrip() == RULE]
    if len(rules) > 1 and begins(lines[(last := rules[-1]) + 1 :]):
        pictures = read_pictures(lines[last + 1 :], last + 2)
        lines, rules = lines[:last], rules[:-1]
    if (size := sum(len(line) + 1 for line in lines)) > LARGEST + 1:
        raise InputError(
            f"The lesson has {size - 1:,} characters without pictures; {LARGEST:,} go."
        )
    for number, line in enumerate(lines, 1):
        _refuse_markup(line, number)
    if rules[:1] != [0] or len(rules) < 2:
        _wrong(1, f"a lesson begins with its title and about, between two lines of {RULE}.")
    blocks = [
        _Block(start + 2, lines[start + 1 : end]) for start, end in pairwise((*rules, len(lines)))
    ]
    fronts = [at for at, one in enumerate(blocks) if at == 0 or _names_language(one)]
    first, *others = [blocks[start:end] for start, end in pairwise((*fronts, len(blocks)))]
    lesson = _lesson(name, first, len(lines), pages)
    for part in others:
        other = _lesson(name, part, len(lines), pages, lesson.steps)
        if other.language in lesson.languages:
            _wrong(part[0].first, f"the lesson is in “{other.language}” already.")
        lesson = replace(lesson, others=(*lesson.others, other))
    lesson = replace(lesson, pictures=pictures or {})
    for one in (lesson, *lesson.others):
        for step in one.steps:
            _know_pictures(step, lesson.pictures)
    return lesson


def _know_pictures(step: Step, known: Mapping[str, Picture]) -> None:
    shown = [one.name for one in pieces(step.text) if isinstance(one, Shown)]
    for name in (*shown, *filter(None, [step.picture])):
        if name not in known:
            have = ", ".join(known) or "none"
            raise InputError(f"“{step.title}” shows a picture “{name}”; the lesson has {have}.")
    if step.picture and step.page not in OPENED_ON:
        raise InputError(
            f"“{step.title}” opens with a picture, and is on “{step.page}”: {OPENED_ON[0]} goes."
        )
    if step.picture and step.predict is not None:
        raise InputError(
            f"“{step.title}” opens with a picture of the lesson’s own, and asks what a model says "
            "of a sample: one of them goes."
        )


def _names_language(block: _Block) -> bool:
    fields = takewhile(str.strip, dropwhile(lambda line: not line.strip(), block.lines))
    return any(line.startswith("language:") for line in fields)


def _lesson(
    name: str,
    blocks: Sequence[_Block],
    last: int,
    pages: Collection[str],
    of: tuple[Step, ...] | None = None,
) -> Lesson:
    """In one language. of: its steps in the first."""
    front, *steps = blocks
    given = _fields(*front, "a lesson", OF_A_LESSON)
    title, about = (_needed(given, field, front.first) for field in ("title", "about"))
    language = _text(given, "language") or ENGLISH
    if not LANGUAGE.fullmatch(language):
        _wrong(given["language"].line, f"“{language}” is no language; en, de, pt-BR and such go.")
    steps = [step for step in steps if any(map(str.strip, step.lines))]
    if not steps:
        _wrong(last, f"there is no step: each begins after a line of {RULE}.")
    if of is not None and len(steps) != len(of):
        _wrong(front.first, f"there are {len(steps)} steps in “{language}”, {len(of)} before it.")
    first: Sequence[Step | None] = of or [None] * len(steps)
    read_steps = tuple(_step(*step, one, pages) for step, one in zip(steps, first, strict=True))
    return Lesson(name, title, about, read_steps, language)


def _step(first: int, lines: Sequence[str], of: Step | None, pages: Collection[str]) -> Step:
    began = next(at for at, line in enumerate(lines) if line.strip())
    first, lines = first + began, lines[began:]
    ends = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    given = _fields(first, lines[:ends], "a step", OF_A_STEP)
    text = "\n".join(lines[ends:]).strip()
    if not text:
        _wrong(first, "this step has no text. It stands below the fields, after an empty line.")
    if of is not None and "link" not in given:
        page, state, picture = of.page, of.state, of.picture
    else:
        _needed(given, "link", first)
        page, state = _link(given["link"], pages)
        picture = ""
    for name in ("predict", "reveal"):
        if of is not None and getattr(of, name) and name not in given:
            _wrong(first, f"“{name}:” is missing, which the first language has.")
    return Step(
        title=_needed(given, "title", first),
        text=text,
        page=page,
        state=state,
        minutes=_minutes(given.get("minutes"), USUAL if of is None else of.minutes),
        predict=_predict(given.get("predict"), None if of is None else of.predict),
        reveal=_text(given, "reveal"),
        notes=_text(given, "notes"),
        picture=_text(given, "picture") or picture,
    )


def _predict(field: _Field | None, of: Predict | None) -> Predict | None:
    if field is None:
        return None
    given = _mapping(field.node, field.line, "predict")
    fields = {name: _text(given, name) for name in given}
    question = _needed(given, "question", field.line)
    ask = _needed(given, "ask", field.line) if of is None else fields.get("ask", of.ask)
    asked = {name: said for name, said in fields.items() if name not in ("ask", "question")}
    return Predict(ask, question, asked if of is None else {**of.fields, **asked})


def read_link(given: str, pages: Collection[str] = ()) -> tuple[str, Mapping[str, str]]:
    """A page and its state. Raises InputError."""
    try:
        split = urlsplit(given)
        state = dict(parse_qsl(split.query, keep_blank_values=True, strict_parsing=True))
    except ValueError:
        raise InputError(f"“{given}” is no link. It reads page?name=value&name=value.") from None
    page = split.path.strip("/").rpartition("/")[2]
    if pages and page not in pages:
        raise InputError(f"there is no page “{page}”; {', '.join(pages)} go.")
    return page, {name: value for name, value in state.items() if name not in (NAME, FILE)}


def _link(field: _Field, pages: Collection[str]) -> tuple[str, Mapping[str, str]]:
    try:
        return read_link(_scalar(field, "link"), pages)
    except InputError as error:
        _wrong(field.line, str(error))


def _minutes(field: _Field | None, usual: int) -> int:
    if field is None:
        return usual
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
    said = str(field.node.value).strip()
    _refuse_markup(said, field.line)  # in YAML's escapes
    if PICTURE.search(CODE.sub("", said)):
        _wrong(field.line, "a picture stands in the step’s text, below its fields.")
    return said


def _refuse_markup(said: str, line: int) -> None:
    words = CODE.sub("", said)
    if found := MARKUP.search(words):
        _wrong(line, f"HTML does not go, such as {found[0][:40]}: write Markdown.")
    if PICTURE.search(words) and not LINE.fullmatch(said):
        _wrong(line, "a picture stands on a line of its own, as ![what it shows][its name].")


def _wrong(line: int, said: str) -> NoReturn:
    raise InputError(f"Line {line}: {said}")
