"""A question in a room: everybody's vote, and nobody's answer before the teacher's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import streamlit as st

from app.components.ballot import Ballot, Board, ballot
from app.rooms import here
from app.rooms.database import AwayError, GoneError
from app.rooms.polls import MOST_OPTIONS
from app.style.markdown_escape import plain
from app.ui.room import attending

if TYPE_CHECKING:
    from app.services.questions import Answers

NAMED: Final = 6  # answers in a sentence


@dataclass(frozen=True, slots=True)
class Vote:
    """What stands to be voted on, for the reader; `closed`: the answer is shown."""

    name: str
    attending: attending.Attending
    closed: bool
    mine: int | None

    def draw(self, question: str, answers: Answers, key: str) -> None:
        """Buttons to a student, the votes to a teacher; nothing of what the model says."""
        teaches, grid = self.attending.teaches, answers.grid
        shown = Ballot(
            label=question,
            options=answers.options,
            at=attending.routes_at(),
            key=self.attending.key,
            poll=self.name,
            counts=teaches,
            mine=self.mine,
            grid=None if grid is None else Board(grid.rows, grid.columns, grid.titles),
        )
        picture = None if grid is None else grid.picture
        ballot(shown, key=f"{key}-{'counts' if teaches else 'vote'}", picture=picture)


def asked(name: str, options: int) -> Vote | None:
    """The teacher asks the room by coming here; None: there is no room, or it was not asked.

    Of more than MOST_OPTIONS each reader says theirs alone, and while no room can be asked.
    """
    who = attending.now()
    if who is None or not (who.teaches or who.follows) or options > MOST_OPTIONS:
        return None
    try:
        polls = here.store().polls
        if who.teaches:
            polls.ask(who.code, name, options)
        standing = polls.poll(who.code, name)
        if standing is None or standing.options != options:
            return None
        return Vote(name, who, standing.closed, polls.vote_of(who.key, name))
    except (GoneError, AwayError):
        return None


def end(name: str) -> None:
    """The teacher shows the answer; for callbacks."""
    who = attending.now()
    if who is not None and who.teaches:
        try:
            here.store().polls.end(who.code, name)
        except AwayError as error:
            st.session_state[attending.TOLD] = str(error)


def results(name: str, options: Sequence[str]) -> str | None:
    """What the room has said, in a sentence, once the answer is shown; None: nobody voted."""
    who = attending.now()
    votes = [] if who is None else _counted(who.code, name, len(options))
    ranked = sorted(range(len(votes)), key=lambda place: -votes[place])
    said = [f"{plain(options[place])} ({votes[place]})" for place in ranked if votes[place]]
    if not said:
        return None
    count = sum(votes)
    more = [f"{len(said) - NAMED} more"] if len(said) > NAMED else []
    told = ", ".join((*said[:NAMED], *more))
    return f"The room ({count} {'vote' if count == 1 else 'votes'}): {told}."


def _counted(code: str, name: str, options: int) -> list[int]:
    """By option, once the answer is shown; none before, and while no room can be asked."""
    try:
        polls = here.store().polls
        standing = polls.poll(code, name)
        ended = standing is not None and standing.closed and standing.options == options
        return polls.tally(code, name) if ended else []
    except AwayError:
        return []
