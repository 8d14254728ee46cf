"""Students listen; the store is looked at once for all of them."""

import asyncio
from collections.abc import Coroutine, Iterable
from threading import get_ident
from typing import Any

import pytest

from app.rooms import hub as module
from app.rooms.hub import APART, LATEST, MOST_LISTENERS, Hub
from app.rooms.store import AWAY, News, Store
from tests.app.rooms.rooms import Opened, Unsteady


def run(story: Coroutine[Any, Any, None]) -> None:
    """Whatever hangs, ends."""

    async def limited() -> None:
        async with asyncio.timeout(30):
            await story

    asyncio.run(limited())


def test_who_comes_hears_what_holds_and_then_each_change_until_the_end():
    opened = Opened()

    async def story() -> None:
        hub = Hub(opened.store)
        listening = hub.listen(opened.code)
        assert await anext(listening) == News()
        opened.store.show(opened.code, "attention", {})
        assert await anext(listening) == News(1)
        opened.clock.now += AWAY + 1
        assert await anext(listening) == News(1, away=True)
        opened.store.close(opened.code)
        assert await anext(listening) == News(ended=True)
        assert [news async for news in listening] == []

    run(story())


def test_who_comes_late_or_comes_again_hears_the_last_state_alone():
    opened = Opened()

    async def story() -> None:
        hub = Hub(opened.store)
        first = hub.listen(opened.code)
        await anext(first)
        for page in ("attention", "bert", "gpt"):
            opened.store.show(opened.code, page, {})
        late = hub.listen(opened.code)
        assert (await anext(late) or News()).version in (0, 3)  # as the last look had it
        assert await anext(first) == News(3)
        await first.aclose()
        again = hub.listen(opened.code)
        assert await anext(again) == News(3)

    run(story())


def test_a_thousand_listen_and_the_store_is_looked_at_once_a_turn():
    opened = Opened()
    looks: list[Iterable[str]] = []
    news = opened.store.news
    opened.store.news = lambda codes: looks.append(codes) or news(codes)  # type: ignore[method-assign]

    async def story() -> None:
        hub = Hub(opened.store)
        listening = [hub.listen(opened.code) for _ in range(MOST_LISTENERS)]
        await asyncio.gather(*(anext(one) for one in listening))
        assert hub.is_full(opened.code)
        assert hub.spread(opened.code) == LATEST
        before = len(looks)
        opened.store.show(opened.code, "attention", {})
        told = await asyncio.gather(*(anext(one) for one in listening))
        assert set(told) == {News(1)}
        assert before < 100
        assert len(looks) - before < 100

    run(story())


def test_who_is_there_is_counted_and_who_leaves_is_not(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "COUNT", 0.0)
    monkeypatch.setattr(module, "LOOK", 0.0)
    opened = Opened()

    async def story() -> None:
        hub = Hub(opened.store)
        one, other = hub.listen(opened.code), hub.listen(opened.code)
        await anext(one)
        await anext(other)
        while opened.store.present(opened.code) != 2:
            await asyncio.sleep(0)
        assert hub.spread(opened.code) == APART
        await one.aclose()
        while opened.store.present(opened.code) != 1:
            await asyncio.sleep(0)
        await other.aclose()
        while opened.store.present(opened.code):
            await asyncio.sleep(0)
        while hub._looking and not hub._looking.done():  # which nobody needs any more
            await asyncio.sleep(0)
        assert (dict(hub._listeners), hub._news) == ({}, {})

    run(story())


def test_a_quiet_room_says_that_it_is_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "PING", 0.5)
    opened = Opened()

    async def story() -> None:
        listening = Hub(opened.store).listen(opened.code)
        assert await anext(listening) == News()
        assert await anext(listening) is None

    run(story())


def test_a_server_that_ends_waits_for_nobody(monkeypatch: pytest.MonkeyPatch):
    opened = Opened()

    async def story() -> None:
        listening = Hub(opened.store).listen(opened.code)
        await anext(listening)
        monkeypatch.setattr(module, "is_ending", lambda: True)
        assert [news async for news in listening] == []

    run(story())


def test_the_store_is_never_asked_where_others_would_wait_for_it():
    opened = Opened()
    asking: set[int] = set()

    class Watched(Unsteady):
        def __getattr__(self, name: str) -> Any:
            asking.add(get_ident())
            return super().__getattr__(name)

    async def story() -> None:
        listening = Hub(Store(Watched(opened.store._base))).listen(opened.code)
        await anext(listening)
        await listening.aclose()
        assert asking
        assert get_ident() not in asking

    run(story())


def test_rooms_that_are_away_for_a_moment_are_looked_at_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "AGAIN", 0.01)
    opened = Opened()
    base = Unsteady(opened.store._base)
    store = Store(base)

    async def story() -> None:
        hub = Hub(store)
        listening = hub.listen(opened.code)
        await anext(listening)
        base.is_away = True
        opened.store.show(opened.code, "attention", {})
        hears = asyncio.ensure_future(anext(listening))
        await asyncio.sleep(3 * module.LOOK)
        assert not hears.done()
        assert await anext(hub.listen(opened.code)) == News()  # as it was heard last
        base.is_away = False
        assert await hears == News(1)

    run(story())


def test_who_comes_while_they_are_away_hears_when_they_are_back(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "AGAIN", 0.01)
    monkeypatch.setattr(module, "PING", 0.2)
    opened = Opened()
    base = Unsteady(opened.store._base)
    base.is_away = True

    async def story() -> None:
        listening = Hub(Store(base)).listen(opened.code)
        assert await anext(listening) is None
        base.is_away = False
        assert await anext(listening) == News()

    run(story())


def test_who_comes_when_all_have_left_waits_and_does_not_go_round(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "COUNT", 0.0)
    monkeypatch.setattr(module, "LOOK", 0.0)
    monkeypatch.setattr(module, "PING", 0.2)
    opened = Opened()
    base = Unsteady(opened.store._base)
    turns = 0

    def counted() -> bool:
        nonlocal turns
        turns += 1
        assert turns < 20  # else nobody else's turn might come, and the test would not end
        return False

    async def story() -> None:
        hub = Hub(Store(base))
        first = hub.listen(opened.code)
        await anext(first)
        await first.aclose()
        while hub._looking and not hub._looking.done():
            await asyncio.sleep(0)
        base.is_away = True  # so that no look brings a new turn
        monkeypatch.setattr(module, "is_ending", counted)
        assert await anext(hub.listen(opened.code)) is None

    run(story())
