"""What is Redis's matter alone: it expires, hides, loses and finds again."""

import asyncio
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from app.rooms import here, in_redis
from app.rooms.database import AwayError, GoneError
from app.rooms.hub import Hub
from app.rooms.in_redis import InRedis
from app.rooms.store import News, Store
from app.services.settings import ROOMS_SETTING
from tests.app.rooms.rooms import Opened
from tests.app.rooms.test_hub import run
from tests.app.test_procfile import free_port
from tests.redis_server import RedisServer


@pytest.fixture
def own(redis_command: str, tmp_path: Path) -> Iterator[RedisServer]:
    """One that a test may end; not yet started."""
    server = RedisServer(redis_command, tmp_path, free_port())
    yield server
    server.stop()


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits or rests for long."""
    monkeypatch.setattr(in_redis, "WAIT", 0.1)
    monkeypatch.setattr(in_redis, "REST", 0.05)


def everything(address: str) -> tuple[dict[str, int], str]:
    """Every key with the milliseconds that it lives; all values."""
    with Redis.from_url(address, decode_responses=True) as base:
        lives = {key: base.pttl(key) for key in base.scan_iter()}
        hashes = [str(base.hgetall(key)) for key in lives if key != "glassformer:rooms"]
        return lives, " ".join(hashes)  # type: ignore[return-value]


def full(opened: Opened) -> str:
    """The room gets one of everything; a student's key."""
    store, code = opened.store, opened.code
    mine = store.join(code)
    store.show(code, "attention", {"text": "The cat sat."})
    store.polls.ask(code, "a.1", 2)
    store.polls.vote(mine, "a.1", 1)
    store.papers.lend(code, "mark", lambda: "text")
    store.attend("one", {code: 1})
    return mine


def test_every_key_has_the_apps_prefix_and_ends_with_its_room(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("app.rooms.store.LIFE", 9)
    opened = Opened(redis_server.address)
    full(opened)
    lives, _ = everything(redis_server.address)
    assert len(lives) == 5
    assert all(key.startswith("glassformer:room") for key in lives)
    assert all(0 < life <= 9000 for life in lives.values())
    monkeypatch.setattr("app.rooms.store.LIFE", 1000)
    opened.store.teach(opened.code)  # with the room lives what is in it
    later, _ = everything(redis_server.address)
    assert later.keys() == lives.keys()
    assert all(life > 900_000 for life in later.values())
    monkeypatch.setattr("app.rooms.store.LIFE", 0.01)
    opened.store.teach(opened.code)
    time.sleep(0.05)
    assert opened.kept() == []  # nobody had to open the next room
    with pytest.raises(GoneError):
        opened.store.room(opened.code)


def test_the_teacher_s_key_is_not_in_it_and_a_student_s_is_the_vote_s_alone(
    redis_server: RedisServer,
):
    opened = Opened(redis_server.address)
    mine = full(opened)
    opened.store.join(opened.code)
    _, values = everything(redis_server.address)
    assert opened.teacher not in values
    assert opened.teacher.rpartition("-")[2] not in values
    assert values.count(mine) == 1


def test_the_time_is_redis_s_whatever_a_web_process_thinks(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
):
    one, other = (Store(InRedis(redis_server.address)) for _ in range(2))
    code, _ = one.open()
    one.attend("one", {code: 3})
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 86_400)
    assert not other.room(code).away
    assert other.news([code]) == {code: News()}
    assert other.present(code) == 3
    other.close(other.open()[0])
    assert one.room(code).version == 0


@pytest.mark.usefixtures("soon")
def test_it_is_away_at_first_and_there_when_it_is_started(
    own: RedisServer, caplog: pytest.LogCaptureFixture
):
    store = Store(InRedis(own.address))
    for _ in range(3):
        with pytest.raises(AwayError, match="can’t be reached at the moment"):
            store.open()
    assert caplog.text.count("Redis could not be asked") == 1
    own.start()
    time.sleep(in_redis.REST)
    code, key = store.open()
    assert store.is_teachers(key)
    assert "Redis answers again" in caplog.text
    own.stop()
    for ask in (store.room, store.join, store.close, store.teach):
        with pytest.raises(AwayError):
            ask(code)
    for proves in (store.is_teachers, store.is_students):  # nobody is told that theirs is wrong
        with pytest.raises(AwayError):
            proves(key)
    own.start()  # it has kept nothing
    time.sleep(in_redis.REST)
    with pytest.raises(GoneError):
        store.room(code)
    assert store.open()


def test_a_restart_between_two_questions_is_not_noticed(own: RedisServer):
    own.start()
    store = Store(InRedis(own.address))
    store.open()
    own.stop()
    own.start()
    store.open()


def test_one_waits_for_who_does_not_answer_and_nobody_else_does(
    own: RedisServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(in_redis, "WAIT", 0.1)
    own.start()
    store = Store(InRedis(own.address))
    code, _ = store.open()
    with own.held():
        began = time.monotonic()
        with pytest.raises(AwayError):
            store.room(code)
        waited = time.monotonic() - began
        for _ in range(100):
            with pytest.raises(AwayError):
                store.room(code)
    assert waited < 1
    assert time.monotonic() - began - waited < 0.5
    monkeypatch.setattr(in_redis, "REST", 0)
    assert store.room(code).version == 0


@pytest.mark.usefixtures("soon")
def test_who_listens_hears_on_when_it_answers_again(
    own: RedisServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("app.rooms.hub.AGAIN", 0.01)
    own.start()
    store = Store(InRedis(own.address))
    code, _ = store.open()

    async def story() -> None:
        listening = Hub(Store(InRedis(own.address))).listen(code)
        assert await anext(listening) == News()
        hears = asyncio.ensure_future(anext(listening))
        with own.held():
            await asyncio.sleep(3 * in_redis.WAIT)
        assert not hears.done()
        store.show(code, "attention", {})
        assert await hears == News(1)

    run(story())


def test_a_script_that_the_server_has_forgotten_is_told_anew(redis_server: RedisServer):
    opened = Opened(redis_server.address)
    with Redis.from_url(redis_server.address) as base:
        base.script_flush()
    assert opened.store.room(opened.code).version == 0


@pytest.mark.usefixtures("soon")
def test_a_server_that_has_no_room_left_is_away(own: RedisServer):
    own.start()
    opened = Opened(own.address)
    with Redis.from_url(own.address) as base:
        base.config_set("maxmemory", 1)
    with pytest.raises(AwayError):
        full(opened)


@pytest.mark.usefixtures("soon")
def test_it_may_ask_for_a_password_and_be_encrypted(
    redis_command: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    port, key, certificate = free_port(), tmp_path / "key.pem", tmp_path / "certificate.pem"
    certify(key, certificate)
    server = RedisServer(
        redis_command, tmp_path, 0,
        *("--tls-port", str(port), "--tls-cert-file", str(certificate)),
        *("--tls-key-file", str(key), "--tls-auth-clients", "no", "--requirepass", "s3cret"),
    )  # fmt: skip
    server.start(listens=port)
    at, known = f"127.0.0.1:{port}/0", f"?ssl_ca_certs={certificate}"
    try:
        for right in (f"rediss://:s3cret@{at}{known}", f"rediss://default:s3cret@{at}{known}"):
            assert Store(InRedis(right)).open()
        for wrong in (
            f"rediss://:gu3ss@{at}{known}",
            f"rediss://{at}{known}",
            f"redis://:s3cret@{at}",  # in the clear
            f"rediss://:s3cret@{at}",  # of an authority that nobody knows
        ):
            with pytest.raises(AwayError):
                Store(InRedis(wrong)).open()
    finally:
        server.stop()
    assert "s3cret" not in caplog.text
    assert "gu3ss" not in caplog.text


def certify(key: Path, certificate: Path) -> None:
    """This machine's loopback, by itself."""
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    named = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    made = ("-keyout", str(key), "-out", str(certificate))
    command = ["openssl", "req", "-x509", *curve, *named, *made]
    subprocess.run(command, check=True, capture_output=True)


def test_the_server_s_setting_names_it(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(ROOMS_SETTING, redis_server.address)
    here.store.cache_clear()
    try:
        code, _ = here.store().open()
    finally:
        here.store.cache_clear()
    assert Store(InRedis(redis_server.address)).room(code).page is None
