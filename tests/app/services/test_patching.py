"""What can be patched: sentences of as many tokens, and of not too many."""

from types import SimpleNamespace
from typing import Any

import pytest

from app.services import patching, text_maps
from core.errors import InputError
from core.trace import AttentionKind

STACK = AttentionKind.ENCODER


def test_longer_sentences_than_can_be_patched_one_by_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(text_maps, "encodings", lambda trace, _: (trace, trace))
    most: Any = SimpleNamespace(tokens=("cat",) * patching.MOST)
    longer: Any = SimpleNamespace(tokens=("cat",) * (patching.MOST + 1))
    assert patching._alike(most, most, STACK) == most.tokens
    with pytest.raises(InputError, match=f"up to {patching.MOST} are patched one by one"):
        patching._alike(longer, longer, STACK)
    with pytest.raises(InputError, match="they need the same number"):
        patching._alike(most, longer, STACK)
