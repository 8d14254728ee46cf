"""Who is answered next: short questions before long ones, long ones in turns of those who ask."""

from collections import deque
from collections.abc import Hashable, Iterator
from itertools import zip_longest
from threading import Condition
from typing import Final

from core.engine.requests import Request
from core.outputs.families import LONG

BATCH_LIMIT: Final = 16  # short requests taken at a time


class Line:
    """Requests that wait to be begun."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._short: deque[Request] = deque()
        self._numbers: dict[Request, int] = {}  # of these, from the first that ever was
        self._taken = 0  # of short ones, so far
        self._long: dict[Hashable, deque[Request]] = {}  # by who asks; the first is next
        self._closed = False

    def put(self, request: Request) -> None:
        """At the end."""
        with self._changed:
            if request.name in LONG:
                self._long.setdefault(request.asker, deque()).append(request)
            else:
                self._numbers[request] = self._taken + len(self._short)
                self._short.append(request)
            self._changed.notify()

    def close(self) -> None:
        """What waits is still given out, then nothing more."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def wait(self) -> bool:
        """Until there is something to take. False when there will be nothing any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._short or self._long or self._closed)
            return bool(self._short or self._long)

    def take_short(self) -> list[Request]:
        """At most BATCH_LIMIT; none where none waits."""
        with self._changed:
            taken = [self._short.popleft() for _ in range(min(BATCH_LIMIT, len(self._short)))]
            self._taken += len(taken)
            for request in taken:
                self._numbers.pop(request, None)
            return taken

    def take_long(self) -> Request | None:
        """One of another asker than the last time, if another's waits."""
        with self._changed:
            if not self._long:
                return None
            asker, own = next(iter(self._long.items()))
            request = own.popleft()
            del self._long[asker]
            if own:  # behind the others
                self._long[asker] = own
            return request

    def before(self, request: Request) -> int | None:
        """How many of those that wait are answered before it; None where it does not wait.

        Hundreds ask so several times a second. Did they take the lock, who takes from the line
        would stand behind them: what they read may be older by one taking.
        """
        if (number := self._numbers.get(request)) is not None:
            return max(0, number - self._taken)
        behind = enumerate(self._in_turns(), len(self._short))
        return next((n for n, one in behind if one == request), None)

    def __len__(self) -> int:
        return len(self._short) + sum([len(own) for own in [*self._long.values()]])

    def _in_turns(self) -> Iterator[Request]:
        """The long ones, as they wait now."""
        everybody = [[*own] for own in [*self._long.values()]]
        for turn in zip_longest(*everybody):
            yield from (one for one in turn if one is not None)
