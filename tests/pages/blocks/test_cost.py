"""Layer types, memory, pictures and parameters: the page's numbers are the papers'."""

import numpy as np
import pytest

from app.content.prose import ABOUT, prose
from app.services import attention_timing
from app.views.blocks.cost import measured
from core.blocks.attention_time import AttentionTimes
from core.blocks.int8 import absmax_int8
from tests.pages.curves import curves, metric, words
from tests.pages.page import Page


def opened(part: str = "layers", **link: str) -> Page:
    return Page("blocks", view="cost", part=part, **link)


def test_the_curves_cross_where_the_rules_say():
    page = opened(d="256", k="5", r="64")
    for rule in ("n = r = 64", "n = d = 256", "n = k·d = 1,280"):
        assert rule in words(page, 0)
    at = {
        (name, length): operations
        for name, curve in curves(page, 0).items()
        for length, operations in zip(*curve, strict=True)
    }
    assert at["self-attention", 256] == at["recurrent", 256] == 256**3
    assert at["self-attention", 1280] == at["convolution", 1280]


def test_the_other_two_columns_of_table_1():
    page = opened(quantity="path")
    ends = {name: lengths[-1] for name, (_, lengths) in curves(page, 0).items()}
    assert ends["self-attention"] == 1
    assert ends["recurrent"] == 1e6
    assert ends["convolution"] == pytest.approx(12.58, abs=0.01)
    page.button_group(key="blocks.cost.layers.quantity").set_value("sequential").run()
    assert page.link["quantity"] == "sequential"
    assert {name: steps[-1] for name, (_, steps) in curves(page, 0).items()}["convolution"] == 1


def test_memory_from_512_to_a_million():
    page = opened("memory")
    full = curves(page, 0)["all pairs, n²"][1]
    assert full[0] == 12 * 12 * 512**2 * 4
    assert full[-1] == 12 * 12 * 2.0**40 * 4
    page.button_group(key="blocks.cost.memory.bytes").set_value("1").run()
    assert curves(page, 0)["all pairs, n²"][1][0] == full[0] / 4


def test_the_codes_in_the_prose_are_computed():
    codes, step = absmax_int8(np.array((0.67, 0.31, 0.02)))
    text = " ".join(prose("blocks/cost/memory").sections[ABOUT][0].split())
    assert f"q = ({', '.join(map('{:.0f}'.format, codes))}) and one step of {step:.5f}" in text
    assert "(0.670, 0.311, 0.0211)" in text
    assert codes * step == pytest.approx((0.670, 0.311, 0.0211), abs=5e-4)


def test_a_screens_pixels_and_patches():
    page = opened("pictures")
    assert metric(page, "Pairs of pixels") == "4.30 · 10¹²"
    assert "120 × 68 = 8,160 patches" in page.text
    page.button_group(key="blocks.cost.pictures.preset").set_value("Swin's first stage").run()
    assert metric(page, "Within windows") == "154,000"  # 49 · 3136 = 153,664


def test_what_a_link_may_not_hold_counts_as_absent():
    page = opened("pictures", width="0", height="99999999", patch="x")
    assert metric(page, "Pairs of pixels") == "4.30 · 10¹²"


def test_counts_beside_what_papers_print():
    page = opened("parameters")
    assert metric(page, "Parameters") == "109,482,240"
    assert metric(page, "Published") == "110 M"
    page.selectbox(key="blocks.cost.parameters.model").set_value("gpt2").run()
    assert metric(page, "Parameters") == "124,439,808"
    assert "A misprint" in page.text
    page.number_input(key="blocks.cost.parameters.layers").set_value(24).run()
    assert metric(page, "Parameters") == "209,494,272"  # 12 · 7,087,872 more
    assert "Changed from GPT-2 small" in page.text
    assert page.link["layers"] == "24"
    assert metric(Page("blocks", **page.link), "Parameters") == "209,494,272"


def test_a_link_that_names_a_model_alone_has_its_numbers():
    page = opened("parameters", model="vit")
    assert metric(page, "Parameters") == "86,567,656"
    assert metric(page, "A forward pass") == "35.1 GFLOP"
    assert "classes" in [field.label for field in page.number_input]


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> attention_timing.Stopwatch:
    """A stopwatch of this test's own."""
    one = attention_timing.Stopwatch()
    monkeypatch.setattr(measured, "stopwatch", lambda: one)
    return one


def test_nothing_is_measured_before_a_reader_asks(watch: attention_timing.Stopwatch):
    page = opened("measured")
    assert [b.label for b in page.button if "easure" in b.label] == ["Measure on this machine"]
    assert "Nothing has been measured" in page.text
    assert ABOUT in [heading.value for heading in page.subheader]
    assert watch.times is None


def test_a_measurement_is_drawn_with_its_exponents(watch: attention_timing.Stopwatch):
    n = np.array([512.0, 1024.0, 2048.0, 4096.0])
    watch.times = AttentionTimes(n, 1e-9 * n**2, 5e-10 * n**2, 1e-6 * n, "a machine", "cpu")
    page = opened("measured", **{"from": "512"})
    assert "explicit: all maps written out · n^2.00" in curves(page, 0)
    assert "feed-forward, for comparison · n^1.00" in curves(page, 0)
    assert "Measured on: a machine, CPU time of one thread; d_model 512, 8 heads" in page.text
    assert "explicit from n = 1,024, fused from n = 2,048 on" in page.text
    assert "Measure again" in [button.label for button in page.button]


def test_a_measurement_that_died_says_so(watch: attention_timing.Stopwatch):
    watch.failed = True
    assert "stopped by this machine, perhaps for lack of memory" in opened("measured").notices
