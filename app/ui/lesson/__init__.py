"""Lessons as they are played: a step's text beside the page that its link shows."""

from app.content.lessons import NAME
from app.ui.lesson.draft import adder
from app.ui.lesson.opener import opener
from app.ui.lesson.own import lessons
from app.ui.lesson.place import AtStep, Place, file_of, follow, is_played, reached
from app.ui.lesson.player import beside
from app.ui.lesson.prediction import Asked

__all__ = [
    "NAME",
    "Asked",
    "AtStep",
    "Place",
    "adder",
    "beside",
    "file_of",
    "follow",
    "is_played",
    "lessons",
    "opener",
    "reached",
]
