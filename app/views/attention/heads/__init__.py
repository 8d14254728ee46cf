"""All heads at once: which are alike on a sentence, and what each does over many."""

from typing import Final

from app.ui.page import View
from app.views.attention.heads import alike, find, many

VIEW: Final = View("heads", "All heads", parts=(alike.VIEW, find.VIEW, many.VIEW))
