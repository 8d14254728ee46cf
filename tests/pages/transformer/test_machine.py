"""Figure 1 and what its parts computed; one head with all its matrices."""

import re

import numpy as np
import pytest

import core
from tests.pages.page import Page
from tests.pages.transformer.shown import TEXT, header


def headings(page: Page) -> list[str]:
    return [heading.value for heading in page.subheader]


def test_a_click_on_figure_one_shows_the_parts_numbers(opened, marian):
    page = opened("machine")
    assert headings(page)[0] == "Encoder–decoder attention, layer 0"
    page.choose("transformer.figure-one", "enc.attention.norm")
    assert headings(page)[0] == "Residual and LayerNorm: Self-attention, layer 0"
    assert "Post-LN: the sums are" in page.text
    for box, text in (
        ("dec.positions", "Left half sines"),
        ("enc.embed", "Rows of the table E"),
        ("dec.linear", "52 logits"),
        ("dec.mlp", "32 → 48 → 32"),
        ("dec.tokens", "shifted right"),
    ):
        page.choose("transformer.figure-one", box)
        assert text in page.text
        assert page.link["figure"] == box
    built = marian.machine(TEXT).decoding.trace.block(0, core.AttentionKind.DECODER)
    table = page.table("transformer.csv")
    rows = [row for row in table if (row["stack"], row["sublayer"]) == ("decoder", "mlp")]
    lengths = np.linalg.norm(built.mlp_output, axis=1)
    assert [float(row["f"]) for row in rows] == pytest.approx(lengths.tolist(), rel=1e-4)


def test_t5_is_pre_norm_and_adds_no_positions(opened):
    page = opened("machine", "t5", figure="enc.positions")
    assert headings(page)[0] == "No positions are added"
    assert "Pre-LN here." in page.text
    page.choose("transformer.figure-one", "dec.cross.norm")
    assert "the stream itself is never normed" in page.text
    page.button_group(key="transformer.view").set_value("heads").run()
    assert "T5 leaves the scale out" in page.text


def test_multi_head_attention_equals_the_models_own(opened):
    page = opened("heads", kind="decoder", layer="1", head="2")
    assert "decoder self-attention, layer 1, head 2" in header(page, "head.weights")["caption"]
    (line,) = (each.value for each in page.caption if "Largest difference" in each.value)
    errors = [float(one.rstrip(".")) for one in re.findall(r": ([\d.e-]+)", line)]
    assert len(errors) == 2
    assert max(errors) < 1e-4
    assert "scores become −∞: the future" in page.text
    for cell in page.table("multi-head-attention.csv"):
        if int(cell["key"]) > int(cell["query"]):
            assert float(cell["weight"]) == 0
            assert float(cell["bias"]) == -np.inf
