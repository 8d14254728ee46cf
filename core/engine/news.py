"""What a replica tells while somebody waits for its answer, and how it is told."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from core.long_work import Progress

LENGTH: Final = 8  # bytes before each message of a stream


@dataclass(frozen=True, slots=True)
class News:
    """How far a request is."""

    place: int | None = None  # in the replica's line; 1 is next
    download: Progress | None = None  # of its model
    is_open: bool = False  # its model
    hitch: str | None = None  # what keeps it, in a reader's words
    batches: tuple[int, ...] = ()  # of the replica, since it told of them last


@dataclass(frozen=True, slots=True)
class Answered:
    """The end of a stream."""

    value: Any = None
    error: Exception | None = None
    batches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CancelDownload:
    """Asked in place of a question."""

    model_id: str


def framed(message: bytes) -> bytes:
    """A message as a part of a stream."""
    return len(message).to_bytes(LENGTH, "big") + message


async def messages(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The messages of a stream. Raises EOFError where it ends within one."""
    held = bytearray()
    async for piece in stream:
        held += piece
        while len(held) >= LENGTH:
            end = LENGTH + int.from_bytes(held[:LENGTH], "big")
            if len(held) < end:
                break
            yield bytes(memoryview(held)[LENGTH:end])
            del held[:end]
    if held:
        raise EOFError
