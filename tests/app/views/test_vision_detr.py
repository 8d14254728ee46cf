"""The set prediction view's tables and links: what is not allowed is told or counts as absent."""

import numpy as np
import pytest

from app.components.box_picture import read_boxes
from app.views.vision.detr import params, tables
from core.errors import InputError

ROW = (0.0, 0.9, 0.4, 0.4, 0.2, 0.3)


def test_what_is_left_of_p_is_shared_evenly():
    np.testing.assert_allclose(tables.probabilities_of([ROW]), [[0.9, *[0.025] * 4]])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((0.0, 1.4, *ROW[2:]), "Prediction 1: p is 1.4; give a probability from 0 to 1"),
        ((0.0, None, *ROW[2:]), "Prediction 1: p is empty"),
        ((None, 0.5, *ROW[2:]), "Prediction 1 has no class: choose one"),
    ],
)
def test_rows_that_can_not_be_are_told(row, message):
    with pytest.raises(InputError, match=message):
        tables.probabilities_of([row])


def test_empty_and_overfull_tables_are_told():
    with pytest.raises(InputError, match="There is no object: add a row"):
        tables.labels_of([], "Object")
    with pytest.raises(InputError, match="There are 13 rows; up to 12"):
        tables.labels_of([ROW] * (tables.MOST_ROWS + 1), "Object")


def test_a_link_brings_rows_back():
    rows = ((0.0, 0.9, 0.4, None, 0.2, 0.3), (4.0, 0.5, 0.1, 0.2, 0.3, 0.4))
    assert params.PREDICTIONS.parse(params.PREDICTIONS.write(rows)) == rows


@pytest.mark.parametrize(
    "given", ["0,0.9", "7,0.9,0.4,0.4,0.2,0.3", "0,nan,0.4,0.4,0.2,0.3", "a,b,c,d,e,f", "<script>"]
)
def test_nonsense_in_a_link_counts_as_absent(given):
    assert params.PREDICTIONS.parse(given) is None


def test_parts_in_a_link():
    assert params.TERMS.parse("GIoU,class") == ("class", "GIoU")
    assert params.TERMS.parse("nothing") is None


def test_moved_rows_keep_what_is_no_box():
    assert tables.moved([ROW], [(0.1, 0.2, 0.3, 0.4)]) == ((0.0, 0.9, 0.1, 0.2, 0.3, 0.4),)


@pytest.mark.parametrize(
    "report",
    [None, [[0.5] * 4] * 2, [[0.5, 0.5, 0.0, 0.2]], [[0.5, 0.5, True, 0.2]], [[2, 0, 1, 1]]],
)
def test_boxes_from_a_browser_are_checked(report):
    assert read_boxes(report, 1) is None


def test_good_reports_are_read():
    assert read_boxes([[0.5, 0.25, 1, 0.1]], 1) == ((0.5, 0.25, 1.0, 0.1),)
