"""What a browser reports is user input: nonsense is ignored, whatever its shape."""

import numpy as np
import pytest

from app.components import head_grid
from app.components.frame import pack, unpack
from app.components.head_grid import GridSettings, head_grid_frame, read_heads
from app.components.head_view import Choice, Display, HeadView, head_view_frame, read_choice
from app.components.selection import Seed
from app.components.standalone import standalone_page
from app.components.worked_cell import worked_cell_frame
from core.explain.attention.head_overview import head_overview
from core.explain.attention.worked_weight import worked_cell
from core.trace import AttentionKind

VIEW = HeadView(
    kind=AttentionKind.CROSS,
    names=("one", "two"),
    palette=(0, 5),
    maps=np.full((2, 2, 3), 1 / 3, dtype=np.float32),
    query_tokens=("Ich", "bin"),
    key_tokens=("I", "am", "here"),
    visible_keys=np.array([3, 3]),
    uniform_keys=np.array([3, 3]),
)


def test_heads_of_a_report_are_read_in_order_and_once():
    assert read_heads([[1, 0], [0, 3], [1, 0]], (4, 4)) == ((1, 0), (0, 3))


@pytest.mark.parametrize(
    "nonsense",
    [None, [], "all", {"0": 0}, [[0]], [[0, 4]], [[-1, 0]], [[2, 0]], [["0", 0]], [[0.5, 0]]],
)
def test_nonsense_heads_are_ignored(nonsense):
    assert read_heads(nonsense, (4, 4)) is None


def test_selection_of_a_report_is_read():
    report = {"cell": [1, 2], "pinned": 0, "front": 1}
    assert read_choice(report, VIEW, Display()) == Choice((1, 2), 0, 1)


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        {},
        {"cell": [2, 0], "pinned": None, "front": 0},  # there are two queries
        {"cell": [0, 3], "pinned": None, "front": 0},
        {"cell": None, "pinned": 2, "front": 0},  # "from": a query
        {"cell": None, "pinned": None, "front": 2},
        {"cell": "1,2", "pinned": None, "front": 0},
        {"cell": None, "pinned": -1, "front": 0},
    ],
)
def test_nonsense_selections_are_ignored(nonsense):
    assert read_choice(nonsense, VIEW, Display()) is None


def test_pinned_token_is_a_key_where_the_direction_says_so():
    report = {"cell": None, "pinned": 2, "front": 0}
    assert read_choice(report, VIEW, Display(direction="to")) == Choice(pinned=2)


def test_frame_of_a_view_carries_its_float32_bit_for_bit():
    header, arrays = unpack(head_view_frame(VIEW, Display(top_k=3), seed=Seed(Choice((1, 2)))))
    assert arrays["maps"].tobytes() == VIEW.maps.tobytes()
    assert header["selection"]["value"] == {"cell": [1, 2], "pinned": None, "front": 0}
    assert header["display"]["top_k"] == 3


def test_same_overview_is_packed_once(monkeypatch: pytest.MonkeyPatch):
    packed: list[tuple[object, ...]] = []

    def counting(header, arrays, *, level):
        packed.append(header["selection"]["value"])
        return pack(header, arrays, level=level)

    monkeypatch.setattr(head_grid, "pack", counting)
    overview = head_overview(
        [VIEW.maps], query_tokens=VIEW.query_tokens, key_tokens=VIEW.key_tokens
    )
    for selected in (((0, 0),), ((0, 0),), ((0, 1),)):
        frame = head_grid_frame(overview, GridSettings("heads"), seed=Seed(selected))
        assert unpack(frame)[0]["selection"]["value"] == [list(head) for head in selected]
    assert packed == [((0, 0),), ((0, 1),)]


def test_masked_cell_s_infinities_fit_into_json():
    ones = np.ones((1, 2, 4), dtype=np.float32)
    cell = worked_cell(
        ones,
        ones,
        ones,
        bias=np.array([[[0, -np.inf]]], dtype=np.float32),
        scale=0.5,
        cell=(0, 0, 1),
        query_tokens="ab",
        key_tokens="ab",
    )
    header, arrays = unpack(worked_cell_frame(cell, kind=AttentionKind.DECODER))
    assert (header["bias"], header["score"]) == (None, None)
    assert arrays["row_scores"][1] == -np.inf


def test_maps_that_do_not_fit_their_tokens_are_refused():
    with pytest.raises(ValueError, match=r"names and tokens ask for \(1, 2, 3\)"):
        HeadView(
            kind=AttentionKind.ENCODER,
            names=("one",),
            palette=(0,),
            maps=VIEW.maps,
            query_tokens=VIEW.query_tokens,
            key_tokens=VIEW.key_tokens,
            visible_keys=VIEW.visible_keys,
            uniform_keys=VIEW.uniform_keys,
        )


def test_offline_page_escapes_what_a_reader_wrote():
    hostile = "</script><img src=x onerror=alert(1)>"
    frame = head_view_frame(VIEW, Display())
    page = standalone_page(hostile, "head_view", frame, hostile)
    assert hostile not in page
    assert page.count("</script>") == 2
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
