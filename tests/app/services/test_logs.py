"""The log: a line an event, and nobody's text."""

import json
import logging
import subprocess
import sys
from typing import Any

import pytest

from app.services.logs import OneLine

SECRET = "my very own sentence"


def line(name: str, message: str, *args: object, error: BaseException | None = None) -> str:
    found = error and (type(error), error, error.__traceback__)
    return OneLine().format(
        logging.LogRecord(name, logging.ERROR, __file__, 1, message, args, found)
    )


def caught() -> BaseException:
    try:
        try:
            raise ValueError(SECRET)
        except ValueError as error:
            raise RuntimeError(f"“{SECRET}” can't be read") from error
    except RuntimeError as error:
        return error


def test_an_error_is_its_class_and_the_lines_that_led_to_it():
    told = line("core.engine.inference", "%s could not answer %s", "a", "trace", error=caught())
    assert SECRET not in told
    assert "\n" not in told
    event = json.loads(told)
    assert event["event"] == "a could not answer trace"
    assert (event["level"], event["error"]) == ("error", "RuntimeError")
    assert event["because"]["error"] == "ValueError"
    assert event["traceback"][0].endswith(" caught")
    assert event["time"].endswith("+00:00")


def test_what_others_put_into_their_sentences_stays_out():
    assert json.loads(line("transformers", "%s is long", SECRET))["event"] == "%s is long"


@pytest.mark.parametrize(
    ("statement", "event"),
    [
        ("raise ValueError('no such port')", {"error": "ValueError", "event": "no such port"}),
        (
            f"import threading; threading.Thread(target=int, args=({SECRET!r},)).start()",
            {"error": "ValueError", "event": "a thread ended"},
        ),
        (f"import warnings; warnings.warn({SECRET!r})", {"level": "warning"}),
        (
            f"import streamlit.logger as l; l.get_logger('streamlit.a').error('%s', {SECRET!r})",
            {"event": "%s"},
        ),
        (
            "import logging.config, uvicorn.config as u; logging.config.dictConfig("
            "u.LOGGING_CONFIG); logging.getLogger('uvicorn.error').info('%s', 'b')",
            {"logger": "uvicorn.error"},
        ),
        ("import logging; logging.getLogger('app.x').info('begun')", {"event": "begun"}),
    ],
)
def test_everything_that_a_process_says_is_one_line_of_json(statement: str, event: dict[str, Any]):
    begun = f"import streamlit; from app.services import logs; logs.in_json(); {statement}"
    ran = subprocess.run([sys.executable, "-c", begun], capture_output=True, text=True, check=False)
    (told,) = ran.stderr.splitlines()
    assert SECRET not in told
    assert event.items() <= json.loads(told).items()
