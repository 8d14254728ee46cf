"""Lessons as they are played: a step's text beside the page that its link shows."""

from app.content.lessons import NAME
from app.ui.lesson.draft import adder
from app.ui.lesson.opener import opener
from app.ui.lesson.own import listed
from app.ui.lesson.place import (
    AtStep,
    Place,
    file_of,
    follow,
    is_played,
    reached,
    read_place,
    room_file_of,
    turn_to,
)
from app.ui.lesson.player import beside
from app.ui.lesson.prediction import answers_of, revealed
from app.ui.lesson.words import words

__all__ = [
    "NAME",
    "AtStep",
    "Place",
    "adder",
    "answers_of",
    "beside",
    "file_of",
    "follow",
    "is_played",
    "listed",
    "opener",
    "reached",
    "read_place",
    "revealed",
    "room_file_of",
    "turn_to",
    "words",
]
