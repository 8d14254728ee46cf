"""A graphics card that is full: fewer at once, then the processor; what comes is the same."""

import threading
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.catalog import Family
from core.engine import EmbeddedEngine, Request
from core.engine.no_room import MOVED, card_is_full
from core.errors import BusyError, ModelUnavailableError
from core.interventions import HidePatches, SilenceHead
from core.outputs.families import PROTOCOLS, TextModel
from core.targets import ClassTarget, LogitTarget
from tests.core.engine.test_batches import CASES, assert_equal
from tests.tiny_families import SAVED

SOON = 60  # seconds: far more than any of these takes
TEXT = "the cat sat"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Family], str]:
    made: dict[Family, Path] = {}

    def folder_of(family: Family) -> str:
        if family not in made:
            made[family] = SAVED[family](tmp_path_factory.mktemp(family.name))
        return str(made[family])

    return folder_of


class Card:
    """A graphics card with room for some rows of a batch; the processor has room for any."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.tried: list[int] = []
        self.opened: list[str | None] = []

    def load(self, folder: str, *, device: str | None = None, **_: object) -> Any:
        model: Any = core.load(folder, device="cpu")
        self.opened.append(device)
        if device is None:
            model.module.register_forward_pre_hook(self._look, with_kwargs=True)
        return model

    def _look(self, _: object, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        tensors = (one for one in chain(given, named.values()) if isinstance(one, torch.Tensor))
        n = len(next(tensors))
        self.tried.append(n)
        if n > self.rows:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")


@pytest.mark.parametrize("family", Family)
def test_a_batch_that_does_not_fit_is_made_smaller(
    family: Family, folders: Callable[[Family], str]
):
    card = Card(1)
    full, roomy = card.load(folders(family)), core.load(folders(family), device="cpu")
    case = CASES[family]
    given, more = zip(*case.inputs[:3], strict=True)
    inputs = [{"text": one, **the} if the else one for one, the in zip(given, more, strict=True)]
    for found, one, its in zip(full.trace_many(inputs), given, more, strict=True):
        assert_equal(found, roomy.trace(one, **its))
    assert (max(card.tried) > 1, card.tried.count(1)) == (True, 3)


@pytest.mark.parametrize("family", [Family.TEXT_ENCODER, Family.VISION, Family.DETECTOR])
def test_changes_that_do_not_fit_together_are_tried_in_parts(
    family: Family, folders: Callable[[Family], str]
):
    card = Card(3)
    full, roomy = card.load(folders(family)), core.load(folders(family), device="cpu")
    case = CASES[family]
    changes = [(case.change,), (), (SilenceHead(0, 0, case.change.kind),), (), (case.change,)] * 2
    target = ClassTarget(1) if family == Family.VISION else LogitTarget(1, 1)
    given = case.inputs[0][0]
    found = full.measure(given, changes, target)
    np.testing.assert_allclose(found, roomy.measure(given, changes, target), atol=1e-6)
    assert max(card.tried) > 3
    assert sum(n for n in card.tried if n <= 3) == len(changes)


def test_a_picture_under_no_change_at_all_is_measured(folders: Callable[[Family], str]):
    vit: Any = core.load(folders(Family.VISION), device="cpu")
    assert vit.measure(CASES[Family.VISION].inputs[0][0], (), ClassTarget(0)).shape == (0,)
    assert vit.measure(
        CASES[Family.VISION].inputs[0][0], [(HidePatches((0,)),)], ClassTarget(0)
    ).shape == (1,)


def test_what_fits_nowhere_on_the_card_comes_from_the_processor(folders: Callable[[Family], str]):
    card, folder = Card(0), folders(Family.TEXT_ENCODER)
    gate, waits = threading.Event(), threading.Event()

    def load(model_id: str, **more: Any) -> Any:
        if more.get("device"):
            waits.set()
            gate.wait(SOON)
        return card.load(model_id, **more)

    engine = EmbeddedEngine(loader=load)
    asked = [Request.of(TextModel.trace, folder, text) for text in (TEXT, "a dog ran")]
    futures = [engine.submit(one) for one in asked]
    assert waits.wait(SOON)
    assert engine.hitch(asked[0]) == MOVED
    gate.set()
    roomy: Any = core.load(folder, device="cpu")
    for future, text in zip(futures, (TEXT, "a dog ran"), strict=True):
        assert_equal(future.result(SOON), roomy.trace(text))
    assert engine.hitch(asked[0]) is None
    card.rows = 1  # others have gone
    engine.submit(Request.of(TextModel.trace, folder, "it was too tired")).result(SOON)
    assert card.opened == [None, "cpu"]  # each once
    assert card.tried[-1] == 1
    engine.close()


def test_a_long_question_goes_to_the_processor_too(folders: Callable[[Family], str]):
    card, folder = Card(0), folders(Family.TEXT_ENCODER)
    engine = EmbeddedEngine(loader=card.load)
    changes = ((SilenceHead(1, 2),), ())
    question = PROTOCOLS[Family.TEXT_ENCODER].measure
    found = engine.submit(Request.of(question, folder, TEXT, changes, LogitTarget(1, 7)))
    roomy = core.load(folder, core.Encoder, device="cpu")
    expected = roomy.measure(TEXT, changes, LogitTarget(1, 7))
    np.testing.assert_allclose(found.result(SOON), expected, atol=1e-6)
    engine.close()


def test_a_model_that_does_not_fit_is_opened_on_the_processor(folders: Callable[[Family], str]):
    opened: list[str | None] = []

    def load(model_id: str, *, device: str | None = None, **_: object) -> Any:
        opened.append(device)
        if device is None:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return core.load(model_id, device=device)

    engine = EmbeddedEngine(loader=load)
    asked = Request.of(TextModel.trace, folders(Family.TEXT_ENCODER), TEXT)
    assert engine.submit(asked).result(SOON).tokens[1] == "the"
    assert opened == [None, "cpu"]
    engine.close()


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to …"),
        RuntimeError("out of memory"),
    ],
)
def test_where_no_memory_is_left_who_asked_is_told_and_may_ask_again(
    folders: Callable[[Family], str], error: Exception
):
    full = True
    opened: list[str | None] = []

    def load(model_id: str, *, device: str | None = None, **_: object) -> Any:
        opened.append(device)
        if full:
            raise error
        return core.load(model_id, device=device)

    engine = EmbeddedEngine(loader=load)
    asked = Request.of(TextModel.trace, folders(Family.TEXT_ENCODER), TEXT)
    with pytest.raises(BusyError, match="not enough memory for this now"):
        engine.submit(asked).result(SOON)
    assert opened == [None]  # the processor has no more
    full = False
    assert engine.submit(asked).result(SOON).tokens[1] == "the"
    engine.close()


def test_a_question_that_the_processor_has_no_memory_for_is_not_asked_again(
    folders: Callable[[Family], str],
):
    opened: list[str | None] = []

    def fail(*_: object) -> None:
        raise MemoryError

    def load(model_id: str, *, device: str | None = None, **_: object) -> Any:
        opened.append(device)
        model: Any = core.load(model_id, device="cpu")
        model.module.register_forward_pre_hook(fail)
        return model

    engine = EmbeddedEngine(loader=load)
    asked = Request.of(TextModel.trace, folders(Family.TEXT_ENCODER), TEXT)
    with pytest.raises(BusyError, match="not enough memory for this now"):
        engine.submit(asked).result(SOON)
    assert opened == [None]
    engine.close()


def test_every_cards_error_moves_a_question():
    assert card_is_full(torch.OutOfMemoryError("HIP out of memory."))
    assert card_is_full(RuntimeError("MPS backend out of memory (MPS allocated: 8.00 GB …"))
    assert card_is_full(RuntimeError("CUDA error: out of memory"))


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ValueError("half")])
def test_a_model_that_fails_to_open_is_told_and_tried_again(
    folders: Callable[[Family], str], error: Exception, caplog: pytest.LogCaptureFixture
):
    broken = True

    def load(model_id: str, **_: object) -> Any:
        if broken:
            raise error
        return core.load(model_id, device="cpu")

    engine = EmbeddedEngine(loader=load)
    asked = Request.of(TextModel.trace, folders(Family.TEXT_ENCODER), TEXT)
    with pytest.raises(ModelUnavailableError, match="could not be opened here"):
        engine.submit(asked).result(SOON)
    assert str(error) in caplog.text
    broken = False
    assert engine.submit(asked).result(SOON).tokens[1] == "the"
    engine.close()
