"""What a lesson is: steps, each a text beside a page, perhaps with something to predict first."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from app.content.lessons.pictures import Picture

NAME: Final = "lesson"  # in links: "attention.4" is its fourth step, "attention.de.4" in German
FILE: Final = "lesson_file"  # in links: all of a reader's own lesson
OPENED_ON: Final = ("vision",)  # pages that begin with a picture of the lesson's
ENGLISH: Final = "en"
NAMES: Final = {"en": "English", "de": "Deutsch", "fr": "Français", "es": "Español", "zh": "中文"}


@dataclass(frozen=True, slots=True)
class Predict:
    """A question that a model answers."""

    ask: str  # a name of app/services/questions.py
    question: str  # for the reader
    fields: Mapping[str, str]  # what is asked, besides what the step's link says


@dataclass(frozen=True, slots=True)
class Step:
    """One step; `page` and `state` are its link."""

    title: str
    text: str  # Markdown, as `reveal` and `notes` are
    page: str
    state: Mapping[str, str]
    minutes: int
    predict: Predict | None = None
    reveal: str = ""  # shown after the prediction
    notes: str = ""  # for who teaches
    picture: str = ""  # one of the lesson's, that its page opens with


@dataclass(frozen=True, slots=True)
class Lesson:
    """One file, in its first language."""

    id: str
    title: str
    about: str  # a sentence
    steps: tuple[Step, ...]
    language: str = ENGLISH  # IETF tag
    others: tuple["Lesson", ...] = ()  # the same in other languages
    pictures: Mapping[str, Picture] = field(default_factory=dict[str, Picture])
    """By name, for all languages."""

    @property
    def language_name(self) -> str:
        """In its own words, where they are known."""
        return NAMES.get(self.language, self.language)

    @property
    def languages(self) -> tuple[str, ...]:
        return (self.language, *(other.language for other in self.others))

    def said_in(self, language: str) -> "Lesson":
        """One of its languages."""
        return next((one for one in self.others if one.language == language), self)

    @property
    def minutes(self) -> int:
        return sum(step.minutes for step in self.steps)

    @property
    def predictions(self) -> int:
        return sum(step.predict is not None for step in self.steps)
