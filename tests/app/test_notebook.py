"""`show` in a notebook: what it embeds, what it refuses, and a real kernel that draws it."""

import base64
import json
import re
from typing import Any

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from PIL import Image
from playwright.sync_api import Browser, expect

import core
from app import show
from app.components.frame import unpack
from app.notebook import Inline
from core.errors import InputError
from core.tokenization.bpe import train
from core.trace import Trace

TEXT = "The animal didn't cross the street because it was too tired."
PICTURE = Image.fromarray(np.arange(32 * 32 * 3, dtype=np.uint8).reshape(32, 32, 3))


@pytest.fixture(scope="module")
def trace() -> Trace:
    return core.load("minilm-l6", device="cpu").trace(TEXT)


@pytest.fixture(scope="module")
def pictured() -> Trace:
    return core.load("mae-mini", device="cpu").trace(PICTURE)


def embedded(shown: Inline) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    found = re.search(r'id="frame">([^<]+)<', shown.page)
    assert found
    return unpack(base64.b64decode(found[1]))


def test_a_head_is_drawn_with_its_own_weights(trace: Trace):
    header, arrays = embedded(show(trace, layer=3, head=1))
    assert header["query_tokens"] == list(trace.tokens)
    np.testing.assert_array_equal(arrays["maps"][0], trace.attention(3).weights[1])
    mean = embedded(show(trace, layer=3))[1]["maps"][0]
    np.testing.assert_allclose(mean, trace.attention(3).weights.mean(0), atol=1e-7)


def test_without_a_layer_all_heads_are_drawn(trace: Trace):
    header, arrays = embedded(show(trace))
    assert header["heads"] == [trace.n_heads()] * trace.n_layers()
    assert len(arrays["codes"]) == trace.n_heads() * trace.n_layers()


def test_a_map_has_the_traces_tokens(trace: Trace):
    rollout = core.explain.attention_rollout(trace)
    header, arrays = embedded(show(rollout, trace))
    assert header["rows"] == list(trace.tokens)
    np.testing.assert_allclose(arrays["values"], rollout, atol=1e-7)
    assert embedded(show(rollout))[0]["rows"] == [str(n) for n in range(len(trace.tokens))]


def test_a_row_over_patches_leaves_prefix_tokens_out(pictured: Trace):
    row = core.explain.attention_rollout(pictured)[0]
    grid = pictured.patches
    assert grid is not None
    drawn = embedded(show(row, pictured, picture=PICTURE))[1]["values0"]
    np.testing.assert_allclose(drawn.ravel(), row[grid.prefix_tokens :], atol=1e-7)


def test_a_training_is_drawn_merge_by_merge():
    training = train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 6)
    run = json.loads(embedded(show(training))[1]["run"].tobytes())
    assert [merge[:2] for merge in run["merges"]] == [list(step.pair) for step in training.steps]


def test_what_can_not_be_drawn_is_said(trace: Trace, pictured: Trace):
    with pytest.raises(InputError, match="no layer 9: they count from 0 to 5"):
        show(trace, layer=9)
    with pytest.raises(InputError, match="no head 12: they count from 0 to 11"):
        show(trace, layer=0, head=12)
    with pytest.raises(InputError, match=r"has the shape \(3,\)"):
        show(np.zeros(3))
    with pytest.raises(InputError, match=r"shape \(3,\), the trace \d+ × \d+ patches"):
        show(np.zeros(3), pictured, picture=PICTURE)
    with pytest.raises(InputError, match="has encoder attention, not cross"):
        show(trace, kind="cross")


@pytest.fixture(scope="module")
def ran() -> nbformat.NotebookNode:
    """A notebook that a real kernel ran."""
    cells = (
        "import core\nfrom app import show",
        f"trace = core.load('minilm-l6').trace({TEXT!r})",
        "trace",
        "show(trace, layer=3, head=1)",
    )
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook


def test_a_kernel_shows_the_trace_and_its_figure(ran: nbformat.NotebookNode):
    said, figure = (cell.outputs[-1]["data"] for cell in ran.cells[2:])
    assert said["text/plain"].startswith("Trace of minilm-l6")
    assert figure["text/html"].startswith("<iframe srcdoc=")


def test_a_browser_draws_what_the_kernel_gave(ran: nbformat.NotebookNode, chromium: Browser):
    html = ran.cells[3].outputs[-1]["data"]["text/html"]
    context = chromium.new_context(offline=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_content(html)
    figure = page.frame_locator("iframe").locator(".gf")
    expect(figure).to_have_attribute("data-painted", re.compile("1 maps? of 16"))
    context.close()
    assert wrong == []
