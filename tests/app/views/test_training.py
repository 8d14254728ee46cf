"""The page about trainings: which maps there are, which heads are worth watching, its words."""

from dataclasses import replace

import numpy as np
import pytest

from app.components.head_film import HeadFilm
from app.services import training_history
from app.views.training import heads, maps, words
from app.views.training.maps import Kept
from core.catalog import CATALOG
from core.errors import InputError

CARDS = {card.id: card for card in CATALOG}
TEXT_AND_VIT = [
    ("bert-mini", "attention", (8,) * 6),
    ("gpt-mini", "attention", (8,) * 6),
    ("transformer-en-de", "encoder", (8,) * 4),
    ("transformer-en-de", "decoder", (8,) * 4),
    ("transformer-en-de", "cross", (8,) * 4),
    ("vit-mini", "class_attention", (8,) * 8),
]
BACK = np.eye(3, k=-1, dtype=np.float32) + np.diag([1, 0, 0]).astype(np.float32)
EVEN = np.full((3, 3), 1 / 3, dtype=np.float32)


def kept(name: str, values: np.ndarray, **other) -> Kept:
    """One layer of heads on three tokens; values (moment, head, 3, 3)."""
    film = HeadFilm(
        values=values,
        heads=(values.shape[1],),
        moments=tuple(f"step {n}" for n in range(len(values))),
        lines=("",) * len(values),
        rows=("a", "b", "c"),
        columns=("a", "b", "c"),
        label="",
        caption="",
    )
    given = {"special": np.zeros(3, dtype=bool), "causal": False} | other
    return Kept(name, film, np.arange(len(values)), **given)


@pytest.mark.parametrize(("model", "name", "expected"), TEXT_AND_VIT)
def test_shipped_maps_become_films(model: str, name: str, expected: tuple[int, ...]):
    card = CARDS[model]
    course, units = training_history.course(card), words.units_of(training_history.sheet(card))
    found = maps.kept(card, name, course, units)
    assert found is not None
    assert found.film.heads == expected
    assert len(found.film.moments) == 8
    whole = found.film.values.sum(axis=-1)
    if found.is_attention:
        np.testing.assert_allclose(whole, 1, atol=5e-3)  # kept in 16 bits
        assert found.causal == (model == "gpt-mini" or name == "decoder")
    else:
        assert found.film.picture is not None
        assert (whole.sum(axis=-1) <= 1.005).all()  # the rest is on the class token itself
    assert maps.kept(card, name, course, units) is found  # made once for all readers


def test_maps_without_their_tokens_are_told():
    card = CARDS["bert-mini"]
    course = replace(training_history.course(card), texts={"tokens": ("one",)})
    heads_of_all = (8,) * 6
    training = training_history.moments(card, "attention")
    assert training is not None
    with pytest.raises(InputError, match="names 1 and 1 of them"):
        maps._made(card, "attention", heads_of_all, training, course, {})


def test_which_maps_a_model_kept():
    assert maps.names(CARDS["transformer-en-de"]) == ["encoder", "decoder", "cross"]
    assert maps.names(CARDS["swin-mini"]) == ["relative_position_bias"]
    assert maps.names(CARDS["mae-mini"]) == []


def test_the_clearest_head_of_every_pattern_at_the_end():
    values = np.stack([[EVEN, EVEN], [EVEN, BACK]])
    telling = {one.why: one for one in heads.find_telling(kept("attention", values))}
    assert telling["the token before"].head == (0, 1)
    assert telling["the token before"].score == pytest.approx(1.0)
    assert telling["the token after"].head == (0, 0)
    assert telling["changed most"].head == (0, 1)
    assert "special tokens" not in telling


def test_gpt_mini_learned_to_look_at_what_followed():
    card = CARDS["gpt-mini"]
    course, units = training_history.course(card), words.units_of(training_history.sheet(card))
    found = maps.kept(card, "attention", course, units)
    assert found is not None
    telling = {one.why: one for one in heads.find_telling(found)}
    assert "the token after" not in telling
    head = telling["what followed it before"].head
    curve = heads.measures(found, found.of_head(head))["what followed it before"]
    assert (
        curve[0] < 0.2 < 0.5 < curve[-1] == pytest.approx(telling["what followed it before"].score)
    )


def test_a_cross_attention_has_no_token_before():
    values = np.stack([[EVEN, EVEN], [EVEN, BACK]])
    assert [one.why for one in heads.find_telling(kept("cross", values))] == [
        "sharpest",
        "changed most",
    ]
    curves = heads.measures(kept("cross", values), values[:, 1])
    assert list(curves) == ["evenness"]
    np.testing.assert_allclose(curves["evenness"], [1, 0], atol=1e-6)


def test_biases_are_told_by_their_range():
    values = np.stack([[EVEN], [-EVEN]])
    values[1, 0, 0, 0] = 2
    curves = heads.measures(kept("relative_position_bias", values, special=None), values[:, 0])
    np.testing.assert_allclose(curves["largest"], [1 / 3, 2])
    np.testing.assert_allclose(curves["smallest"], [1 / 3, -1 / 3])


def test_words_of_a_moment():
    line = words.moment_line(("masked_top_1", "mean_giou"), np.array([0.233, 0.5]), words.UNITS)
    assert line.endswith(
        "masked words, first guess 23.3 % · mean generalised IoU of objects with their slots 0.500"
    )
    assert words.metric_name("new_one") == "new one"
