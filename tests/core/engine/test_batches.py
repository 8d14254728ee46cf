"""What waits together runs together where its family says so, and is what each would get alone."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import core
from core.catalog import Family
from core.engine import EmbeddedEngine, Request
from core.engine.line import Line
from core.interventions import HidePatches, Intervention, SilenceHead
from core.outputs.families import PROTOCOLS, opened_card
from core.targets import ClassTarget, LogitTarget, Target
from core.trace import AttentionKind, Trace
from tests.tiny_families import SAVED

SOON = 60  # seconds: far more than any of these takes
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Picture:
    """Equal ones have equal seeds."""

    seed: int

    def convert(self, mode: str) -> Image.Image:
        noise = np.random.default_rng(self.seed).integers(0, 255, (40, 40, 3), dtype=np.uint8)
        return Image.fromarray(noise).convert(mode)


@dataclass(frozen=True)
class Case:
    """What is asked of a family: inputs, a change, and what runs alone."""

    inputs: tuple[tuple[Any, dict[str, str]], ...]  # some of one shape, others of another
    change: Intervention
    target: Target
    alone: dict[str, Any] = field(default_factory=dict)


TEXTS = (("the cat sat", {}), ("a dog ran", {}), ("it was too tired", {}))
PICTURES = tuple((Picture(seed), {}) for seed in range(3))
ON_TEXT = LogitTarget(1, 7)
ON_PICTURE = ClassTarget(1)
CASES = {
    Family.TEXT_ENCODER: Case(
        (*TEXTS, ("the cat", {"pair": "a dog"})),
        SilenceHead(1, 2),
        ON_TEXT,
        {"blocks": True, "gradient_of": ON_TEXT},
    ),
    Family.TEXT_DECODER: Case(
        TEXTS, SilenceHead(1, 2), ON_TEXT, {"blocks": True, "gradient_of": ON_TEXT}
    ),
    Family.TRANSLATOR: Case(
        tuple((text, {"target": "a dog ran ."}) for text, _ in TEXTS),
        SilenceHead(1, 2, AttentionKind.CROSS),
        ON_TEXT,
        {"blocks": True, "gradient_of": ON_TEXT},
    ),
    Family.VISION: Case(PICTURES, SilenceHead(1, 1), ON_PICTURE, {"gradient_of": ON_PICTURE}),
    Family.MASKED_AUTOENCODER: Case(PICTURES, HidePatches((1, 2)), ON_PICTURE),
    Family.DETECTOR: Case(
        tuple((seed, {}) for seed in range(3)),
        SilenceHead(1, 1, AttentionKind.DECODER),
        LogitTarget(2, 1),
    ),
}


def assert_equal(found: Trace, expected: Trace) -> None:
    assert found.tokens == expected.tokens
    np.testing.assert_equal(found.logits is None, expected.logits is None)
    if expected.logits is not None:
        np.testing.assert_allclose(found.logits, expected.logits, atol=TOLERANCE)
    assert found.layers.keys() == expected.layers.keys()
    for kind, layers in expected.layers.items():
        assert len(found.layers[kind]) == len(layers)
        for one, other in zip(found.layers[kind], layers, strict=True):
            np.testing.assert_allclose(one.weights, other.weights, atol=TOLERANCE)
            assert (one.gradients is None) == (other.gradients is None)
            if other.gradients is not None:
                np.testing.assert_allclose(one.gradients, other.gradients, atol=TOLERANCE)
    for kind, states in expected.states.items():
        for one, other in zip(found.states[kind], states, strict=True):
            np.testing.assert_allclose(one, other, atol=TOLERANCE)
    assert (found.blocks is None) == (expected.blocks is None)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Family], Path]:
    made: dict[Family, Path] = {}

    def folder_of(family: Family) -> Path:
        if family not in made:
            made[family] = SAVED[family](tmp_path_factory.mktemp(family.name))
        return made[family]

    return folder_of


@pytest.mark.parametrize("family", Family)
def test_mixed_requests_get_what_each_would_get_alone(
    family: Family, folders: Callable[[Family], Path], monkeypatch: pytest.MonkeyPatch
):
    case, folder = CASES[family], str(folders(family))
    model: Any = core.load(folder, device="cpu")
    gate, sizes = threading.Event(), []
    trace_many, take = type(model).trace_many, Line.take_short

    def counted(self: Any, inputs: Any, interventions: Any = None) -> tuple[Trace, ...]:
        sizes.append(len(inputs))
        return trace_many(self, inputs, interventions)

    def take_when_all_are_there(line: Line) -> list[Request[Any]]:
        gate.wait(SOON)
        return take(line)

    asked = [(given, more) for given, more in case.inputs]
    asked += [(given, more | {"interventions": (case.change,)}) for given, more in case.inputs[:2]]
    asked += [
        (case.inputs[0][0], case.inputs[0][1] | {name: value}) for name, value in case.alone.items()
    ]
    expected = [model.trace(given, **more) for given, more in asked]

    engine = EmbeddedEngine(loader=lambda *_, **__: model)
    engine.submit(Request.of(opened_card, folder)).result(SOON)  # the model is there
    monkeypatch.setattr(type(model), "trace_many", counted)
    monkeypatch.setattr(Line, "take_short", take_when_all_are_there)
    question = PROTOCOLS[family].trace
    futures = [engine.submit(Request.of(question, folder, given, **more)) for given, more in asked]
    gate.set()
    for future, alone in zip(futures, expected, strict=True):
        assert_equal(future.result(SOON), alone)
    assert sizes[0] == len(asked) - len(case.alone)  # all that may, at once


@pytest.mark.parametrize("family", Family)
def test_measuring_many_is_measuring_each(family: Family, folders: Callable[[Family], Path]):
    case = CASES[family]
    model: Any = core.load(folders(family), device="cpu")
    given, more = case.inputs[0]
    variants = ((), (case.change,), ())
    if family == Family.MASKED_AUTOENCODER:
        with pytest.raises(core.InputError, match="has 0"):
            model.measure(given, variants, case.target)
        return
    found = model.measure(given, variants, case.target, **more)
    each = [model.measure(given, (one,), case.target, **more)[0] for one in variants]
    np.testing.assert_allclose(found, each, atol=TOLERANCE)
    for changes, measured in zip(variants, found, strict=True):
        logits = model.trace(given, interventions=changes, **more).logits
        if isinstance(case.target, LogitTarget):
            logits, index = logits[case.target.position], case.target.token
        else:
            index = case.target.index
        shares = np.exp(logits - logits.max())
        assert measured == pytest.approx(shares[index] / shares.sum(), abs=TOLERANCE)
    assert found[0] != pytest.approx(found[1], abs=1e-7)  # the change does something
