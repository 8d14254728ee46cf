"""Lessons as they are played: a step's text beside the page that its link shows."""

from app.ui.lesson.place import NAME, Place, follow, is_played, place_on, reached
from app.ui.lesson.player import beside
from app.ui.lesson.prediction import Asked

__all__ = ["NAME", "Asked", "Place", "beside", "follow", "is_played", "place_on", "reached"]
