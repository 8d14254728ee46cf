"""What dies beneath a page is told or made good; nobody restarts the app, and nothing is lost."""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from core.data.pictures import Picture
from core.engine import Request
from core.engine.remote import NOBODY, RayEngine
from core.engine.sealed import secret
from core.outputs.families import TextModel, VisionModel
from core.targets import ClassTarget
from tests.app.test_procfile import free_port
from tests.serving.cluster import REPLICA, Cluster, asking, cluster

SOON = 120  # seconds: far more than any of these takes


@pytest.fixture
def own() -> Iterator[Cluster]:
    """To be broken."""
    with cluster(free_port()) as started:
        yield started


@pytest.fixture
def engine(own: Cluster) -> Iterator[RayEngine]:
    with asking(own) as made:
        yield made


def evidence(seed: int) -> Request[np.ndarray]:
    """A question that takes seconds."""
    noise = np.random.default_rng(seed).integers(0, 255, (40, 40, 3), dtype=np.uint8)
    picture = Picture("noise", str(seed), Image.fromarray(noise))
    return Request.of(VisionModel.evidence, "swin-mini", picture, "occlusion", ClassTarget(0))


def begun(engine: RayEngine, seed: int) -> None:
    """Until a replica is at it."""
    until = time.monotonic() + SOON
    while not engine.is_loaded("swin-mini") or engine.place(evidence(seed)) is not None:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_replicas_that_die_are_made_good(own: Cluster, engine: RayEngine):
    """All of them at once, in the middle of an answer: it comes all the same."""
    future = engine.submit(evidence(0))
    begun(engine, 0)
    assert not future.done()
    own.kill(REPLICA)
    assert future.result(SOON).ndim == 2
    own.wait_for_replicas(2)


def test_a_head_that_is_gone_is_waited_for():
    port = free_port()
    with cluster(port) as first:
        engine = RayEngine(first.address, secret(), lambda _: None)
        asked = Request.of(TextModel.trace, "minilm-l6", "The cat sat.")
        assert engine.submit(asked).result(SOON).tokens[1] == "the"
    again = Request.of(TextModel.trace, "minilm-l6", "The dog sat.")
    future = engine.submit(again)
    until = time.monotonic() + SOON
    while engine.hitch(again) != NOBODY:
        assert time.monotonic() < until
        time.sleep(0.05)
    with cluster(port):
        assert future.result(SOON).tokens[1:3] == ("the", "dog")
    engine.close()
