"""The files of a browser's first visit, over six connections as a browser asks for them.

Without a browser's work on them, and without an HTTP client's: where a class of two hundred comes
at once, a client in Python takes longer over them than the server does.
"""

import asyncio
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

CONNECTIONS: Final = 6
LENGTH: Final = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


async def fetched(address: str, paths: Iterable[str]) -> list[bytes]:
    """What the server sends for each, without its headers. Raises OSError for what it lacks."""
    asked = [*enumerate(paths)]
    came = dict[int, bytes]()

    async def connection() -> None:
        place = urlsplit(address)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        try:
            while asked:
                number, path = asked.pop(0)
                told = (
                    f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAccept-Encoding: gzip\r\n\r\n"
                )
                writer.write(told.encode())
                head = await reader.readuntil(b"\r\n\r\n")
                if not head.startswith(b"HTTP/1.1 200") or not (length := LENGTH.search(head)):
                    raise OSError(f"{path}: {head.decode()}")
                came[number] = await reader.readexactly(int(length[1]))
        finally:
            writer.close()

    await asyncio.gather(*(connection() for _ in range(min(CONNECTIONS, len(asked)))))
    return [came[number] for number in sorted(came)]
