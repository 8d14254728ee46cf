"""Messages sent in packets are those that were to be sent, in their order."""

from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.runtime_util import serialize_forward_msg
from streamlit.runtime.session_manager import SessionClientDisconnectedError

from app.ui import lighter_streamlit
from app.ui.lighter_streamlit.packets import LARGEST, flush, packets, send


def messages(count: int) -> list[ForwardMsg]:
    return [ForwardMsg(hash=str(number)) for number in range(count)]


@pytest.mark.parametrize("count", [0, 1, LARGEST, LARGEST + 1, 5 * LARGEST])
def test_nothing_is_lost_and_nothing_overtakes(count: int):
    given = messages(count)
    packed = list(packets(given))
    assert [message for packet in packed for message in packet] == given
    assert all(0 < len(packet) <= LARGEST for packet in packed)


def test_a_session_is_flushed_as_by_streamlit():
    waiting = messages(3)
    session = SimpleNamespace(_browser_queue=SimpleNamespace(flush=lambda: waiting))
    assert flush(session) == [tuple(waiting)]  # type: ignore[arg-type]


class Client:
    def __init__(self, *, leaves_after: int = 100) -> None:
        self.came: list[bytes] = []
        self._leaves_after = leaves_after

    def write_forward_msg(self, message: ForwardMsg) -> None:
        if len(self.came) == self._leaves_after:
            raise SessionClientDisconnectedError
        self.came.append(serialize_forward_msg(message))


def test_each_message_of_a_packet_is_sent_as_by_streamlit():
    session = SimpleNamespace(client=Client(), script_run_count=0)
    finished = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
    send(SimpleNamespace(), session, (*messages(2), finished))  # type: ignore[arg-type]
    assert session.client.came == [serialize_forward_msg(m) for m in (*messages(2), finished)]
    assert session.script_run_count == 1  # or no session would let go of what it need not keep


def test_a_client_who_leaves_in_the_middle_is_told_of():
    session = SimpleNamespace(client=Client(leaves_after=1), script_run_count=0)
    with pytest.raises(SessionClientDisconnectedError):
        send(SimpleNamespace(), session, tuple(messages(3)))  # type: ignore[arg-type]
    assert len(session.client.came) == 1


def test_streamlit_sends_so():
    lighter_streamlit.apply()
    assert AppSession.flush_browser_queue is flush
    assert Runtime._send_message is send
