"""What the audit makes of the tools' reports."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "audit.py"
SKIPPED = {"dependencies": [{"name": "a", "skip_reason": "not found, could not be audited"}]}
SOUND = {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}
BAD = {
    "dependencies": [
        {"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]},
        {"name": "b", "version": "1", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]},
    ]
}
JS_SKIPPED = {"error": {"summary": "audit endpoint returned an error"}}
JS_SOUND = {"vulnerabilities": {}, "metadata": {}}
JS_BAD = {"vulnerabilities": {"c": {"range": "<3", "severity": "high"}}, "metadata": {}}


@pytest.fixture
def audit() -> Any:
    spec = importlib.util.spec_from_file_location("audit", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("python", "javascript", "status", "said"),
    [
        (SOUND, JS_SOUND, 0, ["PYTHON'S PACKAGES: none", "JAVASCRIPT'S PACKAGES: none"]),
        (BAD, JS_SOUND, 1, ["a 1: PYSEC-1, mended in 2", "b 1: PYSEC-2, mended in no version"]),
        (SOUND, JS_BAD, 1, ["c <3: high"]),
        (SKIPPED, JS_SKIPPED, 0, ["PYTHON'S PACKAGES WERE NOT AUDITED", "!!!"]),
        (SKIPPED, JS_BAD, 1, ["PYTHON'S PACKAGES WERE NOT AUDITED", "c <3"]),
        ({}, {}, 0, ["JAVASCRIPT'S PACKAGES WERE NOT AUDITED"]),
    ],
)
def test_what_is_known_fails_and_what_was_not_looked_up_is_told(
    audit: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    python: dict[str, Any],
    javascript: dict[str, Any],
    status: int,
    said: list[str],
):
    reports = {audit.PYTHON: python, audit.JAVASCRIPT: javascript}
    monkeypatch.setattr(audit, "told", reports.__getitem__)
    assert audit.main() == status
    told = capsys.readouterr().err
    for words in said:
        assert words in told


def test_a_tool_that_is_not_there_reports_nothing(audit: Any):
    assert audit.told(("no-such-tool-of-anybodys",)) == {}
