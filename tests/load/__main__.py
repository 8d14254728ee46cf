"""A class on the app: `python -m tests.load --students 50 --seconds 60`.

Starts the real server, and in one process as many students as you like, each with a websocket and
texts of their own. Prints a table. The students share the machine with the server: its CPU time a
change is the figure that other work beside does not spoil, times are those of a quiet machine.
"""

import argparse
import asyncio
import gc
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.journeys.server import running_process
from tests.load.room import held
from tests.load.student import Explainer, Habits, Seen, Student
from tests.load.table import Began, lines
from tests.pages.declared import SHOWN

WARM = 10.0  # seconds after the last one joined, before anything is counted
VIEWS = (
    *("attention-", "tokenization-", "tokenizers-text", "positions-sinusoidal"),
    *("bert-words", "gpt-next", "transformer-decode", "vision-attention"),
)
WHY = next(shown for shown in SHOWN if str(shown) == "vision-why")
SWIN = WHY._replace(link={**WHY.link, "model": "swin-mini"})


async def lesson(
    habits: Habits,
    students: int,
    joining: float,
    seconds: float,
    counting: Callable[[], None],
    beside: int = 0,
) -> Seen:
    """The class joins within `joining` seconds and works; all that is after `counting` counts.

    beside: readers who have Swin's pictures explained meanwhile, 785 forwards each.
    """
    seen, random = Seen(), Random(students)
    await Student(-1, habits, Seen()).rehearse()
    begins = time.monotonic() + joining + WARM
    everyone = (Student(number, habits, seen) for number in range(students))
    long = replace(habits, views=(SWIN,), think=0.0)
    others = (Explainer(-2 - number, long, seen) for number in range(beside))

    async def begin() -> None:
        await asyncio.sleep(joining + WARM)
        counting()

    await asyncio.gather(
        begin(),
        *(one.attend(random.uniform(0, joining), begins + seconds) for one in everyone),
        *(one.attend(joining, begins + seconds) for one in others),
    )
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60, help="that are counted")
    parser.add_argument("--think", type=float, default=10, help="seconds between two changes")
    parser.add_argument("--examples", type=float, default=0, help="share of what others do, too")
    parser.add_argument("--beside", type=int, default=0, help="readers who explain pictures")
    parser.add_argument("--joining", type=float, default=10, help="seconds; 0: a storm")
    parser.add_argument("--room", type=int, help="students who follow a teacher, in place of all")
    parser.add_argument("--views", nargs="+", default=VIEWS, help="names as the tests print them")
    given = parser.parse_args()
    views = tuple(shown for shown in SHOWN if str(shown) in given.views)
    if len(views) < len(given.views):
        parser.error(f"no such view; there are {', '.join(map(str, SHOWN))}")
    command = " ".join(["python -m tests.load", *sys.argv[1:]])
    if given.room is not None:
        sys.stdout.write("\n".join(held(given.room, command)) + "\n")
        return 0
    with running_process() as server:
        gc.disable()  # it would stop all students for a second, and time that as the server's
        habits = Habits(server.address, views, given.think, given.examples)
        began = Began(server)
        long = (given.joining, given.seconds)
        run = lesson(habits, given.students, *long, began.count, given.beside)
        seen = asyncio.run(run)
        used = began.used()
    sys.stdout.write("\n".join(lines(seen, used, command)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
