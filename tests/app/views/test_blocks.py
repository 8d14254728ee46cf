"""The building blocks' page without a browser: parameters, matrices, every view's script."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

import core
from app.components.drift import Drift, drift_frame, read_step
from app.components.frame import unpack
from app.views import blocks
from app.views.blocks.attention import metric
from app.views.blocks.attention.state import HEAD, HIDDEN, LAYER, WIDTH, Q
from app.views.blocks.matrices import MOST, filled, matrix
from core.blocks.iterated_attention import iterate, start
from core.blocks.qk_circuit import symmetric_share

CELLS = st.one_of(st.none(), st.integers(-999, 999).map(lambda n: n / 8))
MATRICES = st.lists(
    st.lists(CELLS, min_size=1, max_size=MOST).map(tuple), min_size=1, max_size=MOST
)


def page() -> None:
    from app.views import blocks

    blocks.render()


def opened(**link: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=120)
    for name, value in link.items():
        app.query_params[name] = value
    return app.run()


def test_every_parameter_has_a_name_of_its_own():
    names = [param.name for param in blocks.PARAMS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("param", blocks.PARAMS, ids=lambda param: param.name)
def test_what_a_link_writes_it_can_read(param):
    if param.default not in ((), False, None):
        assert param.parse(param.write(param.default)) == param.default
    assert param.parse("no such value \u0000") in (None, "no such value \u0000")


@given(MATRICES.map(tuple))
def test_matrices_survive_a_link(given_matrix):
    param = matrix("m", ())
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


def test_widths_and_cells_out_of_range_count_as_absent():
    assert WIDTH.parse("64") == 64
    assert WIDTH.parse("65") is None
    assert HIDDEN.parse("0.1,5.5") == ((0, 1), (5, 5))
    assert HIDDEN.parse("6.0") is None


VIEWS = (
    ("attention", "part", ("steps", "root", "scores", "metric", "entropy", "limit")),
    ("activations", "act", ("curves", "dropout", "gates")),
    ("norms", "norm", ("depth", "vectors")),
    ("tuning", "ft", ("lora", "int8", "adapters")),
    ("objectives", "obj", ("all", "spans", "replaced", "pictures", "experts")),
)


@pytest.mark.parametrize(
    ("view", "name", "part"), [(view, name, part) for view, name, parts in VIEWS for part in parts]
)
def test_every_part_stands_on_its_own_link(view: str, name: str, part: str):
    app = opened(view=view, **{name: part})
    assert not app.exception
    assert not app.warning
    assert "What am I looking at?" in [heading.value for heading in app.subheader]


def test_an_empty_cell_is_named_and_keeps_its_neighbours():
    app = opened(q="1,,3;4,5,6;7,8,9;1,1,1", d="3")
    assert "Q, row 1, column 2 is empty" in app.warning[0].value.replace("\\", "")
    assert app.session_state["blocks.q"][0][:3] == (1, None, 3)


@pytest.mark.parametrize(
    ("words", "said"), [("one two", "2 tokens"), ("a b c d e f g", "7 tokens")]
)
def test_too_few_or_too_many_tokens(words: str, said: str):
    app = opened(words=words)
    assert said in app.warning[0].value
    assert app.session_state["blocks.words"] == words


def test_a_query_that_is_blind_says_so():
    app = opened(mask="chosen", hide="1.0,1.1,1.2,1.3")
    assert "Query 2 may look at no key" in app.warning[0].value


def test_a_gates_vector_with_a_hole():
    app = opened(view="activations", act="gates", gx="1,,2,3")
    assert "A cell of x is empty" in app.warning[0].value


def test_a_drift_carries_its_steps():
    run = iterate(start("ring", n_points=5, seed=0), temperature=1.0, steps=4)
    figure = Drift(
        points=run.points, diameters=run.diameters, moves=run.moves, clusters=run.clusters,
        extent=2.0, same=0.01, label="five points",
    )  # fmt: skip
    header, arrays = unpack(drift_frame(figure, step=3))
    np.testing.assert_array_equal(arrays["points"], run.points)
    assert header["seed"] == {"serial": 1, "step": 3}
    assert [read_step(given, 4) for given in (0, 4, 5, -1, "2", None)] == [0, 4, *[None] * 4]
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
    most, least, *_ = metric.EXAMPLES.values()
    assert (most[LAYER], most[HEAD]) == max(shares, key=shares.__getitem__)
    assert (least[LAYER], least[HEAD]) == min(shares, key=shares.__getitem__)
