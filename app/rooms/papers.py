"""A teacher's own lesson that no link can hold: once in its room, for the students there."""

from collections.abc import Callable

from app.rooms.database import Database
from core.errors import InputError
from core.limits import MB, ROOMS_LESSONS


class Papers:
    """Of all rooms: one each, which the next one replaces, and which goes with its room."""

    def __init__(self, database: Database) -> None:
        self._base = database

    def lend(self, code: str, mark: str, text: Callable[[], str]) -> None:
        """From now on the room's is this; mark: of what `text` gives, another with every change.

        Raises GoneError, and InputError where the rooms of this server hold too much.
        """
        if self._base.lends(code, mark):
            return
        if self._base.lend(code, mark, text(), ROOMS_LESSONS) is not None:
            raise InputError(
                f"The rooms of this server hold {ROOMS_LESSONS // MB} MB of lessons already: "
                "students see your pages without this lesson’s words. Give them its file."
            )

    def lent(self, code: str, mark: str) -> str | None:
        """None: it is another's by now."""
        return self._base.lent(code, mark)
