"""Codes, strongest pairs and pooling, worked by hand."""

import importlib

import numpy as np
import pytest

from core.explain.attention.head_overview import StrongestPair, head_overview

TOKENS = ("[CLS]", "the", "animal", "it")
SPECIAL = np.array([True, False, False, False])


def maps(*heads):
    return np.array(heads, dtype=np.float32)


HEAD = [[1, 0, 0, 0], [0.75, 0.25, 0, 0], [0.5, 0, 0.5, 0], [0.64, 0, 0.36, 0]]


def test_code_is_the_square_root_of_the_share_of_the_head_s_maximum():
    overview = head_overview([maps(HEAD)], query_tokens=TOKENS, key_tokens=TOKENS)
    assert overview.maxima[0].tolist() == [1.0]
    # √0.36 = 0.6, and 0.6 · 63 = 37.8; √0.64 · 63 = 50.4; √0.25 · 63 = 31.5, to even: 32
    assert overview.codes[0][0, 3].tolist() == [50, 0, 38, 0]
    assert overview.codes[0][0, 1].tolist() == [55, 32, 0, 0]  # √0.75 · 63 = 54.6


def test_every_head_has_its_own_scale():
    faint = np.full((4, 4), 0.25, np.float32)
    overview = head_overview([maps(HEAD, faint)], query_tokens=TOKENS, key_tokens=TOKENS)
    assert overview.maxima[0].tolist() == [1.0, 0.25]
    assert (overview.codes[0][1] == 63).all()


def test_strongest_pair_leaves_out_special_tokens_and_the_diagonal():
    overview = head_overview(
        [maps(HEAD)],
        query_tokens=TOKENS,
        key_tokens=TOKENS,
        special_queries=SPECIAL,
        special_keys=SPECIAL,
    )
    (pair,) = overview.strongest[0]
    assert pair == StrongestPair(3, 2, float(np.float32(0.36)))


def test_strongest_pair_without_special_tokens_is_the_plain_off_diagonal_one():
    overview = head_overview([maps(HEAD)], query_tokens=TOKENS, key_tokens=TOKENS)
    assert overview.strongest[0][0] == StrongestPair(1, 0, 0.75)


def test_mass_on_special_keys_is_the_mean_over_queries():
    overview = head_overview(
        [maps(HEAD)], query_tokens=TOKENS, key_tokens=TOKENS, special_keys=SPECIAL
    )
    assert overview.special_mass is not None
    np.testing.assert_allclose(overview.special_mass[0], [(1 + 0.75 + 0.5 + 0.64) / 4], rtol=1e-6)


def test_nothing_but_special_tokens_has_no_strongest_pair():
    overview = head_overview(
        [maps([[1, 0], [1, 0]])],
        query_tokens=("[CLS]", "[SEP]"),
        key_tokens=("[CLS]", "[SEP]"),
        special_queries=np.array([True, True]),
        special_keys=np.array([True, True]),
    )
    assert overview.strongest == ((None,),)


def test_layers_may_differ_in_heads_and_maps_need_not_be_square():
    first, second = np.full((2, 1, 3), 1 / 3, np.float32), np.full((5, 1, 3), 1 / 3, np.float32)
    overview = head_overview([first, second], query_tokens=["Ich"], key_tokens=["I", "am", "here"])
    assert [codes.shape for codes in overview.codes] == [(2, 1, 3), (5, 1, 3)]


def test_too_many_codes_are_pooled_by_their_maximum(monkeypatch):
    module = importlib.import_module("core.explain.attention.head_overview")
    monkeypatch.setattr(module, "MAX_CODES", 4)  # one head of 3 × 3 needs pool 2: 2 × 2 codes
    weights = maps([[0.04, 0, 0], [0, 1, 0], [0.25, 0, 0.36]])
    overview = head_overview([weights], query_tokens="abc", key_tokens="abc")
    assert overview.pool == 2
    assert overview.codes[0][0].tolist() == [[63, 0], [32, 38]]
    assert overview.strongest[0][0] == StrongestPair(2, 0, 0.25)  # exact, from the full map


def test_values_cannot_be_written():
    overview = head_overview([maps(HEAD)], query_tokens=TOKENS, key_tokens=TOKENS)
    with pytest.raises(ValueError, match="read-only"):
        overview.codes[0][0, 0, 0] = 1


def test_maps_and_tokens_must_agree():
    message = (
        r"layer 1 has maps of \(4, 4\) \(query, key\) but the token lists have lengths \(4, 3\)"
    )
    with pytest.raises(ValueError, match=message):
        head_overview(
            [np.zeros((1, 4, 3), np.float32), maps(HEAD)],
            query_tokens=TOKENS,
            key_tokens=TOKENS[:3],
        )
