"""Queries and keys in one plane: the model's numbers, arrows, hidden tokens, hidden queries."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from app.services import models
from core.explain.attention.query_key_map import query_key_map
from tests.pages.page import Page

TEXT = "The animal didn't cross the street because it was too tired."
LINK = {"view": "space", "model": "bert-mini", "text": TEXT, "heads": "3.1"}


def kept(page: Page) -> dict[str, np.ndarray]:
    return dict(np.load(BytesIO(page.file("queries-and-keys.npz"))))


def test_the_map_is_the_heads_and_comes_back_by_its_link():
    model: Any = core.load("bert-mini")
    page = Page("attention", **LINK, arrows="0.1")
    layer = model.trace(TEXT).attention(3)
    found, numbers = query_key_map(layer.queries[1], layer.keys[1], layer.scale), kept(page)
    np.testing.assert_allclose(numbers["queries"], found.queries, atol=1e-4)
    np.testing.assert_allclose(numbers["weights"], layer.weights[1], atol=1e-6)
    n_strong = int((layer.weights[1] >= 0.1).sum())
    assert f"{n_strong} of {layer.weights[1].size} pairs" in page.text.replace("*", "")
    assert Page("attention", **page.link).link == page.link


def test_without_special_tokens_the_map_is_of_the_others():
    inner, every = kept(Page("attention", **LINK, nospecial="1")), kept(Page("attention", **LINK))
    assert "[CLS]" not in inner["query_tokens"]
    np.testing.assert_allclose(inner["weights"], every["weights"][1:-1, 1:-1])


def test_a_model_that_hides_its_queries_says_so(
    tiny_checkpoint: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
):
    folder = str(tiny_checkpoint("deberta"))
    monkeypatch.setenv(models.OWN_CHECKPOINTS, folder)
    models.offer.cache_clear()
    page = Page("attention", view="space", model=folder, text="the cat sat")
    models.offer.cache_clear()
    assert "nothing to map" in page.notices
