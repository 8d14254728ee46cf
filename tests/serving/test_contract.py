"""Both engines give the same: what the model itself gives."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
from PIL import Image

import core
from core.catalog import Family
from core.data.pictures import Picture
from core.engine import EmbeddedEngine, Engine, Request
from core.engine.events import EVENTS, Event, Together
from core.engine.news import Answered
from core.engine.remote import RayEngine
from core.engine.requests import MAPS_ALONE
from core.engine.sealed import seal, secret
from core.errors import BusyError
from core.interventions import SilenceHead
from core.long_work import WithdrawnError
from core.outputs.families import (
    PROTOCOLS,
    Decoder,
    Encoder,
    TextModel,
    VisionModel,
    opened_card,
)
from core.targets import ClassTarget
from tests.serving.cluster import Cluster
from tests.tiny_families import SAVED

SOON = 120  # seconds: far more than any of these takes
MANY = 400  # texts, one of which must have waited beside another
TOLERANCE = 1e-5
TEXT = "the cat sat"


@pytest.fixture(params=["embedded", "ray"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "ray":
        yield request.getfixturevalue("remote")
        return
    made = EmbeddedEngine()
    yield made
    made.close()


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Family], Path]:
    made: dict[Family, Path] = {}

    def folder(family: Family) -> Path:
        if family not in made:
            made[family] = SAVED[family](tmp_path_factory.mktemp(family.name))
        return made[family]

    return folder


def picture(seed: int = 0) -> Picture:
    noise = np.random.default_rng(seed).integers(0, 255, (40, 40, 3), dtype=np.uint8)
    return Picture("noise", str(seed), Image.fromarray(noise))


def given(family: Family) -> Any:
    if family in (Family.VISION, Family.MASKED_AUTOENCODER):
        return picture()
    return 3 if family == Family.DETECTOR else TEXT


@pytest.mark.parametrize("family", Family)
def test_a_trace_is_the_models_own(
    engine: Engine, family: Family, folder_of: Callable[[Family], Path]
):
    folder = folder_of(family)
    alone: Any = core.load(folder, device="cpu").trace(given(family))
    asked = Request.of(PROTOCOLS[family].trace, str(folder), given(family))
    found = engine.submit(asked).result(SOON)
    assert found.tokens == alone.tokens
    assert found.nbytes == alone.nbytes
    for kind, layers in alone.layers.items():
        for one, other in zip(found.layers[kind], layers, strict=True):
            np.testing.assert_allclose(one.weights, other.weights, atol=TOLERANCE)
    for kind, states in alone.states.items():
        for one, other in zip(found.states[kind], states, strict=True):
            np.testing.assert_allclose(one, other, atol=TOLERANCE)
            assert not one.flags.writeable
    if alone.logits is not None:
        np.testing.assert_allclose(found.logits, alone.logits, atol=TOLERANCE)


def test_the_likeliest_are_the_same_in_the_same_order(
    engine: Engine, folder_of: Callable[[Family], Path]
):
    decoder = str(folder_of(Family.TEXT_DECODER))
    expected: Any = core.load(decoder, core.Decoder, device="cpu").next_token(TEXT, top_k=5)
    found = engine.submit(Request.of(Decoder.next_token, decoder, TEXT, top_k=5)).result(SOON)
    assert [one.token for one in found] == [one.token for one in expected]
    np.testing.assert_allclose(
        [one.probability for one in found], [one.probability for one in expected], atol=TOLERANCE
    )
    vit = str(folder_of(Family.VISION))
    classes: Any = core.load(vit, core.VisionModel, device="cpu").classify(picture(), top_k=3)
    seen = engine.submit(Request.of(VisionModel.classify, vit, picture(), top_k=3)).result(SOON)
    assert [one.label for one in seen] == [one.label for one in classes]


def test_interventions_and_explanations_travel(engine: Engine, folder_of: Callable[[Family], Path]):
    encoder, vit = str(folder_of(Family.TEXT_ENCODER)), str(folder_of(Family.VISION))
    change = (SilenceHead(1, 2),)
    asked = Request.of(TextModel.trace, encoder, TEXT, interventions=change)
    alone = core.load(encoder, core.Encoder, device="cpu").trace(TEXT, interventions=change)
    np.testing.assert_allclose(engine.submit(asked).result(SOON).logits, alone.logits, atol=1e-5)
    why = Request.of(VisionModel.evidence, vit, picture(), "occlusion", ClassTarget(0))
    model = core.load(vit, core.VisionModel, device="cpu")
    expected = model.evidence(picture(), "occlusion", ClassTarget(0))
    np.testing.assert_allclose(engine.submit(why).result(SOON), expected, atol=TOLERANCE)


def test_what_a_reader_can_mend_is_told_in_the_same_words(
    engine: Engine, folder_of: Callable[[Family], Path], own_checkpoints: dict[str, Path]
):
    encoder = str(folder_of(Family.TEXT_ENCODER))
    with pytest.raises(core.InputError, match="is empty"):
        engine.submit(Request.of(TextModel.trace, encoder, " ")).result(SOON)
    broken = str(own_checkpoints["broken"])
    with pytest.raises(core.InputError, match="safetensors"):
        engine.submit(Request.of(TextModel.trace, broken, TEXT)).result(SOON)
    card = engine.submit(Request.of(opened_card, encoder)).result(SOON)
    assert (card.layers, card.heads) == (3, 4)
    assert engine.is_loaded(encoder)


def test_a_bug_is_told_to_who_asked_alone(engine: Engine, folder_of: Callable[[Family], Path]):
    vit, encoder = str(folder_of(Family.VISION)), str(folder_of(Family.TEXT_ENCODER))
    with pytest.raises(Exception, match="fill_mask"):
        engine.submit(Request.of(Encoder.fill_mask, vit, TEXT)).result(SOON)
    assert engine.submit(Request.of(TextModel.trace, encoder, TEXT)).result(SOON).tokens[1] == "the"


def test_batches_are_counted_by_who_asks(
    engine: Engine, folder_of: Callable[[Family], Path], tmp_path: Path
):
    """Traces that wait together are answered together: asked until some of them had to wait."""
    folder = str(copytree(folder_of(Family.TEXT_ENCODER), tmp_path / "unopened"))
    heard: list[Event] = []
    EVENTS.listen(lambda _: None)  # what other tests left there is not this one's
    EVENTS.listen(heard.append)
    asked, sizes = 0, list[int]()
    while max(sizes, default=0) < 2 and asked < MANY:
        texts = [f"the {word} sat {asked} times" for word in ("cat", "dog", "animal", "street")]
        answers = [engine.submit(Request.of(TextModel.trace, folder, text)) for text in texts]
        for one in answers:
            one.result(SOON)
        asked += len(texts)
        sizes = [one.size for one in heard if isinstance(one, Together)]
    EVENTS.listen(lambda _: None)
    assert max(sizes, default=0) > 1
    assert sum(sizes) <= asked


def test_what_nobody_wants_is_withdrawn(engine: Engine):
    long = Request.of(VisionModel.evidence, "swin-mini", picture(), "occlusion", ClassTarget(0))
    with engine.wanted({"it": long}) as futures:
        pass
    with pytest.raises(WithdrawnError):
        futures["it"].result(SOON)


def test_who_waits_has_a_place(engine: Engine):
    """Long questions of two readers: some wait, and everybody is answered."""
    asked = [
        Request(
            "vit-mini",
            VisionModel.evidence,
            {"image": picture(n), "method": "occlusion", "target": ClassTarget(0)},
            f"reader {n % 2}",
        )
        for n in range(9)
    ]
    with engine.wanted({str(n): one for n, one in enumerate(asked)}) as futures:
        places: set[int | None] = set()
        waits = threading.Event()
        while len(places - {None}) < 2 and not all(one.done() for one in futures.values()):
            places |= {engine.place(one) for one in asked}
            waits.wait(0.05)
        assert len(places - {None}) >= 2


def test_a_queue_that_is_full_is_told_and_who_stands_in_it_has_a_place(remote: RayEngine):
    """Two replicas take 4 each, 8 wait; of 30 the others are told to come back."""
    asked = [
        Request.of(VisionModel.evidence, "swin-mini", picture(200 + n), "occlusion", ClassTarget(0))
        for n in range(30)
    ]
    with remote.wanted({str(n): one for n, one in enumerate(asked)}) as futures:
        places: set[int | None] = set()
        waits, until = threading.Event(), time.monotonic() + SOON
        refused: list[Future[Any]] = []
        while not refused or len(places - {None}) <= 4:  # the refusals may be the first to come
            assert time.monotonic() < until
            places |= {remote.place(one) for one in asked}
            refused = [one for one in futures.values() if one.done() and one.exception()]
            waits.wait(0.05)
        for one in refused:
            with pytest.raises(BusyError, match="Try again in a few seconds"):
                one.result()
    again = Request.of(TextModel.trace, "minilm-l6", "Everybody has gone.")
    until = time.monotonic() + SOON
    while (answer := remote.submit(again)).exception(SOON) is not None:
        assert time.monotonic() < until
    assert answer.result().tokens[1] == "everybody"


def test_what_no_figure_reads_does_not_travel(engine: Engine, folder_of: Callable[[Family], Path]):
    folder = str(folder_of(Family.TEXT_ENCODER))
    asked = replace(Request.of(TextModel.trace, folder, TEXT), without=MAPS_ALONE)
    found = asked.needed(engine.submit(asked).result(SOON))
    alone: Any = core.load(folder, device="cpu").trace(TEXT)
    assert (dict(found.states), found.logits) == ({}, None)
    for one, other in zip(found.layers[alone.kinds[0]], alone.layers[alone.kinds[0]], strict=True):
        np.testing.assert_allclose(one.weights, other.weights, atol=TOLERANCE)
    whole = engine.submit(Request.of(TextModel.trace, folder, TEXT)).result(SOON)
    np.testing.assert_allclose(whole.logits, alone.logits, atol=TOLERANCE)
    beside = alone.logits.nbytes + sum(one.nbytes for one in alone.hidden_states())
    sizes = [len(seal(Answered(one), bytes(32))) for one in (whole, found)]
    assert sizes[0] - sizes[1] == pytest.approx(beside, abs=2000)
    if isinstance(engine, RayEngine):
        assert engine.submit(asked).result(SOON).logits is None  # already where it was computed


def test_readers_of_two_web_processes_share_answers(running: Cluster, remote: RayEngine):
    """Another process's question is answered by a replica that has the answer already."""
    asked = Request.of(VisionModel.evidence, "vit-mini", picture(99), "occlusion", ClassTarget(1))
    first = remote.submit(asked).result(SOON)
    other = RayEngine(running.address, secret(), lambda _: None)
    np.testing.assert_array_equal(other.submit(asked).result(SOON), first)
    other.close()
