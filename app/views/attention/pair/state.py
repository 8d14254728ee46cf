"""What the view of two sentences remembers, in its session and in its link."""

from dataclasses import dataclass
from typing import Any, Final

from app.ui.params import Param, Scope
from app.views.attention.state import KIND, MODEL
from app.views.attention.two_maps import SHOWN

ALL: Final = -1  # heads by their mean change
OWN: Final = -2  # the view's own choice: an example's word, else all


@dataclass(frozen=True, slots=True)
class Example:
    """Two sentences, and the word at which heads are compared; none: at all that both have."""

    first: str
    second: str
    at: str = ""


EXAMPLES: Final = {  # each tells of one word, or one order, that changes what is meant
    "tired or wide": Example(
        "The animal didn't cross the street because it was too tired.",
        "The animal didn't cross the street because it was too wide.",
        "it",
    ),
    "who did it": Example(
        "The guest thanked the cook because she had eaten well.",
        "The guest thanked the cook because she had cooked well.",
        "she",
    ),
    "he or she": Example(
        "The nurse told the doctor that he was late.",
        "The nurse told the doctor that she was late.",
        "late",
    ),
    "one or many": Example(
        "The key to the old wooden cabinet is on the table.",
        "The keys to the old wooden cabinet are on the table.",
    ),
    "who bites": Example("The dog bites the man.", "The man bites the dog.", "bites"),
    "a word more": Example("She did laugh at the joke.", "She did not laugh at the joke."),
}
FIRST: Final = next(iter(EXAMPLES.values()))
WORDS: Final = {(one.first, one.second): one.at for one in EXAMPLES.values()}

HERE: Final = Scope("attention", "pair")
TEXT: Final = HERE.text("text", FIRST.first)
OTHER_TEXT: Final = HERE.text("other_text", FIRST.second)
TOKEN: Final = HERE.whole("token", OWN, 99_999, OWN)  # of the first sentence: who looks
HEADS: Final = HERE.cells("heads")  # one, or none: that which changes most
SHOW: Final = HERE.choice("show", SHOWN)
CELL: Final = HERE.cell("cell")  # (row, column) of what both sentences have

PARAMS: Final[tuple[Param[Any], ...]] = (
    *(MODEL, TEXT, OTHER_TEXT, KIND, TOKEN, HEADS, SHOW, CELL),
)
