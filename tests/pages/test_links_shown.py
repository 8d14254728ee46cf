"""A link holds what is shown: nothing that was not changed, nothing that is not there."""

import pytest

from app.ui.options import WIDGET
from tests.pages.declared import SHOWN, Shown
from tests.pages.page import Page

ASKED = "The link asks for"
OF_A_MODEL = ("attention", "positions-order", "transformer", "bert", "gpt", "vision")


@pytest.mark.parametrize("shown", [one for one in SHOWN if one.params], ids=str)
def test_an_unchanged_view_is_all_that_its_link_says(shown: Shown):
    page = Page(shown.path, **shown.link)
    assert page.link.keys() <= shown.link.keys()
    assert ASKED not in page.notices


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        (shown, name)
        for shown in SHOWN
        for name in shown.params
        if name in ("layer", "head", "heads", "other_layer") and str(shown).startswith(OF_A_MODEL)
        if name != "heads" or shown.path == "attention" or "what-if" in str(shown)
        if (str(shown), name) not in (("vision-attention", "other_layer"), ("bert-words", "layer"))
    ],
    ids=str,
)
def test_a_layer_or_head_that_is_not_there_is_told_and_leaves_the_link(shown: Shown, name: str):
    of_a_layer = name == "heads" or (name == "head" and shown.path in ("bert", "gpt"))
    asked = "90.1" if of_a_layer else "90"
    page = Page(shown.path, **shown.link | {name: asked})
    assert page.link.get(name) != asked
    assert f"{ASKED} {name}={asked}" in page.notices


def test_a_first_link_is_bare_and_one_change_says_it_all():
    page = Page("attention")
    assert page.link == {}
    page.choose("attention.grid.encoder", [[5, 11]])
    assert page.link.keys() >= {"heads", "cell", "pin"}


def test_no_mask_no_mask_in_the_link():
    assert "mask" not in Page("bert", view="words", text="Nothing is masked.", mask="4").link


def test_what_is_pinned_in_an_alignment_is_in_its_link():
    page = Page("transformer", view="alignment")
    page.choose("transformer.alignment.map", {"cell": [2, 1], "pinned": 2, "front": 0})
    assert page.link.items() >= {"cell": "2.1", "pin": "2"}.items()
    again = Page("transformer", **page.link)
    seed = again.figures["transformer.alignment.map"].header["selection"]["value"]
    assert (seed["cell"], seed["pinned"]) == ([2, 1], 2)


def test_an_unknown_model_gives_the_views_own_default():
    for view, title in (("why", "ViT mini"), ("swin", "Swin mini"), ("mae", "MAE mini")):
        page = Page("vision", view=view, model="foo")
        assert f"There is no model “foo” here; showing {title}" in page.notices
        assert "model" not in page.link
        assert ASKED not in page.notices


def test_a_model_that_cannot_be_had_leaves_the_figure_that_was_there():
    page = Page("attention", text="The cat sat.")
    picker = next(box for box in page.selectbox if box.key == f"attention.model{WIDGET}")
    hub = next(label for label in picker.options if label.endswith("needs a network"))
    before = page.figures["attention.view.encoder"]
    index = picker.options.index(hub)
    picker.select_index(index).run()
    assert "can't be reached now. Connect to a network" in page.notices
    assert "Still shown: MiniLM" in page.notices
    assert page.figures["attention.view.encoder"].header == before.header
    assert "model" not in page.link
