"""The server's CPU time of one change that asks no model, on every view.

Run by hand: `python -m tests.benchmarks.reruns [--views attention- bert-words]`. One reader draws
each view again, and clicks to and fro in its figure, after both have been seen once, so that all
answers are known. Target: 12 ms.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import numpy as np
from websockets.asyncio.client import connect

from tests.journeys.server import Server, running_process
from tests.load.session import LARGEST, Session
from tests.load.shown import Answer, Shown, clickable
from tests.load.student import PROTOCOL
from tests.pages.declared import SHOWN
from tests.pages.declared import Shown as View

CHANGES: Final = 20
SETTLED: Final = 1.0  # seconds in which the server does next to nothing
IDLE: Final = 0.03  # seconds of CPU in them


async def cost(server: Server, change: Callable[[int], Awaitable[Answer]]) -> tuple[float, float]:
    """Milliseconds of CPU and kilobytes of one change."""
    for number in range(4):
        await change(number)
    await settled(server)
    began, nbytes = server.cpu_seconds, 0
    for number in range(CHANGES):
        nbytes += (await change(number)).nbytes
    await asyncio.sleep(0.05)
    return 1000 * (server.cpu_seconds - began) / CHANGES, nbytes / CHANGES / 1000


async def settled(server: Server) -> None:
    """Until models that a first visit opens, and their first answers, are there."""
    spent = float("inf")
    while spent > IDLE:
        began = server.cpu_seconds
        await asyncio.sleep(SETTLED)
        spent = server.cpu_seconds - began


async def clicked(session: Session, key: str, number: int) -> Answer:
    """One of two places in a figure, in turn."""
    figure = session.named(key)
    how, values = clickable(figure) or ("", [])
    value = (values[0], values[-1])[number % 2]
    return await (session.click if how == "click" else session.select)(figure, value)


def _figures(session: Session) -> list[Shown]:
    return [one for one in session.elements if len((clickable(one) or ("", []))[1]) > 1]


async def look(server: Server, view: View) -> tuple[float, float | None]:
    """Of one view, in a tab of its own: a page that is open keeps its view."""
    address = server.address.replace("http", "ws", 1)
    async with connect(
        f"{address}/_stcore/stream", subprotocols=[PROTOCOL], max_size=LARGEST
    ) as socket:
        session = Session(socket)
        again, nbytes = await cost(server, lambda _: session.go(view.path, view.link))
        row, click = f"| {view} | {again:.1f} ms, {nbytes:.0f} kB |", None
        if figures := _figures(session):
            key = figures[0].key
            click, nbytes = await cost(server, lambda number: clicked(session, key, number))
            row += f" {click:.1f} ms, {nbytes:.0f} kB |"
        print(row, flush=True)  # noqa: T201
    return again, click


async def measure(server: Server, views: list[View]) -> None:
    """Print a row a view, and what they come to."""
    rows = [await look(server, view) for view in views]
    again, clicks = [row[0] for row in rows], [row[1] for row in rows if row[1] is not None]
    for name, costs in (("drawn again", again), ("clicked", clicks)):
        low, middle, high = np.percentile(costs, (25, 50, 75))
        print(f"{name}: median {middle:.1f} ({low:.1f} to {high:.1f}), most {max(costs):.1f} ms")  # noqa: T201


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", nargs="+", help="names as the tests print them")
    wanted = parser.parse_args().views
    with running_process() as running:
        chosen = [view for view in SHOWN if not wanted or str(view) in wanted]
        asyncio.run(measure(running, chosen))
