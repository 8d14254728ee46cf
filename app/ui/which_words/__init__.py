"""Which words mattered? Every method's numbers for one answer, random beside them, and the check.

What the BERT page asks of a mask and the GPT page of its next word.
"""

from app.ui.which_words.figure import figure
from app.ui.which_words.params import WordParams
from app.ui.which_words.shown import Shown

__all__ = ["Shown", "WordParams", "figure"]
