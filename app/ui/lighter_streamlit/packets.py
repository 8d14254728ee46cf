"""A run's messages leave the server in packets.

Streamlit's loop lets everything else on after each message of a hundred: each is a turn of the
event loop, and a system call to send it. Messages of one turn leave in one call.
"""

# pyright: reportPrivateUsage=false
# What is done message by message lies within.

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.session_manager import ActiveSessionInfo

LARGEST: Final = 32  # messages, which take about a millisecond; then others have their turn
FLUSH: Final = AppSession.flush_browser_queue
SEND: Final = Runtime._send_message
Packet = tuple[ForwardMsg, ...]


def apply() -> None:
    AppSession.flush_browser_queue = flush  # type: ignore[assignment, method-assign]
    Runtime._send_message = send  # type: ignore[assignment, method-assign]


def flush(session: AppSession) -> list[Packet]:
    """What waits to be sent, in its order."""
    return list(packets(FLUSH(session)))


def packets(messages: Sequence[ForwardMsg]) -> Iterator[Packet]:
    rest = iter(messages)
    while packet := tuple(islice(rest, LARGEST)):
        yield packet


def send(runtime: Runtime, session: ActiveSessionInfo, packet: Packet) -> None:
    """In one turn of the event loop; the connection writes at its end."""
    for message in packet:
        SEND(runtime, session, message)
