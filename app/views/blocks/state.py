"""What the views of this page share: the model and the sentence of those that run one."""

from typing import Final

from app.ui.params import Scope

HERE: Final = Scope("blocks")
MODEL: Final = HERE.text("model", "bert-mini")
TEXT: Final = HERE.text("text", "The animal didn't cross the street because it was too tired.")
