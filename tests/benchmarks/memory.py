"""What a fresh server is resident with for one reader: `python -m tests.benchmarks.memory`."""

import asyncio
from typing import Final

from websockets.asyncio.client import connect

from tests.journeys.server import Server, running_process
from tests.load.session import Session

SETTLED: Final = 8.0  # seconds: what goes on in the background has ended
OWN: Final = {"text": "The cat sat on the old mat today."}
STEPS: Final = (
    ("BERT opened", "bert", {}),
    ("BERT, own text", "bert", OWN),
    ("GPT too", "gpt", {}),
    ("Transformer too", "transformer", {}),
    ("Vision too", "vision", {}),
)


async def read(server: Server) -> None:
    """Open the pages one after another, as one reader."""
    await asyncio.sleep(SETTLED)
    tell("nobody came", server)
    address = server.address.replace("http", "ws", 1)
    async with connect(
        f"{address}/_stcore/stream",
        subprotocols=["streamlit"],  # type: ignore[list-item]
        origin=server.address,  # type: ignore[arg-type]
        max_size=None,
    ) as socket:
        session = Session(socket)
        for name, page, link in STEPS:
            await session.go(page, link)
            await asyncio.sleep(SETTLED)
            tell(name, server)


def tell(name: str, server: Server) -> None:
    print(f"{name}: {server.resident / 1e6:.0f} MB, at most {server.peak / 1e6:.0f}")  # noqa: T201


if __name__ == "__main__":
    with running_process() as running:
        asyncio.run(read(running))
