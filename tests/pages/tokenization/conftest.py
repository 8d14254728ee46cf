"""Steps are sent in full as far as time goes; here time is no matter."""

import pytest

from app.views.tokenization import steps


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "TIME", 60)
