"""A lesson's own pictures: in its file, small, decoded before anybody sees them."""

import io
from base64 import b64encode

import numpy as np
import pytest
from PIL import Image

from app.content.lessons.pictures import (
    LONGEST,
    Picture,
    Shown,
    line,
    made,
    named,
    pieces,
    without,
)
from app.content.lessons.reading import read
from core.errors import InputError
from core.limits import LESSON_PICTURE_PIXELS, LESSON_PICTURES

LESSON = "---\ntitle: One\nabout: Two.\n---\ntitle: A step\nlink: {page}\n\nText.\n{text}\n---\n"


def drawn(kind: str, size: tuple[int, int] = (8, 6)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "teal").save(file, kind)
    return file.getvalue()


def picture(kind: str) -> Picture:
    return Picture(drawn(kind))


def data(content: bytes, name: str = "cat", kind: str = "png") -> str:
    return f"[{name}]: data:image/{kind};base64,{b64encode(content).decode()}"


def test_a_text_comes_in_pieces():
    text = "One.\n\n![A cat, asleep][cat]\n\n* two\n![a][b]\n![c][d]"
    assert [*pieces(text)] == [
        "One.",
        Shown("A cat, asleep", "cat"),
        "* two",
        Shown("a", "b"),
        Shown("c", "d"),
    ]
    assert without(text, "b") == "One.\n\n![A cat, asleep][cat]\n\n* two\n![c][d]"


def test_a_picture_is_read_from_the_last_block():
    text = LESSON.format(page="vision", text="![A cat][cat]") + data(drawn("png"))
    lesson = read(text, "x")
    assert lesson.pictures == {"cat": picture("png")}
    assert len(lesson.steps) == 1
    assert Image.open(io.BytesIO(lesson.pictures["cat"].shown)).size == (8, 6)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_browsers_get_pixels_alone(kind: str):
    hidden = drawn(kind) + b"<script>alert(1)</script>"
    assert b"<script>" not in Picture(hidden).shown


def test_what_is_added_is_made_small():
    noise = np.random.default_rng(0).integers(0, 256, (50, 3000, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(noise).save(file, "png")
    photograph, drawing = made(file.getvalue(), "a.png"), made(drawn("webp"), "b.webp")
    assert (photograph.kind, drawing.kind) == ("jpeg", "png")
    assert Image.open(io.BytesIO(photograph.content)).width <= LONGEST


def test_a_name_is_new_and_plain():
    assert named("Größe <b>.PNG", {}) == "gr-e-b"
    assert named(".png", {}) == "picture"
    assert named("cat.png", {"cat": picture("png"), "cat-2": picture("png")}) == "cat-3"
    assert line("a [b]\n<c>", "d") == "![a (b) ‹c›][d]"


@pytest.mark.parametrize(
    ("text", "block", "told"),
    [
        ("", data(drawn("png"))[:-9] + "!", "Line 11: this is no picture"),
        ("", data(drawn("png"))[:60], "Line 11: the picture “cat” does not go"),
        ("", data(drawn("png")[:45]), "“cat” does not go. This file is damaged"),
        ("", data(b"<svg/>"), "Its data is no PNG"),
        ("", data(drawn("png"), kind="jpeg"), "Its data is no JPEG"),
        ("", data(drawn("png"), kind="svg+xml"), "Line 11: this is no picture"),
        (
            "",
            data(drawn("png", (3000, 2000))),
            f"6 megapixels. Here {LESSON_PICTURE_PIXELS // 10**6} megapixels go",
        ),
        ("", "\n".join([data(drawn("png"))] * 2), "Line 12: there is a picture “cat” already"),
        (
            "",
            "\n".join(data(drawn("png"), f"n{n}") for n in range(LESSON_PICTURES + 1)),
            f"Line {11 + LESSON_PICTURES}: {LESSON_PICTURES} pictures go",
        ),
        ("![A dog][dog]", data(drawn("png")), "shows a picture “dog”; the lesson has cat"),
        ("![ ][cat]", data(drawn("png")), "Line 9: a picture stands on a line of its own"),
        ("See ![a][cat]", data(drawn("png")), "Line 9: a picture stands on a line of its own"),
    ],
)
def test_what_is_wrong_with_one_is_told(text: str, block: str, told: str):
    with pytest.raises(InputError) as refused:
        read(LESSON.format(page="vision", text=text) + block, "x")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("gpt\npicture: cat", "is on “gpt”: vision goes"),
        ("vision\npicture: dog", "shows a picture “dog”"),
        ("vision\npicture: cat\npredict: {ask: a, question: b}", "one of them goes"),
    ],
)
def test_a_step_opens_only_with_what_its_page_can_show(fields: str, told: str):
    with pytest.raises(InputError) as refused:
        read(LESSON.format(page=fields, text="") + data(drawn("png")), "x")
    assert told in str(refused.value)
