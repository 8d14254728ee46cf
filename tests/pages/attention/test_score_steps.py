"""Step by step: one matrix at four stages, a cell's numbers, links and refusals."""

import re
from pathlib import Path

import numpy as np
import pytest

import core
from app.style.number_format import three
from core.explain.attention.score_steps import score_steps
from tests.pages.page import Page
from tests.printed import NUMBER, follows, value

TEXT = "the cat sat because it was tired ."
MAP = "attention.steps.map"


def opened(model: object, **link: str) -> Page:
    return Page("attention", **{"view": "steps", "model": str(model), "text": TEXT} | link)


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_the_matrix_changes_in_place(offered: dict[str, Path], family: str):
    layer = core.load(offered[family]).trace(TEXT).attention(1)
    steps = score_steps(layer, 2)
    for stage in ("products", "scaled", "biased", "weights"):
        page = opened(offered[family], heads="1.2", cell="3.1", stage=stage)
        drawn = page.figures[MAP]
        wanted = getattr(steps, stage)
        wanted = np.where(np.isfinite(wanted), wanted, 0)
        np.testing.assert_allclose(drawn.arrays["values"], wanted, atol=1e-5)
        masked = stage in ("biased", "weights") and family == "gpt2"
        assert ("hidden" in drawn.arrays) == masked
        assert drawn.header["selection"]["value"] == [3, 1]


def test_a_cell_s_numbers_follow_from_each_other(offered: dict[str, Path]):
    page = opened(offered["bert"], heads="1.2", cell="3.1")
    found = re.search(
        rf"q · k = ({NUMBER}), × ({NUMBER}) = ({NUMBER}), which no mask changes; "
        rf".* makes it ({NUMBER})",
        page.answer,
    )
    assert found
    raw, scale, scaled, weight = found.groups()
    assert follows(value(raw) * value(scale), scaled)
    steps = score_steps(core.load(offered["bert"]).trace(TEXT).attention(1), 2)
    assert weight.rstrip(".") == three(float(steps.weights[3, 1]))
    page.choose(MAP, [0, 2])
    assert page.link["cell"] == "0.2"


def test_what_is_masked_ends_at_zero(offered: dict[str, Path]):
    page = opened(offered["gpt2"], heads="0.0", cell="1.5")
    assert "the mask makes it −∞, and the softmax 0" in page.answer


def test_a_model_that_hides_its_scores_says_so(offered: dict[str, Path]):
    page = opened(offered["deberta"])
    assert "hides queries and keys" in page.notices
    assert MAP not in page.figures
