"""Long questions of one reader, by a clock that stands still until it is moved."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.engine import ByteCache, KnownAnswers, Lane, Request
from core.engine.allowance import Allowance
from core.engine.engine import Engine
from core.errors import BusyError
from core.limits import LONG_AT_ONCE, LONG_PER_SECOND
from core.outputs.encoder import EncoderProfile
from core.outputs.families import Translator, VisionModel
from core.targets import ClassTarget


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_then_as_many_as_come_back():
    clock = Clock()
    allowance = Allowance(clock)
    assert [allowance.wait("ann") for _ in range(LONG_AT_ONCE)] == [0] * LONG_AT_ONCE
    assert allowance.wait("ann") == 1  # second: half of one for a whole token, told in whole ones
    assert allowance.wait("ben") == 0
    clock.now += 10
    back = int(10 * LONG_PER_SECOND)
    assert [allowance.wait("ann") for _ in range(back)] == [0] * back
    assert allowance.wait("ann") == 1


def test_a_full_bucket_holds_no_more():
    clock = Clock()
    allowance = Allowance(clock)
    allowance.wait("ann")
    clock.now += 100 * LONG_AT_ONCE / LONG_PER_SECOND
    assert [allowance.wait("ann") for _ in range(LONG_AT_ONCE)] == [0] * LONG_AT_ONCE
    assert allowance.wait("ann") == 1


def test_who_is_long_gone_is_forgotten():
    clock = Clock()
    allowance = Allowance(clock)
    for reader in range(1000):
        clock.now += 1
        allowance.wait(reader)
    assert len(allowance._buckets) <= LONG_AT_ONCE / LONG_PER_SECOND + 1


def test_what_has_no_reader_is_never_refused():
    allowance = Allowance(Clock())
    assert not any(allowance.wait(None) for _ in range(2 * LONG_AT_ONCE))


class AtOnce:
    """An inference that answers whatever is put into its line."""

    def __init__(self, cache: ByteCache, *_: object) -> None:
        self._cache = cache
        self.line = self

    def put(self, request: Request) -> None:
        self._cache.fulfil(request.key, 1)

    def __len__(self) -> int:
        return 0


def test_one_reader_is_refused_in_words_and_the_others_are_answered():
    engine = Engine(AtOnce)  # type: ignore[arg-type]
    engine._allowance = Allowance(Clock())

    def ask(asker: str, index: int) -> object:
        request = Request.of(VisionModel.evidence, "m", "picture", "rollout", ClassTarget(index))  # type: ignore[arg-type]
        return engine.submit(replace(request, asker=asker)).result()

    for index in range(LONG_AT_ONCE):
        ask("ann", index)
    with pytest.raises(BusyError, match=r"more than 240 long .* Wait 1 s, then change something\."):
        ask("ann", LONG_AT_ONCE)
    assert ask("ann", 0) == 1, "what was asked already costs nothing"
    assert ask("ben", LONG_AT_ONCE) == 1
    assert ask("ann", LONG_AT_ONCE) == 1


def test_jobs_are_counted_once_too():
    engine = Engine(AtOnce)  # type: ignore[arg-type]
    engine._allowance = Allowance(Clock())

    def train(asker: str | None, size: int) -> int:
        job = engine.start(("training", size), lambda _: size, Lane.TRAININGS, asker=asker)
        return job.future.result()

    for size in range(LONG_AT_ONCE):
        assert train("ann", size) == size
    with pytest.raises(BusyError, match="more than 240 long"):
        train("ann", LONG_AT_ONCE)
    assert train("ann", 0) == 0
    assert train("ben", LONG_AT_ONCE) == train("ann", LONG_AT_ONCE) == LONG_AT_ONCE
    assert train(None, LONG_AT_ONCE + 1) == LONG_AT_ONCE + 1
    engine._jobs.close()


def test_a_first_sight_costs_nothing(tmp_path: Path):
    """What lies on the disk is no computation: it comes where the allowance is used up."""
    known, seen = KnownAnswers(tmp_path), Request.of(Translator.decode, "m", "seen")
    profile = EncoderProfile("bert", True, True, 2, 512, "[MASK]", 1, frozenset({0}))  # noqa: FBT003
    known.keep(seen, profile)  # type: ignore[arg-type]
    engine = Engine(AtOnce, known=known)  # type: ignore[arg-type]
    engine._allowance = Allowance(Clock())
    for index in range(LONG_AT_ONCE):
        new = Request.of(Translator.decode, "m", str(index))
        engine.submit(replace(new, asker="ann")).result()
    with pytest.raises(BusyError):
        engine.submit(replace(Request.of(Translator.decode, "m", "new"), asker="ann")).result()
    assert engine.submit(replace(seen, asker="ann")).result() == profile
