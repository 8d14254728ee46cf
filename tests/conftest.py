"""The tiers, by folder; tiny models with random weights: no test downloads anything."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from beartype._check.code import codemain
from hypothesis import settings

from tests.redis_server import NO_REDIS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

os.environ.setdefault("HF_HUB_OFFLINE", "1")
settings.register_profile("here", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("here")
# Beartype draws which items it checks from the global generator, also in an engine's thread that
# works on what a test before has asked; Hypothesis takes that for a strategy that draws from it.
assert hasattr(codemain, "getrandbits")
codemain.getrandbits = Random().getrandbits

HERE = Path(__file__).parent
TIERS = {  # by folder; the rest is unit
    "pages": "page",
    "figures": "figure",
    "journeys": "journey",
    "benchmarks": "slow",
    "layout": "slow",
    "serving": "slow",
    "core/training": "slow",
}
LAST = ("figure", "journey")  # a browser's event loop would stand in other tests' way
NO_BROWSER = "NO CHROMIUM ON THIS MACHINE: FIGURES AND JOURNEYS ARE NOT TESTED"
OWN_FAMILIES = ("bert", "gpt2", "llama", "marian", "t5", "deberta", "gpt_oss")


@pytest.hookimpl(tryfirst=True)  # before -m chooses among them
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test its tier; those of a browser come last."""
    for item in items:
        if item.get_closest_marker("slow") is None:
            item.add_marker(_tier(item))
    items.sort(key=lambda item: any(item.get_closest_marker(tier) for tier in LAST))
    gpu = [item for item in items if item.get_closest_marker("gpu")]
    if gpu and not _has_gpu():
        for item in gpu:
            item.add_marker(pytest.mark.skip(reason="needs a GPU"))


def _tier(item: pytest.Item) -> str:
    place = item.path.relative_to(HERE).as_posix()
    alone = "figure" if "chromium" in getattr(item, "fixturenames", ()) else "unit"
    return next((tier for folder, tier in TIERS.items() if place.startswith(f"{folder}/")), alone)


def _has_gpu() -> bool:
    import torch

    return torch.cuda.is_available()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A skipped browser is easily overlooked among thousands of dots; so is a skipped Redis."""
    skipped = terminalreporter.stats.get("skipped", [])
    for missing in (NO_BROWSER, NO_REDIS):
        if any(missing in str(report.longrepr) for report in skipped):
            terminalreporter.write_sep("!", missing, red=True, bold=True)


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The directory of a tiny random checkpoint of a family, made once a session."""
    from tests.tiny import save_tiny

    made: dict[str, Path] = {}

    def folder_of(family: str) -> Path:
        if family not in made:
            made[family] = save_tiny(family, tmp_path_factory.mktemp(family))
        return made[family]

    return folder_of


@pytest.fixture(scope="session")
def own_checkpoints(
    tiny_checkpoint: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Tiny models that a server's owner offers, by family, and a directory that is none."""
    broken = tmp_path_factory.mktemp("broken")
    (broken / "config.json").write_text('{"model_type": "bert"}')
    (broken / "pytorch_model.bin").write_bytes(b"\x80\x04pickle")
    return {family: tiny_checkpoint(family) for family in OWN_FAMILIES} | {"broken": broken}


@pytest.fixture(scope="session")
def redis_command() -> str:
    """What starts a Redis of a test's own (tests/redis_server.py)."""
    command = shutil.which("redis-server")
    if command is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_REDIS)
    return command


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    """One headless Chromium: the one that `make test` found, or the system's."""
    from playwright.sync_api import sync_playwright

    from tests.browser import find

    path = find()
    if path is None and os.environ.get("CI"):
        pytest.fail(NO_BROWSER)
    if path is None:
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()
