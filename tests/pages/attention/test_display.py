"""How the maps are shown: hidden tokens, words, and every choice of the Display popover."""

import io
import json
import re

import numpy as np

import core
from core.explain.attention.hide_tokens import hide_tokens
from tests.pages.attention.shown import VIEW, maps
from tests.pages.page import Page


def test_hidden_special_tokens_leave_and_their_mass_is_told(trace, head: np.ndarray):
    page = Page("attention", heads="3.1", nospecial="1")
    kept = ~trace.encoding.special
    reduced = hide_tokens(head[None], kept_queries=kept, kept_keys=kept, renormalise=False)
    np.testing.assert_allclose(maps(page), reduced.maps, atol=1e-6)
    assert f"they took {float(reduced.removed.mean()):.3g} of a row on average" in page.text


def test_renormalised_rows_sum_to_one(trace):
    page = Page("attention", heads="3.1", nospecial="1", renorm="1")
    kept = int((~trace.encoding.special).sum())
    np.testing.assert_allclose(maps(page).sum(axis=2), np.ones((1, kept)), atol=1e-5)


def test_pieces_merge_to_words():
    page = Page("attention", text="Tokenizers split unapologetically", words="1")
    assert maps(page).shape == (1, 5, 5)
    assert "unapologetically" in page.figures[VIEW].header["query_tokens"]


def test_every_display_choice_enters_the_link_and_comes_back():
    page = Page("attention")
    wanted = {"layout": "heatmap", "direction": "to", "scale": "log"}
    for name, value in wanted.items():
        page.button_group(key=f"attention.{name}").set_value(value)
    for name in ("shared", "nopunct", "words"):
        page.toggle(key=f"attention.{name}").set_value(True)
        wanted[name] = "1"
    page.slider(key="attention.min").set_value(0.05)
    page.slider(key="attention.top").set_value(2)
    page.run()
    wanted |= {"min": "0.05", "top": "2"}
    assert page.link.items() >= wanted.items()
    display = page.figures[VIEW].header["display"]
    assert display["layout"] == "heatmap"
    assert (display["threshold"], display["top_k"]) == (0.05, 2)
    again = Page("attention", **page.link)
    assert again.figures[VIEW].header["display"] == display
    np.testing.assert_array_equal(maps(again), maps(page))


def test_a_link_can_not_draw_a_picture_from_elsewhere():
    hostile = "![x](http://192.0.2.1/x.png) <b>bold</b>"
    page = Page("attention", model=hostile)
    assert hostile in page.notices
    assert not any(re.search(r"(?<!\\)!\[x\]\(|(?<!\\)<b>", box.value) for box in page.info)


def test_nonsense_in_a_link_is_ignored():
    nonsense = {"kind": "cross", "layout": "cubist", "min": "-3", "pin": "9999", "front": "-1"}
    page = Page("attention", model="../../etc/passwd", heads="99.99,x", cell="1.9999", **nonsense)
    assert "There is no model “../../etc/passwd” here" in page.notices
    assert maps(page).shape == (1, 16, 16)
    assert not nonsense.keys() & page.link.keys()


def test_npz_holds_maps_vectors_and_settings(trace, head: np.ndarray):
    page = Page("attention")
    with np.load(io.BytesIO(page.file("attention.npz"))) as file:
        np.testing.assert_allclose(file["maps"][0], head, atol=1e-6)
        np.testing.assert_allclose(file["q_layer3_head1"], trace.attention(3).queries[1], atol=1e-5)
        assert json.loads(str(file["settings"]))["heads"] == "3.1"


def test_one_sentence_of_a_pair_looks_at_the_other():
    link = {"text": "The man went to the store.", "pair": "He bought a gallon of milk."}
    page = Page("attention", **link, heads="3.1", between="AB")
    trace = core.load("minilm-l6").trace(link["text"], pair=link["pair"])
    first, second = (np.flatnonzero(trace.encoding.segments == one) for one in (0, 1))
    weights = trace.attention(3).weights[1]
    np.testing.assert_allclose(maps(page)[0], weights[np.ix_(first, second)], atol=1e-6)
    removed = page.figures[VIEW].arrays["removed"][0]
    np.testing.assert_allclose(removed, 1 - maps(page)[0].sum(axis=1), atol=1e-5)
    header = page.figures[VIEW].header
    assert header["query_ids"] == [[one] for one in trace.encoding.ids[first].tolist()]
    assert page.link["between"] == "AB"
    page.button_group(key="attention.between").set_value("BA").run()
    np.testing.assert_allclose(maps(page)[0], weights[np.ix_(second, first)], atol=1e-6)
    alone = Page("attention", text=link["text"], between="AB")
    assert "between" not in alone.link
