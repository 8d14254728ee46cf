"""Many messages, few journeys, in their order."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from app.ui.lighter_streamlit.outbox import PAUSE, Outbox


def test_a_run_that_began_before_is_still_heard():
    began = (
        "import gc, weakref\n"
        "from streamlit.runtime.app_session import AppSession\n"
        "heard = weakref.ref(AppSession._on_scriptrunner_event)\n"
        "from app.ui import lighter_streamlit\n"
        "lighter_streamlit.apply()\n"
        "gc.collect()\n"
        "assert AppSession._on_scriptrunner_event is not heard()\n"
        "assert heard() is not None"
    )
    subprocess.run([sys.executable, "-c", began], check=True)


class Loop:
    """An event loop that does things when it is told to."""

    def __init__(self) -> None:
        self.woken: list[Callable[[], object]] = []
        self.later: list[Callable[[], object]] = []
        self.failed: list[object] = []

    def call_later(self, seconds: float, callback: Callable[[], object]) -> None:
        assert seconds == PAUSE
        self.later.append(callback)

    def call_exception_handler(self, context: dict[str, object]) -> None:
        self.failed.append(context["exception"])

    def run(self, which: list[Callable[[], object]]) -> None:
        callbacks = which.copy()
        which.clear()
        for callback in callbacks:
            callback()


class TestOutbox:
    @pytest.fixture
    def loop(self) -> Loop:
        return Loop()

    @pytest.fixture
    def outbox(self, loop: Loop) -> Outbox:
        return Outbox(loop.woken.append, loop)  # type: ignore[arg-type]

    def test_many_messages_wake_the_loop_once(self, loop: Loop, outbox: Outbox):
        came: list[int] = []
        for number in range(50):
            outbox.put(lambda number=number: came.append(number), urgent=False)
        assert len(loop.woken) == 1
        loop.run(loop.woken)
        assert came == list(range(50))

    def test_the_loop_looks_again_by_itself_while_there_is_something(
        self, loop: Loop, outbox: Outbox
    ):
        came: list[str] = []
        outbox.put(lambda: came.append("first"), urgent=False)
        loop.run(loop.woken)
        outbox.put(lambda: came.append("second"), urgent=False)
        assert loop.woken == []
        loop.run(loop.later)
        assert came == ["first", "second"]
        loop.run(loop.later)  # nothing came: it sleeps from now on
        assert loop.later == []
        outbox.put(lambda: came.append("third"), urgent=False)
        assert len(loop.woken) == 1

    def test_the_end_of_a_run_does_not_wait(self, loop: Loop, outbox: Outbox):
        came: list[str] = []
        outbox.put(lambda: came.append("message"), urgent=False)
        outbox.put(lambda: came.append("end"), urgent=True)
        assert len(loop.woken) == 2
        loop.run(loop.woken)
        assert came == ["message", "end"]

    def test_one_that_fails_holds_up_no_other(self, loop: Loop, outbox: Outbox):
        came: list[str] = []
        outbox.put(lambda: 1 / 0, urgent=False)
        outbox.put(lambda: came.append("next"), urgent=False)
        loop.run(loop.woken)
        assert came == ["next"]
        assert isinstance(loop.failed[0], ZeroDivisionError)
