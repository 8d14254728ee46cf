"""The lesson's own pictures: one is added to the open step, all are shown, one is taken out."""

from collections.abc import Iterable
from typing import Final

import streamlit as st

from app.content.lessons import Lesson
from app.content.lessons.editing import bare, illustrated
from app.content.lessons.pictures import Picture, Shown, made, named, pieces
from app.style.markdown_escape import plain
from app.ui.file_field import FileField
from app.views.editor.field import restructure
from core.errors import InputError
from core.limits import LESSON_BYTES, LESSON_PICTURES, MB

FIELD: Final = FileField("editor.picture")
ALT: Final = "editor.picture-alt"
THUMBNAIL: Final = 120  # pixels
MOST: Final = 0.9 * LESSON_BYTES  # of the file; the words need room, too


def pictures(lesson: Lesson, at: int) -> None:
    """Draw them; `at`: the step that is open."""
    size = _written(lesson.pictures.values())
    count = len(lesson.pictures)
    label = (
        f"Pictures: {count}, {size / MB:.2f} of {LESSON_BYTES // MB} MB" if count else "Pictures"
    )
    with st.expander(label, icon=":material/image:", key="editor.pictures"):
        alt = st.text_input(
            "What the new picture shows, for who can’t see it",
            key=ALT,
            placeholder="first these words, then its file",
        )
        if alt.strip():
            FIELD.ask(
                "Its file: PNG, JPEG or WebP, up to 10 MB and 25 megapixels. It is made small.",
                lambda file, content: _add(at, alt, file, content),
            )
        FIELD.tell_problem()
        for name, picture in lesson.pictures.items():
            seen, told = st.columns([1, 2], vertical_alignment="center")
            seen.image(picture.shown, alt=name, width=THUMBNAIL)
            told.markdown(f"**{name}** · {_places(lesson, name)}")
            told.button(
                f"Remove {name}",
                key=f"editor.picture-remove.{name}",
                type="tertiary",
                icon=":material/delete:",
                on_click=_remove,
                args=(at, name),
            )


def _add(at: int, alt: str, file: str, content: bytes) -> None:
    picture = made(content, file)

    def add(here: Lesson) -> Lesson:
        if len(here.pictures) >= LESSON_PICTURES:
            raise InputError(f"The lesson has {LESSON_PICTURES} pictures; more do not go.")
        both = (picture, *here.pictures.values())
        if (size := _written(both)) > MOST:
            raise InputError(
                f"The lesson’s pictures would have {size / MB:.1f} MB; {MOST / MB:g} MB go. "
                "Remove one, or make this one smaller."
            )
        return illustrated(here, at, named(file, here.pictures), picture, alt)

    restructure(add, at)
    st.session_state[ALT] = ""


def _written(pictures: Iterable[Picture]) -> float:
    """Bytes of the file that they take: four characters for three."""
    return sum(len(one.content) for one in pictures) * 4 / 3


def _remove(at: int, name: str) -> None:
    FIELD.forget_problem()
    restructure(lambda here: bare(here, name), at)


def _places(lesson: Lesson, name: str) -> str:
    places = [
        str(number)
        for number, step in enumerate(lesson.steps, 1)
        if name == step.picture
        or any(isinstance(one, Shown) and one.name == name for one in pieces(step.text))
    ]
    return plain(f"in step {', '.join(places)}" if places else "in no step")
