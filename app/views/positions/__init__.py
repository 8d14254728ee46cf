"""How does a model know where a token stands? Every scheme of positions, computed live."""

from typing import Final

from app.ui.page import Page
from app.views.positions import learned, order, relative, shift, sinusoidal

PAGE: Final = Page(
    "positions",
    "How does a model know where a token stands?",
    (sinusoidal.VIEW, shift.VIEW, learned.VIEW, relative.VIEW, order.VIEW),
)
