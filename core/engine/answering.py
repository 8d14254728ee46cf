"""What fulfils, in an engine's cache, the requests that are put into its line."""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from core.engine.cache import ByteCache
from core.engine.jobs import Jobs
from core.engine.requests import Request
from core.engine.waiting import Waiting
from core.long_work import Progress


@runtime_checkable  # for the tests' checks of types
class Waitlist(Protocol):
    """Requests that wait to be begun."""

    def put(self, request: Request[Any], /) -> None: ...
    def __len__(self) -> int: ...


@runtime_checkable
class Answering(Protocol):
    """Models, wherever they are opened."""

    @property
    def line(self) -> Waitlist: ...
    def __len__(self) -> int:
        """Requests that somebody waits for and that are not begun."""
        ...

    def before(self, request: Request[Any], /) -> int | None:
        """How many others' turn comes first; None where it has its turns, or nobody knows."""
        ...

    def hitch(self, request: Request[Any], /) -> str | None:
        """What keeps a request from being answered, in a reader's words; None: nothing does."""
        ...

    def is_open(self, model_id: str, /) -> bool: ...
    def download(self, model_id: str, /) -> Progress | None: ...
    def cancel_download(self, model_id: str, /) -> None: ...
    def close(self) -> None: ...


Begin = Callable[[ByteCache, Jobs, Waiting], Answering]
