"""What a replica logs: where it went wrong, and nobody's text."""

import logging
from collections.abc import Iterator

import pytest

from core.engine import replica_log

SECRET = "my very own sentence"


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    """What this project logs, as it was before."""
    own = logging.getLogger("core")
    usual = own.handlers, own.propagate, own.level
    yield own
    own.handlers, own.propagate = usual[:2]
    own.setLevel(usual[2])


def test_an_error_is_its_class_and_the_lines_that_led_to_it(
    log: logging.Logger, capsys: pytest.CaptureFixture[str]
):
    replica_log.begin()
    try:
        try:
            raise ValueError(SECRET)
        except ValueError as error:
            raise RuntimeError(f"“{SECRET}” can't be read") from error
    except RuntimeError:
        log.getChild("engine.ray").exception("%s %s", "bert-mini", "trace")
    told = capsys.readouterr().err
    assert "ERROR core.engine.ray: bert-mini trace\nRuntimeError at " in told
    assert "; because of ValueError at " in told
    assert "test_replica_log.py:" in told
    assert SECRET not in told
