"""Heads by name: measured over the built-in texts, drawn on the grid, taken along in the file."""

import io

import numpy as np
import pytest

import core
from app.services import head_roles as measuring
from core.data.sentences import repeated_words, sentences
from core.data.treebank import parsed_sentences
from core.explain.attention.head_roles import NO_ROLE, head_roles, with_scores
from core.explain.attention.relation_heads import relation_heads, role_scores
from core.explain.attention.relations import links_of
from core.explain.attention.role_patterns import INDUCTION, SYNTACTIC
from core.outputs.head_measures import WordedText
from core.trace import AttentionKind
from tests.pages.attention.shown import GRID
from tests.pages.page import Page


@pytest.fixture(scope="module")
def measured():
    model = core.load("minilm-l6")
    texts = (*model.head_measures(sentences()), *_repeated(model))
    return [one[AttentionKind.ENCODER] for one in texts]


def _repeated(model):
    return model.head_measures(repeated_words(), only=[INDUCTION])


@pytest.mark.parametrize("by", ["weights", "written"])
def test_the_grid_names_heads_as_the_measures_do(by: str, measured):
    page = Page("attention", roles=by)
    of_words = [WordedText(one.text, one.spans) for one in parsed_sentences()]
    looks = core.load("minilm-l6").word_looks(of_words, written=by == "written")
    table = relation_heads([links_of(one) for one in parsed_sentences()], looks)
    roles = with_scores(
        head_roles([getattr(one, by) for one in measured]),
        SYNTACTIC,
        role_scores(table, len(of_words)),
    )
    assert roles[1][3].label == SYNTACTIC
    names = page.figures[GRID].header["names"]
    legend = [one["name"] for one in names["legend"]]
    for layer, told, notes in zip(roles, names["named"], names["notes"], strict=True):
        assert [legend[at] if at >= 0 else NO_ROLE for at in told] == [one.label for one in layer]
        for head, note in zip(layer, notes, strict=True):
            assert note.startswith(head.label)
    clear = sum(one.label != NO_ROLE for layer in roles for one in layer)
    assert 0 < clear < 72
    assert f"{clear} of 72 heads have a clear role" in page.text
    assert roles[0][2].label == "previous"


def test_resting_on_the_first_token_is_a_look_and_hardly_written(measured):
    """Kobayashi et al. 2020: what most of a head's weight rests on has little to write."""

    def count(by: str) -> int:
        roles = head_roles([getattr(one, by) for one in measured])
        return sum(role.label == "first" for layer in roles for role in layer)

    assert count("weights") > 40
    assert count("written") < 10


def test_names_are_there_at_once_and_the_choice_is_in_the_link(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(measuring, "of_model", _not_measured)
    page = Page("attention")
    assert page.figures[GRID].header["names"] is not None
    assert "roles" not in page.link
    page.button_group(key="attention.roles").set_value("off").run()
    assert page.link["roles"] == "off"
    assert page.figures[GRID].header["names"] is None
    assert "clear role" not in page.text


def _not_measured(model_id: str):
    raise AssertionError(f"{model_id} was measured")


def test_heads_of_other_models_are_measured_when_asked(offered):
    tiny = str(offered["bert"])
    page = Page("attention", model=tiny, text="a dog")
    assert page.figures[GRID].header["names"] is None
    assert page.toggle(key="attention.measured").value is False
    page.toggle(key="attention.measured").set_value(True).run()
    assert page.link["measured"] == "1"
    assert page.figures[GRID].header["names"] is not None
    assert "heads have a clear role" in page.text


def test_the_file_holds_every_role_of_every_head():
    file = np.load(io.BytesIO(Page("attention", roles="written").file("attention.npz")))
    heads, roles = len(file["role_heads"]), len(file["role_names"])
    assert file["role_scores"].shape == (heads, roles, len(file["role_columns"]))
    assert heads == len(file["role_labels"]) == 72
    previous = list(file["role_names"]).index("previous")
    assert file["role_scores"][2, previous, 0] > 0.95
    assert np.all(file["role_scores"][:, previous, -1] == len(sentences()))
