"""What the page about trainings remembers, in its session and in its link."""

from typing import Final

from app.ui.params import Scope
from app.ui.snapshot_slider import END

HERE: Final = Scope("training")
DEFAULT: Final = "bert-mini"

MODEL: Final = HERE.text("model", DEFAULT)
MAPS: Final = HERE.text("maps")  # which of the kept maps; empty: the model's first
MOMENT: Final = HERE.whole("moment", END, 999, END)
HEAD: Final = HERE.cell("head")
