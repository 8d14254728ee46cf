"""The flow between tokens: the model's shares, a node that is followed, links and refusals."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import core
from app.style.number_format import three
from core.explain.flow.token_flow import edges_kept, flow_into, strongest_path
from tests.pages.page import Page

TEXT = "the cat sat because it was tired ."
FIGURE = "attention.flow.figure"


def opened(model: object, **link: str) -> Page:
    return Page("attention", **{"view": "flow", "model": str(model), "text": TEXT} | link)


def kept(page: Page) -> dict[str, np.ndarray]:
    return dict(np.load(BytesIO(page.file("token-flow.npz"))))


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_shares_are_the_models_and_the_sentence_is_made_of_them(
    offered: dict[str, Path], family: str
):
    page = opened(offered[family], pin="4")
    flow = core.load(offered[family]).token_flow(TEXT)
    drawn = page.figures[FIGURE]
    np.testing.assert_allclose(drawn.arrays["attended"], flow.attended, atol=1e-6)
    np.testing.assert_allclose(drawn.arrays["kept"], flow.kept, atol=1e-6)
    assert drawn.header["selection"]["value"] == [len(flow.kept), 4]
    rows = flow_into(flow.mixed, (len(flow.kept), 4))
    assert f"{three(float(rows[0, 4]))} itself" in page.answer
    saved = kept(page)
    path = strongest_path(flow.mixed, (0, int(saved["path"][0])), (len(flow.kept), 4))
    assert saved["path"].tolist() == list(path.positions)
    whole = rows[0, path.positions[0]]
    assert f"worth {three(path.worth)}, {path.worth / whole:.0%} of" in page.answer
    np.testing.assert_allclose(saved["flow_into"], rows, atol=1e-6)


def test_measures_and_settings_stand_in_the_link(offered: dict[str, Path]):
    link = {"by": "attention", "show": "out", "least": "0.1", "residual": "0.2", "node": "1.3"}
    page = opened(offered["bert"], **link)
    assert link.items() <= page.link.items()
    weights = [
        one.weights.mean(0) for one in core.load(offered["bert"]).trace(TEXT).layers["encoder"]
    ]
    drawn = page.figures[FIGURE].arrays
    np.testing.assert_allclose(drawn["attended"], 0.8 * np.stack(weights), atol=1e-5)
    np.testing.assert_allclose(drawn["kept"], 0.2, atol=1e-6)
    saved = kept(page)
    mixed = 0.8 * np.stack(weights) + 0.2 * np.eye(weights[0].shape[0])
    expected = edges_kept(mixed.astype(np.float32), 0.1, out_of=(1, 3))
    np.testing.assert_array_equal(saved["drawn"], expected)
    assert saved["weights_layer0"].ndim == 3
    again = Page("attention", **page.link)
    assert again.answer == page.answer
    written = opened(offered["bert"], by="written")
    amounts = core.load(offered["bert"]).context_mixing(TEXT, "written")
    shares = amounts / amounts.sum(axis=2, keepdims=True)
    found = written.figures[FIGURE].arrays["attended"]
    np.testing.assert_allclose(found, 0.5 * shares, atol=1e-5)


def test_a_node_is_followed_and_let_go(offered: dict[str, Path]):
    page = opened(offered["bert"])
    own = page.answer
    page.choose(FIGURE, [1, 3])
    assert page.link["node"] == "1.3"
    assert "(layer 0)" in page.answer
    page.choose(FIGURE, [-1, -1])
    assert "node" not in page.link
    assert page.answer == own
    page.choose(FIGURE, [99, 0])  # nonsense
    assert page.answer == own
    assert "node" not in opened(offered["bert"], node="99.0").link


def test_what_a_model_hides_is_said(offered: dict[str, Path]):
    page = opened(offered["deberta"])
    assert "Choose the attention weights" in page.notices
    assert FIGURE not in page.figures
    page = opened(offered["deberta"], by="attention")
    assert FIGURE in page.figures


def test_of_two_stacks_attention_alone_is_known(offered: dict[str, Path]):
    page = opened(offered["marian"])
    assert page.answer.startswith("By Attention")


def test_a_long_text_is_asked_to_be_shorter(offered: dict[str, Path]):
    assert "Shorten it" in opened(offered["bert"], text="the cat sat . " * 30).notices


def test_one_token_alone_has_no_path(offered: dict[str, Path]):
    page = opened(offered["gpt2"], text="cat")
    assert FIGURE in page.figures
    assert page.answer.endswith(".")
