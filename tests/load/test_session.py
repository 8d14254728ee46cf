"""The tab's end of the protocol, against a server that says what it is told to."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from tests.load.session import Session
from tests.load.student import Seen
from tests.load.table import Used, lines

NOTHING_USED = Used(since=0.0, cpu=0.0, resident=0, peak=0)


def delta(place: int, **element: object) -> ForwardMsg:
    message = ForwardMsg()
    message.metadata.delta_path.extend([0, place])
    kind, value = next(iter(element.items()))
    getattr(message.delta.new_element, kind).MergeFrom(value)
    return message


def run(number: int, *messages: ForwardMsg) -> list[ForwardMsg]:
    """A whole run of the script."""
    begun = ForwardMsg()
    begun.new_session.name = "main"
    begun.metadata.run.script_run_id = str(number)
    ended = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
    return [begun, *messages, ended]


def talk(
    answers: Sequence[list[ForwardMsg]], reader: Callable[[Session], Coroutine[None, None, None]]
) -> list[BackMsg]:
    """Let a reader speak with a server that has these answers; what it was asked."""
    asked: list[BackMsg] = []

    async def answer(socket: ServerConnection) -> None:
        for messages in answers:
            asked.append(BackMsg.FromString(await socket.recv()))  # type: ignore[arg-type]
            for message in messages:
                await socket.send(message.SerializeToString())

    async def meet() -> None:
        async with serve(answer, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            async with connect(f"ws://127.0.0.1:{port}") as socket:
                await reader(Session(socket))

    asyncio.run(meet())
    return asked


def test_an_error_in_a_page_counts_as_one():
    alert = Alert(body="Something broke in this app", format=Alert.ERROR)
    hint = Alert(body="At most 512 tokens.", format=Alert.WARNING)
    seen = Seen()

    async def reader(session: Session) -> None:
        for _ in range(2):
            seen.answers.append(("text", 1.0, await session.go("", {})))

    talk([run(1, delta(0, alert=alert), delta(1, alert=hint)), run(2)], reader)
    assert [answer.errors for _, _, answer in seen.answers] == [[alert.body], []]
    assert f"| errors | 1; 1 × {alert.body} |" in lines(seen, NOTHING_USED, "")


def test_what_a_run_does_not_draw_again_is_gone():
    async def reader(session: Session) -> None:
        await session.go("", {})
        assert len(session.elements) == 2
        await session.go("", {})
        assert [shown.proto.body for shown in session.elements] == ["new"]

    one, two, new = (
        delta(i, alert=Alert(body=body)) for i, body in ((0, "a"), (1, "b"), (0, "new"))
    )
    talk([run(1, one, two), run(2, new)], reader)


def test_a_large_message_is_not_sent_twice():
    large = delta(0, alert=Alert(body="large"))
    large.hash, large.metadata.cacheable = "abc", True
    again = ForwardMsg(ref_hash="abc")
    again.metadata.delta_path.extend([0, 3])

    async def reader(session: Session) -> None:
        await session.go("", {})
        answer = await session.go("", {})
        assert [shown.proto.body for shown in answer.drawn] == ["large"]

    first, second = talk([run(1, large), run(2, again)], reader)
    assert list(first.rerun_script.cached_message_hashes) == []
    assert list(second.rerun_script.cached_message_hashes) == ["abc"]
