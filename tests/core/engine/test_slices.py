"""Long answers in slices: what is short comes in between, and numbers are what they were alone."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import core
from core.catalog import CATALOG
from core.engine import EmbeddedEngine, Request
from core.engine.slices import Sliced
from core.long_work import checkpoint
from core.outputs.families import TextModel, VisionModel
from core.targets import ClassTarget
from tests.tiny_pictures import save_picture_model

SOON = 20  # seconds: far more than any of these takes


def test_work_goes_on_slice_by_slice():
    done: list[int] = []

    def work(slices: Sliced) -> None:
        for n in range(3):
            done.append(n)
            slices.pause()

    sliced = Sliced(work, "test")
    assert done == []
    for n in range(3):
        sliced.go_on()
        assert (len(done), sliced.ended) == (n + 1, False)
    sliced.go_on()
    assert sliced.ended


class Noise:
    """A picture that can be a request's argument."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image

    def convert(self, mode: str) -> Image.Image:
        return self.image.convert(mode)


class Logbook:
    """Says what it does: long work in three parts, the first of which waits at the gate."""

    nbytes = 1000
    batched: frozenset[str] = frozenset()
    card: core.ModelCard = CATALOG[0]

    def __init__(self) -> None:
        self.log: list[str] = []
        self.busy, self.gate = threading.Event(), threading.Event()

    def measure(self, text: str) -> str:
        for part in range(3):
            self.log.append(f"{text}{part}")
            self.busy.set()
            assert self.gate.wait(SOON)
            checkpoint()
        return text

    def trace(self, text: str) -> str:
        self.log.append(text)
        return text

    def trace_many(self, *_: object) -> None:
        raise NotImplementedError


@pytest.fixture
def model() -> Logbook:
    return Logbook()


@pytest.fixture
def engine(model: Logbook) -> Iterator[EmbeddedEngine]:
    engine = EmbeddedEngine(loader=lambda *_, **__: model)
    yield engine
    model.gate.set()
    engine.close()


def long(text: str, asker: str = "") -> Request[Any]:
    return Request("fake", TextModel.measure, {"text": text}, asker)


def test_a_short_question_waits_for_a_part_of_a_long_one(engine: EmbeddedEngine, model: Logbook):
    first = engine.submit(long("A"))
    assert model.busy.wait(SOON)
    second = engine.submit(Request.of(TextModel.trace, "fake", "short"))
    model.gate.set()
    assert (first.result(SOON), second.result(SOON)) == ("A", "short")
    assert model.log == ["A0", "short", "A1", "A2"]


def test_what_had_least_time_goes_on(engine: EmbeddedEngine, model: Logbook):
    first = engine.submit(long("A"))
    assert model.busy.wait(SOON)
    second = engine.submit(long("B"))
    assert engine.place(long("B")) == 1
    model.gate.set()
    assert (first.result(SOON), second.result(SOON)) == ("A", "B")
    assert model.log[:2] == ["A0", "B0"]
    assert engine.place(long("B")) is None


def test_who_asks_much_does_not_keep_others_waiting(engine: EmbeddedEngine, model: Logbook):
    futures = [engine.submit(long("A", "greedy"))]
    assert model.busy.wait(SOON)
    futures += [engine.submit(long(text, "greedy")) for text in "BCDEF"]
    futures.append(engine.submit(long("X", "other")))
    assert engine.place(long("X")) == 2
    model.gate.set()
    assert [future.result(SOON) for future in futures] == list("ABCDEFX")
    begun = [entry[0] for entry in model.log if entry.endswith("0")]
    assert begun.index("X") == 2


def test_a_real_models_long_answers_are_what_they_are_alone(tmp_path: Path):
    """Each pauses within, and the others' forwards come in between."""
    model: Any = core.load(save_picture_model("vit", tmp_path))
    noise = np.random.default_rng(0).integers(0, 256, (50, 70, 3), dtype=np.uint8)
    picture = Noise(Image.fromarray(noise))
    target = ClassTarget(0)
    methods = ("integrated-gradients", "occlusion", "gradcam")
    expected = {name: model.evidence(picture, name, target) for name in methods}
    seen = model.trace(picture).attention(0).weights
    engine = EmbeddedEngine(loader=lambda *_, **__: model)
    asked = {
        name: engine.submit(Request.of(VisionModel.evidence, "fake", picture, name, target))
        for name in methods
    }
    between = engine.submit(Request.of(VisionModel.trace, "fake", picture))
    for name, future in asked.items():
        np.testing.assert_array_equal(future.result(SOON), expected[name])
    np.testing.assert_array_equal(between.result(SOON).attention(0).weights, seen)
    engine.close()
