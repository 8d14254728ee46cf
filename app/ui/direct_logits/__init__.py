"""Direct logit attribution: what every part of a model writes to an answer's logit.

The same view on every page that shows an answer.
"""

from app.ui.direct_logits.figure import figure
from app.ui.direct_logits.params import AnswerParams, LogitParams
from app.ui.direct_logits.shown import Shown

__all__ = ["AnswerParams", "LogitParams", "Shown", "figure"]
