"""What one element costs Streamlit itself: the server's CPU time of a run, without our code.

Run by hand: `python -m tests.benchmarks.streamlit_alone`. One reader draws a page again that has
twenty elements of one kind and nothing else. `reruns.py` measures ours in the same way.
"""

import asyncio
import subprocess
import sys
from pathlib import Path

from websockets.asyncio.client import connect

from tests.benchmarks.bare_page import COUNT, KINDS
from tests.benchmarks.reruns import cost
from tests.journeys.server import ADDRESS, Server
from tests.load.session import LARGEST, Session
from tests.load.student import PROTOCOL

PAGE = Path(__file__).with_name("bare_page.py")


async def measure(server: Server) -> None:
    """Print a row a kind; an element's share is what comes on top of an empty page."""
    empty = 0.0
    for kind in KINDS:
        socket = f"{server.address.replace('http', 'ws', 1)}/_stcore/stream"
        async with connect(socket, subprotocols=[PROTOCOL], max_size=LARGEST) as connection:
            session = Session(connection)
            run, _ = await cost(server, lambda _, s=session, k=kind: s.go("", {"kind": k}))
        empty = empty or run
        print(f"| {kind} | {run:.1f} ms | {(run - empty) / COUNT:.2f} ms each |", flush=True)  # noqa: T201


def main() -> None:
    command = [
        *(sys.executable, "-m", "streamlit", "run", str(PAGE), "--server.port=0"),
        *("--server.address=127.0.0.1", "--server.headless=true", "--server.fileWatcherType=none"),
        "--browser.gatherUsageStats=false",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = next(found[1] for line in process.stdout if (found := ADDRESS.search(line)))
            asyncio.run(measure(Server(address, process.pid)))
        finally:
            process.kill()


if __name__ == "__main__":
    main()
