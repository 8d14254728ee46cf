"""Rooms kept in Redis, for web processes on several machines: what it does stands in in_redis.lua.

All times are of Redis's clock, whichever machine asks.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Cut
from redis.retry import Retry

from app.rooms.database import AwayError, Poll, Refusal, Secrets, Shown, State, gone

LOG: Final = logging.getLogger(__name__)
SCRIPT: Final = Path(__file__).with_name("in_redis.lua")
WAIT: Final = 2.0  # seconds for an answer
REST: Final = 1.0  # seconds after one did not come, in which nobody else waits for one


class InRedis:
    """A `Database`. address: redis://host:port/0; rediss:// is encrypted."""

    def __init__(self, address: str, clock: Callable[[], float] | None = None) -> None:
        """No connection is made before the first question. clock: in place of Redis's own."""
        self._clock = clock
        self._away: float | None = None  # when it was found to be, by time.monotonic
        base = Redis.from_url(
            address,
            decode_responses=True,
            socket_timeout=WAIT,
            socket_connect_timeout=WAIT,
            retry=Retry(NoBackoff(), 1, (Cut,)),  # by a restart: the connection is made anew
            protocol=2,
        )
        self._run = base.register_script(SCRIPT.read_text("utf-8"))

    def add(self, code: str, secrets: Secrets, life: float, most_rooms: int) -> Refusal | None:
        hidden = secrets.teacher.hex(), secrets.salt.hex()
        return self._refused("add", code, *hidden, life, most_rooms)

    def secrets(self, code: str | None) -> Secrets:
        _, teacher, salt = self._ask("read", code or "", "teacher", "salt")
        return Secrets(bytes.fromhex(teacher), bytes.fromhex(salt))

    def shown(self, code: str) -> Shown:
        now, version, seen, page, link = self._ask("read", code, "version", "seen", "page", "link")
        return Shown(int(version), float(now) - float(seen), page, link)

    def states(self, codes: Iterable[str]) -> dict[str, State]:
        told = self._ask("states", *codes)
        rows = zip(told[::3], told[1::3], told[2::3], strict=True)
        return {code: State(int(version), float(silent)) for code, version, silent in rows}

    def show(self, code: str, page: str, link: str, life: float) -> None:
        self._ask("show", code, page, link, life)

    def renew(self, code: str, life: float) -> None:
        self._ask("renew", code, life)

    def remove(self, code: str) -> None:
        self._ask("remove", code)

    def attend(self, process: str, students: Mapping[str, int]) -> None:
        self._ask("attend", process, *(one for pair in students.items() for one in pair))

    def present(self, code: str, within: float) -> int:
        return self._ask("present", code, within)[0]

    def ask(self, code: str, name: str, options: int) -> None:
        self._ask("ask", code, name, options)

    def poll(self, code: str, name: str) -> Poll | None:
        (found,) = self._ask("poll", code, name)
        return None if found is None else Poll(abs(int(found)), int(found) < 0)

    def end(self, code: str, name: str) -> None:
        self._ask("end", code, name)

    def vote(
        self, code: str, name: str, voter: str, option: int, most_voters: int
    ) -> Refusal | None:
        return self._refused("vote", code, name, voter, int(option), most_voters)

    def vote_of(self, code: str | None, name: str, voter: str) -> int | None:
        (found,) = self._ask("vote_of", code or "", name, voter)
        return None if found is None else int(found)

    def tally(self, code: str, name: str) -> dict[int, int]:
        return Counter(map(int, self._ask("tally", code, name)))

    def lend(self, code: str, mark: str, text: str, most: int) -> Refusal | None:
        return self._refused("lend", code, mark, text, len(text), most)

    def lends(self, code: str, mark: str) -> bool:
        return bool(self._ask("lends", code, mark)[0])

    def lent(self, code: str, mark: str) -> str | None:
        return self._ask("lent", code, mark)[0]

    def _refused(self, asked: str, code: str, *values: str | float) -> Refusal | None:
        word, *_ = self._said(asked, code, *values)
        if word == "gone":
            raise gone(code)
        return None if word == "ok" else Refusal[word.upper()]

    def _ask(self, asked: str, *values: str | float) -> list[Any]:
        """What comes after ok; the first value of what may be gone is the room's code."""
        word, *found = self._said(asked, *values)
        if word == "gone":
            raise gone(str(values[0]))
        return found

    def _said(self, asked: str, *values: str | float) -> list[Any]:
        if self._away is not None and time.monotonic() < self._away + REST:
            raise AwayError
        now = "" if self._clock is None else self._clock()
        try:
            found = cast("list[Any]", self._run(args=[asked, now, *values]))
        except RedisError as error:
            if self._away is None:
                LOG.exception("Redis could not be asked")
            self._away = time.monotonic()
            raise AwayError from error
        if self._away is not None:
            LOG.warning("Redis answers again")
            self._away = None
        return found
