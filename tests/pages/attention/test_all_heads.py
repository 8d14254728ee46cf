"""All heads at once: a head chosen, a layer alone, names and what rests beside what is written."""

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

import core
from tests.pages.answers.taken import arrays, rows
from tests.pages.page import Page

SENTENCE = "The animal didn't cross the street because it was too tired."


def near_of(page: Page):
    return page.dataframe[0].value


def table_of(page: Page):
    return page.dataframe[1].value


def test_the_nearest_of_the_chosen_head_and_the_chosen_heads_alone():
    page = Page("attention", view="heads", heads="2.7", roles="off", only="layer 4,nothing")
    layers = core.load("minilm-l6").trace(SENTENCE).layers
    (every,) = layers.values()
    near = near_of(page)
    assert near["head"][0] == "4.5"
    pairs = zip(every[2].weights[7], every[4].weights[5], strict=True)
    expected = np.mean([float(jensenshannon(p, q, base=2)) ** 2 for p, q in pairs])
    assert float(near["bits apart"][0]) == pytest.approx(expected, abs=5e-4)
    table = table_of(page)
    assert list(table["head"]) == [f"4.{head}" for head in range(12)]
    assert len(rows(page)) == 72, "the file has all"


def test_names_group_the_heads_and_what_rests_stands_by_weight_and_by_what_is_written():
    page = Page("attention", view="heads", roles="written")
    table = table_of(page)
    labels = list(arrays(page)["role_labels"])
    assert list(table["name"]) == labels
    resting = table["first: looks"].mean()
    assert resting > 2 * table["first: writes"].mean()
    assert set(near_of(page)["group"]) <= set(labels)


def test_a_head_chosen_here_is_chosen_in_the_other_view():
    page = Page("attention", view="heads")
    page.selectbox(key="attention.one-head").set_value((3, 4)).run()
    assert page.link["heads"] == "3.4"
