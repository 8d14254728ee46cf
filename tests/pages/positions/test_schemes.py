"""Learned tables and relative schemes, beside each other and on a real head."""

from pathlib import Path

import numpy as np
import pytest

import core
from app.style.number_format import three
from app.views.positions.state import DEFAULT_TEXT
from core import positions
from core.data.snapshots import read_moments
from core.models.text.encoder import TextEncoder
from tests.pages.positions.shown import drawn, opened

SNAPSHOTS = Path(core.__file__).parents[1] / "assets" / "models" / "bert-mini" / "snapshots.npz"


@pytest.fixture(scope="module")
def bert() -> TextEncoder:
    return core.load("bert-mini")


def test_a_learned_table_and_the_moments_of_its_training(bert: TextEncoder):
    page = opened("learned")
    table = bert.position_table().vectors[:64]
    np.testing.assert_array_equal(drawn(page, "learned.table"), table)
    similarity = positions.cosine_similarity(table)
    np.testing.assert_array_equal(drawn(page, "learned.similarity"), similarity)
    training = read_moments(SNAPSHOTS, "positions")
    assert training is not None
    page.select_slider(key="positions.learned.moment:options").set_value(0).run()
    assert page.link["moment"] == "0"
    np.testing.assert_array_equal(drawn(page, "learned.table"), training.values[0][:64])
    assert "of 64 positions are most similar to a direct neighbour" in page.text


def test_five_schemes_side_by_side():
    page = opened("relative")
    angles = positions.wrapped(positions.rotary_angles(32, 32))
    np.testing.assert_array_equal(drawn(page, "relative.rotary"), angles)
    falling = np.tril(positions.alibi(32, 8, causal=False)[1])
    np.testing.assert_array_equal(drawn(page, "relative.alibi"), falling)
    np.testing.assert_array_equal(drawn(page, "relative.t5"), positions.t5_buckets(32, 32))
    np.testing.assert_array_equal(drawn(page, "relative.swin"), positions.swin_relative_index(7))
    sines = positions.sine_2d(6, 6, 32).reshape(36, 32)
    np.testing.assert_array_equal(drawn(page, "relative.grid"), sines)


@pytest.mark.parametrize(
    ("view", "link", "said"),
    [
        ("relative", {"n": "1"}, "The link asks for 1; 2 is the least that is drawn here."),
        ("relative", {"d_head": "2"}, "The link asks for 2; 4 is the least that is drawn here."),
        ("learned", {"n": "1"}, "The link asks for 1; 2 is the least that is drawn here."),
    ],
)
def test_a_size_below_its_slider_is_told(view: str, link: dict[str, str], said: str):
    page = opened(view, **link)
    assert said in page.notices
    assert page.link == {"view": view}


def test_another_scheme_on_a_real_head_and_a_pair_in_all_three_maps(bert: TextEncoder):
    page = opened("relative")
    layer = bert.trace(DEFAULT_TEXT).attention(1)
    np.testing.assert_allclose(drawn(page, "relative.before"), layer.weights[5], atol=1e-6)
    turned = positions.rotated(layer, 5)
    np.testing.assert_allclose(drawn(page, "relative.added"), turned.added, atol=1e-5)
    page.button_group(key="positions.relative.scheme").set_value("alibi").run()
    assert page.link["scheme"] == "alibi"
    alibi = positions.biased(layer, 5, positions.alibi(len(turned.added), 8)[5])
    np.testing.assert_allclose(drawn(page, "relative.after"), alibi.changed, atol=1e-6)
    page.choose("positions.relative.after", [6, 5])
    assert page.link["cell"] == "6.5"
    assert f"then {three(float(alibi.changed[6, 5]))}" in page.text
    assert "this model was never trained with these positions" in page.text
    assert page.figures["positions.relative.before"].header["selection"]["value"] == [6, 5]
    assert page.figures["positions.relative.added"].header["selection"]["value"] == [6, 5]


@pytest.mark.parametrize(
    ("family", "said"),
    [
        ("nonsense", "There is no model “nonsense” here"),
        ("llama", "it turns queries and keys instead (rotary positions)"),
    ],
)
def test_a_model_without_a_table_says_what_it_does(
    folders: dict[str, Path], family: str, said: str
):
    page = opened("learned", model=str(folders.get(family, family)))
    assert said in page.text


def test_heads_that_hide_their_queries_say_so(folders: dict[str, Path]):
    page = opened("relative", model=str(folders["deberta"]), text="the cat sat")
    assert "hides queries and keys" in page.notices


def test_a_vits_positions_are_tiles_over_its_grid(folders: dict[str, Path]):
    page = opened("learned", model=str(folders["vit"]))
    table = core.load(folders["vit"], device="cpu").position_table()
    similarity = positions.cosine_similarity(table.patches)
    gap = np.arange(19) % 5 == 4  # between 4 × 4 tiles of 4 × 4
    tiles = drawn(page, "tiles")[~gap][:, ~gap]
    np.testing.assert_array_equal(tiles, positions.tiles(similarity, table.grid))
    steps = positions.similarity_by_steps(similarity, table.grid)
    np.testing.assert_array_equal(drawn(page, "steps"), steps)
    assert "The first row is no patch's" in page.text
