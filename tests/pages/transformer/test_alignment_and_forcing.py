"""Cross-attention as an alignment, checked by erasure; teacher forcing on the reader's target."""

import numpy as np
import pytest

import core
from core.explain.attention.alignment import alignment
from tests.pages.transformer.shown import TARGET, TEXT, header


def test_alignment_is_measured_and_checked_by_erasure(opened, marian):
    page = opened("alignment", layer="1", head="3")
    found = marian.decode(TEXT)
    weights = found.trace.attention(1, kind=core.AttentionKind.CROSS).weights[3]
    measured = alignment(weights, found.trace.encoding.special)
    assert f"**{measured.end_mass:.0%}** of all weight" in page.text
    table = page.table("alignment.csv")
    assert [float(row["weight"]) for row in table] == pytest.approx(weights.ravel(), abs=2e-6)
    page.toggle(key="transformer.alignment.erase").set_value(True).run()
    drops = marian.erasure(TEXT).drops
    np.testing.assert_allclose(
        page.figures["transformer.alignment.erasure"].arrays["values"], drops, atol=1e-5
    )
    same = int((weights.argmax(axis=1) == drops.argmax(axis=1)).sum())
    assert f"For **{same} of {len(found.labels)}** target tokens" in page.text


def test_teacher_forcing_shows_each_tokens_loss(opened, marian):
    page = opened("forcing", target=TARGET, smoothing="0.2")
    losses = marian.decode(TEXT, target=TARGET, smoothing=0.2).losses
    notes = [chip["note"] for chip in header(page, "target-row")["chips"]]
    assert notes == [f"{loss:.2f}" for loss in losses.plain]
    assert f"ε = 0.2 **{losses.smoothed.mean():.3g}**" in page.text
    smoothed = [float(row["smoothed_loss"]) for row in page.table("teacher-forcing.csv")]
    assert smoothed == pytest.approx(losses.smoothed.tolist(), rel=1e-4)
    page.fire("transformer.target-row", 2)
    assert f"rank {losses.ranks[2]}; loss" in page.text
    assert page.link["token"] == "2"
