"""Under load a model's questions go where it is open, as long as there is room."""

import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final, cast

import pytest

from core.engine import Request
from core.engine.remote import RayEngine
from core.outputs.families import TextModel
from tests.app.test_procfile import free_port
from tests.serving.cluster import SMALL, Cluster, asking, cluster
from tests.serving.test_faults import evidence

MODELS: Final = ("bert-mini", "gpt-mini", "minilm-l6")
ROOM: Final = cast("int", SMALL["max_ongoing_requests"])
QUESTIONS: Final = 20  # of each model's reader, one after another
LINE: Final = re.compile(r" (?P<model>[\w-]+)\.\w+\.[0-9a-f]{12} -- POST / 200")
SOON: Final = 120.0  # seconds

Served = Mapping[str, Counter[str]]  # by model, how many questions each replica answered


@pytest.fixture(scope="module")
def own() -> Iterator[Cluster]:
    """Whose replicas nobody else asks."""
    with cluster(free_port()) as started:
        yield started


def served(own: Cluster, since: Served | None = None) -> dict[str, Counter[str]]:
    """As the replicas' logs say."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for log in own.logs.glob("replica_*.log"):
        for line in LINE.finditer(log.read_text("utf-8")):
            found[line["model"]][log.name] += 1
    for model, before in (since or {}).items():
        found[model] -= before
    return found


def all_served(own: Cluster, number: int, since: Served) -> dict[str, Counter[str]]:
    """The same once they have written of so many."""
    until = time.monotonic() + SOON
    while True:
        found = served(own, since)
        if sum(counts.total() for counts in found.values()) >= number:
            return found
        assert time.monotonic() < until, found
        time.sleep(0.05)


def ask(engine: RayEngine, model: str, text: str) -> None:
    assert engine.submit(Request.of(TextModel.trace, model, text)).result(SOON).tokens


def settled(own: Cluster, engine: RayEngine, model: str) -> None:
    """Until Serve knows who has the model: then all go there."""
    for round_ in range(20):
        before = served(own)
        for number in range(3):
            ask(engine, model, f"{model} {round_} {number}")
        if len(all_served(own, 3, before)[model]) == 1:
            return
    pytest.fail(f"{model} is asked here and there")


def test_each_models_readers_stay_with_its_replica(own: Cluster):
    """As many at once as one replica takes, whichever they ask: there is always room."""
    assert len(MODELS) <= ROOM
    with asking(own) as engine:
        for model in MODELS:
            settled(own, engine, model)
        before = served(own)

        def reader(model: str) -> None:
            for number in range(QUESTIONS):
                ask(engine, model, f"Question {number} of {model}.")

        with ThreadPoolExecutor() as readers:
            list(readers.map(reader, MODELS))
        found = all_served(own, QUESTIONS * len(MODELS), before)
    each = {model: list(found[model].values()) for model in MODELS}
    assert each == {model: [QUESTIONS] for model in MODELS}


def test_who_would_wait_there_for_long_is_answered_by_the_other(own: Cluster):
    """Serve waits a second for the replica that has the model."""
    with asking(own) as engine:
        before = served(own)
        futures = [engine.submit(evidence(seed)) for seed in range(ROOM + 2)]
        assert all(future.result(SOON).ndim == 2 for future in futures)
        found = all_served(own, len(futures), before)
    assert len(found["swin-mini"]) == 2
