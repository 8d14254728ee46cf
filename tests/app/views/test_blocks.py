"""What the building blocks' page computes before it draws: parameters, matrices, presets."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core
from app.components.drift import Drift, drift_frame
from app.components.frame import unpack
from app.components.selection import Seed
from app.ui.params import Scope
from app.views import blocks
from app.views.blocks.attention import metric
from app.views.blocks.attention.metric import HEAD, LAYER
from app.views.blocks.attention.state import Q
from app.views.blocks.matrices import MOST, filled, matrix
from core.blocks.iterated_attention import iterate, start
from core.blocks.qk_circuit import symmetric_share

CELLS = st.one_of(st.none(), st.integers(-999, 999).map(lambda n: n / 8))
MATRICES = st.lists(
    st.lists(CELLS, min_size=1, max_size=MOST).map(tuple), min_size=1, max_size=MOST
)


PARAMS = tuple(
    dict.fromkeys(
        param for view in blocks.PAGE.views for part in view.parts for param in part.params
    )
)


@pytest.mark.parametrize("param", PARAMS, ids=lambda param: param.key)
def test_what_a_link_writes_it_can_read(param):
    if param.default not in ((), False, None):
        assert param.parse(param.write(param.default)) == param.default
    assert param.parse("no such value \u0000") in (None, "no such value \u0000")


@given(MATRICES.map(tuple))
def test_matrices_survive_a_link(given_matrix):
    param = matrix(Scope("blocks"), "m", ())
    whole = filled(given_matrix)
    assert param.parse(param.write(whole)) == whole
    assert {len(row) for row in whole} == {MOST}


@pytest.mark.parametrize("text", ["1,x", "nan", "inf,2", "1e400", ""])
def test_a_matrix_of_nonsense_counts_as_absent(text: str):
    parsed = Q.parse(text)
    assert parsed is None or not any(
        cell is not None and not math.isfinite(cell) for row in parsed for cell in row
    )
    assert (parsed is None) == (text != "")


def test_a_drift_carries_its_steps():
    run = iterate(start("ring", n_points=5, seed=0), temperature=1.0, steps=4)
    figure = Drift(
        points=run.points, diameters=run.diameters, moves=run.moves, clusters=run.clusters,
        extent=2.0, same=0.01, label="five points",
    )  # fmt: skip
    header, arrays = unpack(drift_frame(figure, seed=Seed(3)))
    np.testing.assert_array_equal(arrays["points"], run.points)
    assert header["selection"]["value"] == 3
    with pytest.raises(ValueError, match=r"have \[4, 5\] steps"):
        Drift(
            points=run.points, diameters=run.diameters, moves=run.moves,
            clusters=run.clusters[1:], extent=2.0, same=0.01, label="five points",
        )  # fmt: skip


def test_the_chips_name_the_most_and_the_least_symmetric_head_of_bert_mini():
    model = core.load("bert-mini")
    shares: dict[tuple[int, int], float] = {}
    for layer, head in product(range(model.card.layers), range(model.card.heads)):
        matrices = model.head_projections(layer, head)
        shares[layer, head] = symmetric_share(matrices.query, matrices.key)
    most, least, *_ = (
        {setting.param: setting.value for setting in preset} for preset in metric.PRESETS.values()
    )
    assert (most[LAYER], most[HEAD]) == max(shares, key=shares.__getitem__)
    assert (least[LAYER], least[HEAD]) == min(shares, key=shares.__getitem__)
