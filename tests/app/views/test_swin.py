"""The Swin view without a browser: geometry by hand, links, and what is said without a model."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.services import models
from app.views.vision.swin import bias, looks, params
from app.views.vision.swin.geometry import MINI, followed, kind_of, window_name
from core.trace.windows import WindowPartition

PLAIN = WindowPartition(4, 4, (2, 2))
SHIFTED = WindowPartition(4, 4, (2, 2), (1, 1))
DEEPER = WindowPartition(2, 2, (2, 2))


def page() -> None:
    from app.views import vision

    vision.PAGE.render()


@pytest.fixture
def no_models(monkeypatch):
    monkeypatch.setattr(models, "cards", lambda *_: ())


@pytest.mark.usefixtures("no_models")
def test_without_a_swin_the_geometry_is_shown_and_how_to_get_one():
    app = AppTest.from_function(page, default_timeout=60)
    app.query_params["view"] = "swin"
    app.run()
    assert not app.exception
    assert "GLASSFORMER_CHECKPOINTS" in app.info[0].value
    assert "timm.create_model" in app.code[0].value
    headings = [heading.value for heading in app.subheader]
    assert headings == [
        "Reach: whom can my patch have heard of?",
        "What the shift does",
        "What am I looking at?",
    ]
    (slider,) = app.select_slider
    slider.set_value(3).run()
    assert not app.exception
    assert any("masked, hatched" in each.value or "sees 49" in each.value for each in app.caption)


@pytest.mark.usefixtures("no_models")
@pytest.mark.parametrize(
    "link", [{"layer": "199", "patch": "99999"}, {"layer": "-3", "patch": "x"}]
)
def test_a_links_block_or_patch_that_is_not_there_is_brought_within(link):
    app = AppTest.from_function(page, default_timeout=60)
    for name, value in {"view": "swin", **link}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.select_slider[0].value <= len(MINI) - 1


def test_swin_minis_blocks_come_in_pairs_on_three_grids():
    geometry = followed(MINI, 0)
    assert geometry.stages == (0, 2, 6)
    assert [geometry.pair_of(block) for block in (0, 1, 2, 5, 6, 9)] == [
        (0, 1), (0, 1), (2, 3), (4, 5), (6, 7), (8, 9),
    ]  # fmt: skip
    assert [kind_of(MINI[block]) for block in (0, 1, 6, 7)] == ["W-MSA", "SW-MSA", "W-MSA", "W-MSA"]
    assert geometry.name(3) == "Block 3 · 14 × 14 · SW-MSA"


def test_a_patch_is_followed_through_the_stages_and_back():
    geometry = followed(MINI, 27 * 28 + 13)  # the last row, column 13
    assert geometry.patch_in(2) == 13 * 14 + 6
    assert geometry.patch_in(6) == 6 * 7 + 3
    assert geometry.patch_from(2, 13 * 14 + 6) == geometry.patch  # its own: nothing changes
    assert geometry.patch_from(2, 0) == 0
    assert geometry.patch_from(6, 8) == 4 * 28 + 4  # row 1, column 1: the first of its 16


def test_without_a_choice_the_patch_stands_in_a_windows_corner():
    corner = 13 * 28 + 13
    assert followed(MINI, params.MIDDLE).patch == followed(MINI, 784).patch == corner


def test_what_a_corner_sees_after_the_shift():
    sight = looks.sight_of(followed((PLAIN, SHIFTED, DEEPER), 15), 1)
    assert sight.window == 3
    assert np.flatnonzero(sight.members).tolist() == [0, 3, 12, 15]
    assert np.flatnonzero(sight.masked).tolist() == [0, 3, 12]
    row = np.zeros(16, dtype=np.float32)
    row[15] = 1
    notes = looks.notes_of(row, sight)
    assert notes[15] == "1, rank 1 of 1, 1 × uniform"
    assert notes[0].startswith("masked")
    assert notes[5] == "in another window: not seen"
    shown = looks.on_grid(row, sight)
    assert np.isnan(shown).sum() == 15
    assert shown[3, 3] == 1


def test_ranks_count_the_partners_only():
    sight = looks.sight_of(followed((PLAIN,), 0), 0)
    row = np.zeros(16, dtype=np.float32)
    row[[0, 1, 4, 5]] = 0.1, 0.4, 0.3, 0.2
    notes = looks.notes_of(row, sight)
    assert [notes[i] for i in (0, 1, 4, 5)] == [
        "0.1, rank 4 of 4, 0.4 × uniform",
        "0.4, rank 1 of 4, 1.6 × uniform",
        "0.3, rank 2 of 4, 1.2 × uniform",
        "0.2, rank 3 of 4, 0.8 × uniform",
    ]


def test_a_cell_of_the_tiles_is_a_head_and_an_offset():
    table = np.arange(5 * 9, dtype=np.float32).reshape(5, 3, 3)
    assert bias._place((0, 0), 5, 3, 3) == (0, 0, 0)
    assert bias._place((1, 5), 5, 3, 3) == (1, 1, 1)  # the gap takes column 3
    assert bias._place((0, 3), 5, 3, 3) is None
    assert bias._place((4, 0), 5, 3, 3) == (4, 0, 0)  # the fifth head begins a row
    assert bias._place((4, 4), 5, 3, 3) is None  # there is no sixth
    assert table[bias._place((5, 2), 5, 3, 3)] == 4 * 9 + 5
    labels = [bias._side_label(i, 3) for i in range(5)]
    assert labels == ["−1", "0", "+1", "", "−1"]


def test_a_window_is_named_by_its_place_and_says_that_the_picture_was_rolled():
    plain = WindowPartition(rows=8, columns=12, window=(4, 4), shift=(0, 0))
    rolled = WindowPartition(rows=8, columns=12, window=(4, 4), shift=(2, 2))
    assert window_name(plain, 4) == "window 1, 1 of 2 × 3"
    assert window_name(rolled, 4) == "window 1, 1 of 2 × 3 of the rolled picture"
