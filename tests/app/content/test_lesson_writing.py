"""What is written of a lesson is read as the lesson again; what is packed comes out again."""

import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.content.lessons import Lesson, Predict, Step, shipped
from app.content.lessons.pictures import line
from app.content.lessons.reading import LARGEST, read
from app.content.lessons.sharing import packed, text_of, unpacked
from app.content.lessons.writing import write
from core.errors import InputError
from core.limits import LESSON_BYTES, LESSON_LINK
from tests.app.content.test_lesson_pictures import picture

SIGN = some.characters(exclude_categories=["Cs"], exclude_characters="<!\r`")
LINE = some.text(SIGN) | some.sampled_from(
    ["---x", "- a", "# b", "a: b", "  c", "'", '"', "~", "null", "3.10", "> d", "{{value}}", "&x"]
)
SAID = some.lists(LINE, max_size=5).map("\n".join).map(str.strip)
NEEDED = SAID.filter(bool)
LONG = some.lists(some.sampled_from(["one", "it’s", "#two", "three:", "-"]), min_size=30).map(
    " ".join
)
TEXT = NEEDED.filter(lambda text: all(line.rstrip() != "---" for line in text.split("\n")))
NAMES = SAID.filter(lambda name: name not in ("ask", "question", "lesson", "lesson_file"))
PREDICT = some.builds(Predict, NEEDED, NEEDED | LONG, some.dictionaries(NAMES, SAID))
STEP = some.builds(
    Step,
    title=NEEDED | LONG,
    text=TEXT,
    page=some.sampled_from(["attention", "gpt"]),
    state=some.dictionaries(NAMES, some.text(SIGN)),
    minutes=some.integers(1, 60),
    predict=some.none() | PREDICT,
    reveal=SAID | LONG,
    notes=SAID | LONG,
)
PICTURES = {"cat": picture("png"), "a-dog": picture("jpeg"), "3": picture("webp")}
ILLUSTRATED = some.builds(
    lambda step, name, alt, opens: replace(
        step,
        text=f"{step.text}\n{line(alt, name)}",
        **({"page": "vision", "predict": None, "picture": name} if opens else {}),
    ),
    STEP,
    some.sampled_from([*PICTURES]),
    LINE.filter(lambda alt: line(alt, "x") != "![][x]"),
    some.booleans(),
)
LESSON = some.builds(
    Lesson,
    id=some.just("x"),
    title=NEEDED,
    about=NEEDED | LONG,
    steps=some.lists(STEP | ILLUSTRATED, min_size=1, max_size=3).map(tuple),
    language=some.sampled_from(["en", "pt-BR"]),
    pictures=some.just(PICTURES),
)


def said_again(step: Step, other: Step) -> Step:
    """The step in another language, perhaps with a link and minutes of its own."""
    asked = None if step.predict is None else replace(step.predict, question=other.title)
    said = replace(
        other,
        predict=None if step.picture else asked or other.predict,
        reveal=other.reveal or step.reveal,
    )
    if said.predict is not None and said.picture:
        said = replace(said, picture="")
    if len(other.title) % 2:
        return said
    return replace(said, page=step.page, state=step.state, picture=step.picture)


@given(LESSON)
def test_what_is_written_is_read_again(lesson: Lesson):
    assert read(write(lesson), "x", ["attention", "gpt", "vision"]) == lesson


@given(LESSON, some.data())
def test_what_is_written_in_several_languages_is_read_again(lesson: Lesson, data: some.DataObject):
    others = [
        replace(
            data.draw(LESSON),
            language=language,
            pictures={},
            steps=tuple(said_again(step, data.draw(STEP)) for step in lesson.steps),
        )
        for language in ("de", "fr")
    ]
    every = replace(lesson, others=tuple(others))
    assert read(write(every), "x") == every


@pytest.mark.parametrize("lesson", shipped().values(), ids=lambda lesson: lesson.id)
def test_a_shipped_lesson_is_written_and_fits_in_a_link(lesson: Lesson):
    assert read(write(lesson), lesson.id) == lesson
    alone = replace(lesson, others=())
    link = packed(write(alone))
    assert link is not None
    assert len(link) <= LESSON_LINK
    assert read(unpacked(link), lesson.id) == alone


@given(some.text(some.characters(exclude_categories=["Cs"]), max_size=200))
def test_what_is_packed_comes_out(text: str):
    link = packed(text)
    assert link is not None
    assert unpacked(link) == text


def test_a_lesson_beyond_a_links_length_is_not_packed():
    assert packed(" ".join(str(number**9) for number in range(1000))) is None


def bomb() -> str:
    return urlsafe_b64encode(zlib.compress(b"0" * 10**8, 9)).decode()


@pytest.mark.parametrize(
    ("link", "told"),
    [
        (packed("A lesson")[:-3], "cut off or damaged"),  # type: ignore[index]
        ("<script>", "cut off or damaged (8 characters came)"),
        ("A", "cut off or damaged"),
        ("", "cut off or damaged"),
        (urlsafe_b64encode(zlib.compress(b"\xff\xfe\xff")).decode(), "cut off or damaged"),
        (bomb(), f"more than {LARGEST:,} characters"),
    ],
)
def test_a_damaged_link_is_told(link: str, told: str):
    with pytest.raises(InputError) as refused:
        unpacked(link)
    assert told in str(refused.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_as_it_was_saved(encoding: str):
    assert text_of("Größe → 注意".encode(encoding), "it.md") == "Größe → 注意"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("Größe".encode("latin-1"), "“it.md” is no text in UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0", "is no text in UTF-8"),
        (b"a\0b", "is no text in UTF-8"),
        (b"\xff\xfea", "is no text in UTF-8"),
        (b"a" * (LESSON_BYTES + 1), "“it.md” has 6.0 MB; 6 MB go"),
        (b"\xff" * 50_000_000, "“it.md” has 50.0 MB"),
    ],
)
def test_a_file_that_is_no_lesson_is_told(content: bytes, told: str):
    with pytest.raises(InputError) as refused:
        text_of(content, "it.md")
    assert told in str(refused.value)
