"""What can go wrong between the app and what computes: told in words, mended without a restart."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from core.engine import Request, remote, waiting
from core.engine.events import EVENTS, Event, Together
from core.engine.news import Answered, News, framed
from core.engine.remote import RayEngine
from core.engine.sealed import SealError, seal, secret, unseal
from core.errors import BusyError, InputError, ModelUnavailableError
from core.long_work import Progress, WithdrawnError
from core.outputs.families import TextModel

SOON = 30  # seconds: far more than any of these takes
KEY = bytes(32)
Reply = Callable[[BaseHTTPRequestHandler, Any], None]


def say(handler: BaseHTTPRequestHandler, *values: Any, cut: int = 0) -> None:
    """A stream of messages, of whose last bytes `cut` are missing."""
    whole = b"".join(framed(seal(value, KEY)) for value in values)
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    handler.wfile.write(whole[: len(whole) - cut])


def answer(handler: BaseHTTPRequestHandler, asked: Any) -> None:
    say(handler, Answered(f"{asked.arguments['text']}!"))


def cut_off(handler: BaseHTTPRequestHandler, _: Any) -> None:
    say(handler, Answered("x" * 1000), cut=500)


def without_answer(handler: BaseHTTPRequestHandler, _: Any) -> None:
    say(handler, News(place=1))


def forged(handler: BaseHTTPRequestHandler, _: Any) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    handler.wfile.write(framed(seal(Answered("lies"), b"1" * 32)))


def status(code: int) -> Reply:
    def reply(handler: BaseHTTPRequestHandler, _: Any) -> None:
        handler.wfile.write(f"HTTP/1.1 {code} No\r\nContent-Length: 0\r\n\r\n".encode())

    return reply


def fails(error: Exception) -> Reply:
    return lambda handler, _: say(handler, Answered(error=error))


class Server:
    """Says what it is told to, then answers."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.asked = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = unseal(self.rfile.read(int(self.headers["Content-Length"])), KEY)
                outer.asked += 1
                reply = outer.replies.pop(0) if outer.replies else answer
                reply(self, asked)
                self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002

        self._handler = Handler
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._http.server_port
        self._serve()

    def _serve(self) -> None:
        threading.Thread(target=self._http.serve_forever, daemon=True, args=(0.01,)).start()

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def start_again(self) -> None:
        self._http = ThreadingHTTPServer(("127.0.0.1", self.port), self._handler)
        self._serve()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.stop()


@pytest.fixture
def engine(server: Server) -> Iterator[RayEngine]:
    made = RayEngine(f"127.0.0.1:{server.port}", KEY, lambda _: None)
    yield made
    made.close()


def trace_of(text: str) -> Request[Any]:
    return Request.of(TextModel.trace, "fake", text)


@pytest.mark.parametrize("fault", [cut_off, without_answer, forged, status(500)])
def test_one_fault_is_made_good_by_asking_again(server: Server, engine: RayEngine, fault: Reply):
    server.replies = [fault]
    assert engine.submit(trace_of("a")).result(SOON) == "a!"
    assert server.asked == 2


@pytest.mark.parametrize("fault", [cut_off, without_answer, forged, status(500)])
def test_a_second_fault_is_told_and_the_next_question_answered(
    server: Server, engine: RayEngine, fault: Reply
):
    server.replies = [fault, fault]
    with pytest.raises(BusyError, match="so did a second try"):
        engine.submit(trace_of("a")).result(SOON)
    assert engine.submit(trace_of("a")).result(SOON) == "a!"


def test_a_full_queue_is_told(server: Server, engine: RayEngine):
    server.replies = [status(503)]
    with pytest.raises(BusyError, match="All that computes is busy"):
        engine.submit(trace_of("a")).result(SOON)
    assert server.asked == 1
    assert engine.submit(trace_of("a")).result(SOON) == "a!"


@pytest.mark.parametrize(
    "error", [InputError("too long"), ModelUnavailableError("The disk is full")]
)
def test_a_readers_error_comes_in_its_own_words(
    server: Server, engine: RayEngine, error: Exception
):
    server.replies = [fails(error)]
    with pytest.raises(type(error), match=str(error)):
        engine.submit(trace_of("a")).result(SOON)


def test_while_nobody_listens_it_waits_and_says_so(
    server: Server, engine: RayEngine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(remote, "AGAIN", 0.01)
    server.stop()
    future = engine.submit(trace_of("a"))
    until = time.monotonic() + SOON
    while engine.hitch(trace_of("a")) != remote.NOBODY:
        assert time.monotonic() < until
    server.start_again()
    assert future.result(SOON) == "a!"
    assert engine.hitch(trace_of("a")) is None


def test_who_starts_is_waited_for(
    server: Server, engine: RayEngine, monkeypatch: pytest.MonkeyPatch
):
    """Serve listens before it knows of a replica."""
    monkeypatch.setattr(remote, "AGAIN", 0.01)
    server.replies = [status(404)] * 5
    assert engine.submit(trace_of("a")).result(SOON) == "a!"


def test_in_the_end_who_waits_is_told(
    server: Server, engine: RayEngine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(remote, "PATIENCE", -1.0)
    server.stop()
    with pytest.raises(BusyError, match="Nothing that computes can be reached"):
        engine.submit(trace_of("a")).result(SOON)
    server.start_again()
    assert engine.submit(trace_of("a")).result(SOON) == "a!"


@pytest.mark.parametrize(
    ("bound", "told"), [("ACCEPTED", "so did a second try"), ("ALTOGETHER", "was not answered")]
)
def test_who_accepts_and_never_answers_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, bound: str, told: str
):
    monkeypatch.setattr(remote, bound, 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # its kernel accepts
        engine = RayEngine(f"127.0.0.1:{silent.getsockname()[1]}", KEY, lambda _: None)
        with pytest.raises(BusyError, match=told):
            engine.submit(trace_of("a")).result(SOON)
        engine.close()


def test_one_who_never_answered_is_made_good_by_another(
    server: Server, engine: RayEngine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(remote, "ACCEPTED", 0.5)
    gate = threading.Event()
    server.replies = [lambda *_: gate.wait(SOON) and None]
    assert engine.submit(trace_of("a")).result(SOON) == "a!"
    gate.set()


def test_a_host_that_is_switched_off_is_nobody(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(remote, "CONNECT", 0.05)
    monkeypatch.setattr(remote, "PATIENCE", -1.0)
    with ExitStack() as sockets:
        off = sockets.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(8):  # its queue is full: no further packet is heard
            one = sockets.enter_context(socket.socket())
            one.settimeout(0)
            one.connect_ex(off.getsockname())
        engine = RayEngine(f"127.0.0.1:{off.getsockname()[1]}", KEY, lambda _: None)
        with pytest.raises(BusyError, match="Nothing that computes can be reached"):
            engine.submit(trace_of("a")).result(SOON)
        engine.close()


def test_a_replicas_batches_are_counted_here(server: Server, engine: RayEngine):
    heard: list[Event] = []
    EVENTS.listen(lambda _: None)  # what other tests left there is not this one's
    EVENTS.listen(heard.append)
    server.replies = [
        lambda handler, _: say(handler, News(batches=(2, 16)), News(), Answered("a!", batches=(3,)))
    ]
    assert engine.submit(trace_of("a")).result(SOON) == "a!"
    EVENTS.listen(lambda _: None)
    assert [one.size for one in heard if isinstance(one, Together)] == [2, 16, 3]


def test_news_are_told_until_the_answer(server: Server, engine: RayEngine):
    gate = threading.Event()
    told = News(4, Progress("downloading", 1, 3), is_open=True)

    def slow(handler: BaseHTTPRequestHandler, _: Any) -> None:
        say(handler, told)
        handler.wfile.flush()
        gate.wait(SOON)
        handler.wfile.write(framed(seal(Answered("late"), KEY)))

    server.replies = [slow]
    future = engine.submit(trace_of("a"))
    until = time.monotonic() + SOON
    while engine.place(trace_of("a")) != 4:
        assert time.monotonic() < until
    assert engine.download_progress("fake") == told.download
    assert engine.is_loaded("fake")
    gate.set()
    assert future.result(SOON) == "late"
    assert engine.place(trace_of("a")) is None


def test_what_nobody_wants_is_hung_up_on(
    server: Server, engine: RayEngine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(waiting, "GRACE", -1.0)
    gate = threading.Event()
    server.replies = [lambda *_: gate.wait(SOON) and None]
    with engine.wanted({"it": trace_of("a")}) as futures:
        pass
    with pytest.raises(WithdrawnError):
        futures["it"].result(SOON)
    gate.set()


def test_a_model_that_is_not_offered_is_not_asked_for(server: Server):
    def refuse(model_id: str) -> None:
        raise InputError(f"no {model_id}")

    engine = RayEngine(f"127.0.0.1:{server.port}", KEY, refuse)
    with pytest.raises(InputError, match="no fake"):
        engine.submit(trace_of("a")).result(SOON)
    assert server.asked == 0
    engine.close()


def test_a_message_is_read_by_who_holds_the_secret_alone():
    gaps = np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2]
    message = seal({"a": gaps, "b": "text"}, KEY)
    found = unseal(message, KEY)
    np.testing.assert_array_equal(found["a"], gaps)
    assert not found["a"].flags.writeable
    for wrong in (message[:-1], message[:40] + b"x" + message[41:], b"", b"short"):
        with pytest.raises(SealError):
            unseal(wrong, KEY)
    with pytest.raises(SealError):
        unseal(message, b"1" * 32)


def test_no_other_class_comes_out_of_a_message():
    with pytest.raises(SealError, match="is no part of a message"):
        unseal(seal(threading.Event, KEY), KEY)


def test_the_secret_is_rays_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Any):
    monkeypatch.setenv("RAY_AUTH_TOKEN", "")
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
    with pytest.raises(ValueError, match="ray get-auth-token --generate"):
        secret()
    (tmp_path / "token").write_text("abc\n")
    of_file = secret()
    monkeypatch.setenv("RAY_AUTH_TOKEN", "abc")
    assert secret() == of_file
