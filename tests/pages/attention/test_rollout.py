"""The rollout's film of a text: the model's frames, one token's row, links and refusals."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import core
from app.style.number_format import three
from core.explain.flow.rollout import attention_rollout, rollout_film
from core.trace import AttentionKind
from tests.pages.page import Page

TEXT = "the cat sat because it was tired ."
FILM, ROW, TOKENS = (f"attention.rollout.{name}" for name in ("film", "row", "tokens"))


def opened(model: object, **link: str) -> Page:
    return Page("attention", **{"view": "rollout", "model": str(model), "text": TEXT} | link)


def kept(page: Page) -> dict[str, np.ndarray]:
    return dict(np.load(BytesIO(page.file("text-rollout.npz"))))


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_frames_are_the_models(offered: dict[str, Path], family: str):
    page = opened(offered[family])
    model = core.load(offered[family])
    film = page.figures[FILM]
    assert film.header["names"] == ["Attention", "‖αf(x)‖", "Value Zeroing"]
    assert film.header["moments"] == ["input", "layer 0", "layer 1", "layer 2"]
    values = film.arrays["values"]
    n = len(model.trace(TEXT).tokens)
    assert values.shape == (4, 3, n, n)
    np.testing.assert_array_equal(values[0], np.broadcast_to(np.eye(n), (3, n, n)))
    np.testing.assert_allclose(values[3, 0], attention_rollout(model.trace(TEXT)), atol=1e-5)
    for index, mixing, residual in ((1, "written", 0.5), (2, "zeroed", 0.0)):
        product = np.eye(n)
        for amounts in model.context_mixing(TEXT, mixing):
            shares = amounts / amounts.sum(axis=1, keepdims=True)
            product = (1 - residual) * shares @ product + residual * product
        np.testing.assert_allclose(values[3, index], product, atol=1e-4)
    np.testing.assert_allclose(values.sum(axis=3), 1, atol=1e-4)


def test_settings_change_the_film_and_stand_in_the_link(offered: dict[str, Path]):
    settings = {"residual": "0.2", "fusion": "max", "start": "1", "pin": "3", "frame": "1"}
    page = opened(offered["bert"], **settings)
    assert settings.items() <= page.link.items()
    trace = core.load(offered["bert"]).trace(TEXT)
    expected = rollout_film(trace, 3, head_fusion="max", residual=0.2, start_layer=1)
    np.testing.assert_allclose(page.figures[FILM].arrays["values"][1:, 0, 3], expected, atol=1e-5)
    assert page.figures[FILM].header["moments"] == ["input", "layer 1", "layer 2"]
    notes = [chip["note"] for chip in page.figures[TOKENS].header["chips"]]
    assert notes == [three(float(share)) for share in page.figures[FILM].arrays["values"][1, 0, 3]]
    assert "layer 1" in page.answer


def test_a_token_a_layer_and_a_map_are_chosen(offered: dict[str, Path]):
    page = opened(offered["bert"])
    assert page.answer.startswith("By Attention, at layer 2 [CLS] is")
    page.fire(TOKENS, 2)
    assert page.link["pin"] == "2"
    page.choose(FILM, [1, [0, 2]])
    assert {"by": "zeroed", "frame": "1"}.items() <= page.link.items()
    values = page.figures[FILM].arrays["values"][1, 2, 2]
    assert page.answer.startswith(f"By Value Zeroing, at layer 0 cat is {three(float(values[2]))}")
    np.testing.assert_array_equal(
        page.figures[ROW].arrays["values"][::-1], page.figures[FILM].arrays["values"][:, 2, 2]
    )
    again = Page("attention", **page.link)
    assert again.answer == page.answer


def test_what_a_model_hides_is_left_out_and_said(offered: dict[str, Path]):
    page = opened(offered["deberta"])
    assert page.figures[FILM].header["names"] == ["Attention", "Value Zeroing"]
    assert "hides its values or its output matrices" in page.text


def test_a_translator_has_its_own_two_stacks(offered: dict[str, Path]):
    page = opened(offered["marian"], target="a dog ran .", kind="decoder")
    assert page.figures[FILM].header["names"] == ["Attention"]
    assert page.figures[FILM].header["hue"] == AttentionKind.DECODER.value
    cross = opened(offered["marian"], target="a dog ran .", kind="cross")
    assert cross.figures[FILM].header["hue"] == AttentionKind.ENCODER.value


def test_long_texts(monkeypatch: pytest.MonkeyPatch, offered: dict[str, Path]):
    from app.views.attention import rollout

    monkeypatch.setattr(rollout, "MOST_ZEROED", 9)
    page = opened(offered["bert"])
    assert page.figures[FILM].header["names"] == ["Attention", "‖αf(x)‖"]
    assert "left out beyond 9 tokens" in page.text
    monkeypatch.setattr(rollout, "MOST_TOKENS", 9)
    assert "The text has 10 tokens; up to 9 are shown here" in opened(offered["bert"]).notices
    assert kept(opened(offered["bert"], text="the cat"))["rollout_attention"].shape == (4, 4, 4)
