"""Predict, then see: questions that a reader answers before a lesson's step or a view opens.

Who predicts before seeing learns; who only watches does not (Crouch et al. 2004).

* `switch`: whether the views ask, on all pages at once.
* `guesses`: what the reader has said in this session, and how often they were right.
* `asking`: one question, from its options to the model's answer; in a room everybody's vote.
* `options`: all that can be said, drawn: a row, a grid of heads, a picture's patches.
* `first`: a view's question in its figure's place.
"""

from app.ui.prediction.asking import Asking, answered, verdict
from app.ui.prediction.first import asks
from app.ui.prediction.guesses import Guess, guesses, score
from app.ui.prediction.options import tell
from app.ui.prediction.switch import PARAM, in_link, is_on, pause, read_link, toggle

__all__ = [
    "PARAM",
    "Asking",
    "Guess",
    "answered",
    "asks",
    "guesses",
    "in_link",
    "is_on",
    "pause",
    "read_link",
    "score",
    "tell",
    "toggle",
    "verdict",
]
