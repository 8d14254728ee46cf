"""A room on the pages: the teacher's desk, the students' line, a lesson's questions as votes."""

from app.ui.room.attending import PARAM, follows, given, in_link, shows
from app.ui.room.line import attend, door, opener
from app.ui.room.paper import LENT, lend, lent
from app.ui.room.vote import Vote, asked, end, results

__all__ = [
    "LENT",
    "PARAM",
    "Vote",
    "asked",
    "attend",
    "door",
    "end",
    "follows",
    "given",
    "in_link",
    "lend",
    "lent",
    "opener",
    "results",
    "shows",
]
