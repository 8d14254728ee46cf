"""Circuits of a head on two pages: the model's numbers, a clicked token, tokens of one's own."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from app.services import models
from core.trace import AttentionKind
from tests.pages.gpt.shown import TEXT
from tests.pages.page import Page

OWN = "the dog ran because it was tired"


def test_gpt_with_tokens_of_ones_own(offered: dict[str, Path]):
    model: Any = core.load(offered["gpt2"])
    link = {"view": "circuits", "model": str(offered["gpt2"]), "text": TEXT, "tokens": OWN}
    page = Page("gpt", **link, circuit="1.2")
    found = model.circuits(OWN, 1, 2)
    numbers = dict(np.load(BytesIO(page.file("circuits.npz"))))
    np.testing.assert_allclose(numbers["ov"], found.ov, atol=1e-5)
    np.testing.assert_allclose(numbers["qk"], found.qk, atol=1e-5)
    shown = page.figures["gpt.circuits.map"]
    assert tuple(shown.header["rows"]) == found.tokens
    np.testing.assert_allclose(shown.arrays["values"], found.ov, atol=1e-5)
    centred = found.qk - found.qk.mean(axis=1, keepdims=True)
    drawn = page.figures["gpt.circuits.qk"].arrays["values"]
    np.testing.assert_allclose(drawn, centred, atol=1e-5)
    page.choose("gpt.circuits.map", [3, 0])
    cells = page.figures["gpt.circuits.pushed"].header["cells"]
    words = model.vocabulary()
    assert [up for up, _ in cells] == [words[token] for token in found.up.ids[3]]
    assert page.link["ov"] == "3.0"
    again = Page("gpt", **page.link)
    assert again.link == page.link
    assert f"Attending to {found.tokens[3]}," in again.answer


def test_bert_on_its_text():
    model: Any = core.load("bert-mini")
    text = "Paris is the capital of France."
    page = Page("bert", view="circuits", model="bert-mini", text=text, circuit="2.1")
    found = model.circuits(text, 2, 1)
    np.testing.assert_allclose(
        page.figures["bert.circuits.map"].arrays["values"], found.ov, atol=1e-4
    )
    assert (
        f"of {len(found.ids)} tokens {(np.diagonal(found.ranks) <= 10).sum()} are among"
        in page.text
    )


def test_bad_input(offered: dict[str, Path]):
    link = {"view": "circuits", "model": str(offered["gpt2"])}
    assert "circuit" not in Page("gpt", **link, text=TEXT, circuit="9.9").link
    assert "ov" not in Page("gpt", **link, text=TEXT, ov="90.90").link
    assert "more than the 40" in Page("gpt", **link, text=TEXT, tokens="the cat " * 30).notices


def test_a_model_that_can_not_be_silenced_says_so(
    tiny_checkpoint: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
):
    folder = str(tiny_checkpoint("gpt_neox"))
    monkeypatch.setenv(models.OWN_CHECKPOINTS, folder)
    models.offer.cache_clear()
    page = Page("gpt", view="circuits", model=folder, text=TEXT)
    models.offer.cache_clear()
    assert page.notices


@pytest.mark.parametrize("kind", ["cross", "decoder"])
def test_a_translators_decoder(offered: dict[str, Path], kind: str):
    model: Any = core.load(offered["marian"])
    link = {"view": "circuits", "model": str(offered["marian"]), "text": TEXT, "tokens": "a dog"}
    page = Page("transformer", **link, kind=kind, circuit="1.2")
    found = model.circuits(TEXT, 1, 2, kind=AttentionKind(kind), words="a dog")
    shown = page.figures["transformer.circuits.map"]
    assert tuple(shown.header["rows"]) == found.sources
    assert tuple(shown.header["columns"]) == found.tokens
    np.testing.assert_allclose(shown.arrays["values"], found.ov, atol=1e-5)
    centred = found.qk - found.qk.mean(axis=1, keepdims=True)
    drawn = page.figures["transformer.circuits.qk"]
    assert tuple(drawn.header["columns"]) == found.sources
    np.testing.assert_allclose(drawn.arrays["values"], centred, atol=1e-5)
    page.choose("transformer.circuits.map", [1, 0])
    assert f"Attending to {found.sources[1]}," in page.answer
    query = found.tokens[0] if kind == "cross" else f"{found.tokens[1]} itself"
    rank = found.ranks[1, 0] if kind == "cross" else found.ranks[1, 1]
    assert f"{query} to rank {rank:,} of" in page.answer
    again = Page("transformer", **page.link)
    assert again.link == page.link
