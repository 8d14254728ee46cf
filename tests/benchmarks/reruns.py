"""The server's CPU time of one change that asks no model, on every view.

Run by hand: `python -m tests.benchmarks.reruns [--views attention- bert-words]`. One reader draws
each view again, moves a control a step to and fro, one beside the figure where there is one, and
clicks to and fro in the figure, after all that has been seen once, so that all answers are known.
Target: 12 ms a change.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import numpy as np
from websockets.asyncio.client import connect

from tests.journeys.server import Server, running_process
from tests.load.session import LARGEST, Session
from tests.load.shown import Answer, Shown, clickable, slides
from tests.load.student import PROTOCOL
from tests.pages.declared import SHOWN
from tests.pages.declared import Shown as View

TARGET: Final = 12  # milliseconds
AGAIN: Final = "drawn again"
SHARED: Final = (".projector", ".predict")  # of every page
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


async def moved(session: Session, key: str, number: int) -> Answer:
    """A control where it began, or a step from there, in turn."""
    control = session.named(key)
    value = _steps(control)[number % 2]
    match control.kind:
        case "slider":
            return await session.change(control, double_array_value={"data": [value]})
        case "number_input":
            return await session.change(control, double_value=value)
        case _:
            return await session.change(control, bool_value=bool(value))


def _steps(control: Shown) -> tuple[float, float]:
    """What it holds at first, and the next value."""
    asked = control.proto
    if control.kind == "checkbox":
        return float(asked.default), float(not asked.default)
    first = asked.default[0] if control.kind == "slider" else asked.default
    return first, first + (asked.step if first + asked.step <= asked.max else -asked.step)


def _figures(session: Session) -> list[Shown]:
    return [one for one in session.elements if len((clickable(one) or ("", []))[1]) > 1]


def _controls(session: Session) -> list[Shown]:
    """Numbers and switches of the view's own, those beside its figure first."""
    found = [
        one
        for one in session.elements
        if (slides(one) or one.kind in ("number_input", "checkbox"))
        and not one.proto.disabled
        and not one.key.endswith(SHARED)
    ]
    return sorted(found, key=lambda one: (not one.fragment, one.kind != "slider"))


async def look(server: Server, view: View) -> dict[str, float]:
    """What each change costs in a tab of its own: a page that is open keeps its view."""
    address = server.address.replace("http", "ws", 1)
    async with connect(
        f"{address}/_stcore/stream", subprotocols=[PROTOCOL], max_size=LARGEST
    ) as socket:
        session = Session(socket)
        again, nbytes = await cost(server, lambda _: session.go(view.path, view.link))
        found, row = {AGAIN: again}, f"| {view} | {again:.1f} ms, {nbytes:.0f} kB |"
        for name, act, places in (
            ("moved", moved, _controls(session)),
            ("clicked", clicked, _figures(session)),
        ):
            if not places:
                row += " |"
                continue
            change = partial(act, session, places[0].key)
            found[name], nbytes = await cost(server, change)
            row += f" {found[name]:.1f} ms, {nbytes:.0f} kB |"
        print(row, flush=True)  # noqa: T201
    return found


async def measure(server: Server, views: list[View]) -> None:
    """Print a row a view, and what they come to."""
    rows = [await look(server, view) for view in views]
    for name in (AGAIN, "moved", "clicked"):
        costs = [row[name] for row in rows if name in row]
        low, middle, high = np.percentile(costs, (25, 50, 75))
        beyond = sum(one > TARGET for one in costs)
        print(  # noqa: T201
            f"{name}: {len(costs)} views, median {middle:.1f} ({low:.1f} to {high:.1f}), "
            f"most {max(costs):.1f} ms, {beyond} beyond {TARGET}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", nargs="+", help="names as the tests print them")
    wanted = parser.parse_args().views
    with running_process() as running:
        chosen = [view for view in SHOWN if not wanted or str(view) in wanted]
        asyncio.run(measure(running, chosen))
