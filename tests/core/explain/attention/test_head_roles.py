"""Roles on constructed attention with known answers, and on a model built to do induction."""

import numpy as np
import pytest
import torch
from transformers import GPT2Config, GPT2Model

from core.errors import InputError
from core.explain.attention.attention_distance import entropy_bits
from core.explain.attention.head_roles import (
    ENOUGH,
    NO_ROLE,
    RoleMasses,
    head_roles,
    role_masses,
)
from core.explain.attention.role_patterns import BROAD, INDUCTION, ROLES, role_patterns
from core.trace import AttentionKind, AttentionLayer, Encoding, PatchGrid, Trace

TEXT = ("[CLS]", "the", "cat", ",", "and", "the", "dog", "a", "cow", ".", "[SEP]")
N = len(TEXT)
NOTHING = 1e-12  # a weight of exactly zero would be a mask's


def encoding(tokens: tuple[str, ...]) -> Encoding:
    numbers = np.arange(len(tokens), dtype=np.int64)
    ids = np.array([sorted(set(tokens)).index(token) for token in tokens], dtype=np.int64)
    special = np.array([token.startswith("[") for token in tokens])
    return Encoding(
        tokens, ids, np.stack([numbers, numbers + 1], 1), numbers, special, np.zeros_like(numbers)
    )


def trace(*maps: np.ndarray, tokens: tuple[str, ...] = TEXT, causal: bool = False) -> Trace:
    n = len(tokens)
    seen = np.tril(np.ones((n, n), bool)) if causal else np.ones((n, n), bool)
    weights = np.where(seen, np.maximum(np.stack(maps), NOTHING), 0).astype(np.float32)
    kind = AttentionKind.DECODER if causal else AttentionKind.ENCODER
    layer = AttentionLayer(0, kind, 1.0, recorded_weights=weights)
    return Trace("made up", layers={kind: (layer,)}, states={}, encoding=encoding(tokens))


def rows_to(keys: dict[int, int], rest: int = -1) -> np.ndarray:
    """One-hot rows; a query that isn't named looks at `rest`, -1 for itself."""
    weights = np.zeros((N, N))
    for query in range(N):
        key = keys.get(query, query if rest < 0 else rest)
        weights[query, key] = 1
    return weights


STEP = {
    name: np.eye(N)[np.clip(np.arange(N) + step, 0, N - 1)]
    for name, step in (("two back", -2), ("previous", -1), ("itself", 0), ("next", 1))
}
DUPLICATE = rows_to({1: 5, 5: 1})
EVEN = np.full((N, N), 1 / N)


def test_heads_that_do_one_thing_get_its_name():
    maps = {
        **STEP,
        "first": rows_to({}, rest=0),
        "separator": rows_to({}, rest=N - 1),
        "punctuation": (rows_to({}, rest=3) + rows_to({}, rest=9)) / 2,
        "duplicate": DUPLICATE,
        "nearby": (STEP["previous"] + STEP["next"] + STEP["itself"] + STEP["two back"]) / 4,
        BROAD: EVEN,
    }
    noise = np.random.default_rng(0)
    inputs = [
        role_masses(
            trace(*(0.9 * one + 0.1 * noise.dirichlet(np.ones(N), N) for one in maps.values()))
        )
        for _ in range(ENOUGH)
    ]
    ((*roles,),) = head_roles(inputs)
    labels = [role.label for role in roles]
    expected = list(maps)
    expected[expected.index("nearby")] = "nearby"
    assert labels == expected
    assert set(labels) <= ROLES.keys()


def test_a_head_that_jumps_about_has_no_clear_role():
    noise = np.random.default_rng(0)
    inputs = [role_masses(trace(np.eye(N)[noise.integers(N, size=N)])) for _ in range(ENOUGH)]
    ((role,),) = head_roles(inputs)
    assert role.label == NO_ROLE
    assert role.scores["previous"].above.low < 0.2


def test_fewer_inputs_than_enough_name_nothing():
    one = role_masses(trace(STEP["previous"]))
    ((few,),) = head_roles([one] * (ENOUGH - 1))
    assert few.label == NO_ROLE
    assert few.strongest == "previous"
    ((enough,),) = head_roles([one] * ENOUGH)
    assert enough.label == "previous"


def test_the_baseline_is_even_attention_and_a_role_has_to_beat_it():
    """Of three keys two are separators: two thirds there say nothing."""
    even = trace(np.full((3, 3), 1 / 3), tokens=("a", "[SEP]", "[SEP]"))
    found = role_masses(even, only=["separator"])
    assert found.masses[0][0] == pytest.approx([2 / 3])
    assert found.even[0] == pytest.approx([2 / 3])
    ((role,),) = head_roles([found] * ENOUGH)
    assert role.label == NO_ROLE
    assert role.scores["separator"].above.mean == pytest.approx(0)


def test_a_head_that_does_it_on_every_other_text_is_told_with_its_interval():
    does, doesnt = trace(STEP["previous"]), trace(rows_to({}, rest=0))
    inputs = [role_masses(one) for one in (does, doesnt) * (ENOUGH // 2)]
    ((role,),) = head_roles(inputs)
    score = role.scores["previous"]
    assert score.mass == pytest.approx(0.5)
    assert score.above.mean == pytest.approx(0.5 - 1 / N)
    assert 0.2 < score.above.low < score.above.mean < score.above.high


def test_masses_by_hand_under_a_causal_mask():
    """Tokens a b a: what an even row gives counts only the keys that may be seen."""
    weights = np.array([[1, 0, 0], [0.75, 0.25, 0], [0.25, 0.5, 0.25]])
    found = role_masses(trace(weights, tokens=("a", "b", "a"), causal=True))
    by_role = {role: found.masses[0][at, 0] for at, role in enumerate(found.roles)}
    even = dict(zip(found.roles, found.even[0], strict=True))
    assert by_role["previous"] == pytest.approx((0.75 + 0.5) / 2)
    assert even["previous"] == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert by_role[INDUCTION] == pytest.approx(0.5)  # after the first a came b
    assert even[INDUCTION] == pytest.approx(1 / 3)
    assert by_role["duplicate"] == pytest.approx(0.25)
    assert np.isnan(by_role["next"])
    assert np.isnan(even["next"])
    last = entropy_bits(weights[None].astype(np.float32))[0]
    assert by_role[BROAD] == pytest.approx((last[1] / 1 + last[2] / np.log2(3)) / 2)


def test_special_queries_do_not_count():
    back = STEP["previous"].copy()
    back[0] = back[N - 1] = 1 / N
    found = role_masses(trace(back))
    assert found.masses[0][found.roles.index("previous")] == pytest.approx([1.0])


def test_inputs_that_cannot_tell_of_a_role_are_left_out_of_it():
    without = trace(np.eye(3), tokens=("a", "b", "c"))
    repeated = trace(np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0.0]]), tokens=("a", "b", "a"))
    ((role,),) = head_roles([role_masses(without), role_masses(repeated)])
    assert role.scores[INDUCTION].n_inputs == 1
    assert role.scores["previous"].n_inputs == 2


def test_cross_attention_has_its_own_roles():
    target, source = encoding(("x", "b", "y")), encoding(("a", "b", "c", "d", "[SEP]"))
    patterns = role_patterns(target, source)
    assert "previous" not in patterns
    np.testing.assert_array_equal(patterns["same place"], np.eye(5, dtype=bool)[[0, 2, 4]])
    assert patterns["separator"][:, 4].all()


def test_patches_have_rows_and_columns():
    grid = PatchGrid(2, 3, prefix_tokens=1)
    weights = np.zeros((7, 7))
    weights[0, 0] = 1
    for patch in range(6):
        weights[1 + patch, 1 + 3 * (patch // 3) : 4 + 3 * (patch // 3)] = 1 / 3
    weights = np.maximum(weights, NOTHING)
    layer = AttentionLayer(
        0,
        AttentionKind.ENCODER,
        1.0,
        recorded_weights=weights[None].astype(np.float32),
        query_grid=grid,
        key_grid=grid,
    )
    picture = Trace("made up", layers={layer.kind: (layer,)}, states={}, patches=grid)
    found = role_masses(picture)
    masses = dict(zip(found.roles, found.masses[0][:, 0], strict=True))
    assert masses["row"] == pytest.approx(1)
    assert masses["column"] == pytest.approx(1 / 3)
    assert masses["sink"] == pytest.approx(0)


def test_a_trace_without_tokens_is_refused():
    layer = AttentionLayer(
        0, AttentionKind.ENCODER, 1.0, recorded_weights=np.eye(2, dtype=np.float32)[None]
    )
    bare = Trace("made up", layers={layer.kind: (layer,)}, states={})
    with pytest.raises(InputError, match="no tokens or patches"):
        role_masses(bare)


def test_no_inputs_are_a_mistake():
    with pytest.raises(ValueError, match="without an input"):
        head_roles([])


VOCABULARY, POSITIONS = 12, 24
TOKEN, PLACE, BEFORE = 0, VOCABULARY, VOCABULARY + POSITIONS  # where each one-hot begins
WIDTH = 2 * VOCABULARY + POSITIONS
SHARP = 400.0  # of the scores: LayerNorm makes one-hots of a few


def built_to_do_induction() -> GPT2Model:
    """Layer 0 writes the token before into each place, layer 1 looks where that is this token."""
    config = GPT2Config(
        vocab_size=VOCABULARY, n_positions=POSITIONS, n_embd=WIDTH, n_layer=2, n_head=1
    )
    model = GPT2Model(config).eval()
    model.set_attn_implementation("eager")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.fill_(1.0 if "ln" in name and name.endswith("weight") else 0.0)
        token, place, before = (
            torch.eye(WIDTH)[start : start + size]
            for start, size in ((TOKEN, VOCABULARY), (PLACE, POSITIONS), (BEFORE, VOCABULARY))
        )
        model.wte.weight.copy_(token)
        model.wpe.weight.copy_(place)
        first, second = (block.attn for block in model.h)
        back = torch.diag(torch.ones(POSITIONS - 1), -1)  # row i is the place before i
        query, key, value = (slice(part * WIDTH, (part + 1) * WIDTH) for part in range(3))
        first.c_attn.weight[:, query] = SHARP * place.T @ back @ place
        first.c_attn.weight[:, key] = place.T @ place
        first.c_attn.weight[:, value] = token.T @ token
        first.c_proj.weight.copy_(token.T @ before)
        second.c_attn.weight[:, query] = SHARP * token.T @ token
        second.c_attn.weight[:, key] = before.T @ token
    return model


def test_the_head_that_was_built_to_do_induction_is_found():
    model = built_to_do_induction()
    random = np.random.default_rng(0)
    inputs: list[RoleMasses] = []
    for _ in range(ENOUGH):
        half = random.permutation(VOCABULARY)
        ids = np.concatenate([half, half])
        with torch.inference_mode():
            maps = model(torch.tensor(ids)[None], output_attentions=True).attentions
        kind = AttentionKind.DECODER
        seen = np.tril(np.ones((len(ids), len(ids)), bool))
        layers = tuple(
            AttentionLayer(
                at,
                kind,
                1.0,
                recorded_weights=np.where(seen, np.maximum(one[0].numpy(), NOTHING), 0).astype(
                    "f4"
                ),
            )
            for at, one in enumerate(maps)
        )
        told = encoding(tuple("abcdefghijkl"[token] for token in ids))
        inputs.append(role_masses(Trace("built", {kind: layers}, {}, encoding=told)))
    (first,), (second,) = head_roles(inputs)
    assert (first.label, second.label) == ("previous", INDUCTION)
    assert second.scores[INDUCTION].mass > 0.9


def test_a_head_that_rests_where_there_is_nothing_to_write_does_something_else():
    """0.9 on the first token, whose value is written with a norm of 0.01, the rest before."""
    resting = 0.9 * rows_to({}, rest=0) + 0.1 * STEP["previous"]
    norms = np.ones((1, N), np.float32)
    norms[0, 0] = 0.01
    one = trace(resting)
    ((by_weight,),) = head_roles([role_masses(one)] * ENOUGH)
    ((by_norm,),) = head_roles([role_masses(one, norms=[norms])] * ENOUGH)
    assert (by_weight.label, by_norm.label) == ("first", "previous")
    shares = resting * norms
    shares /= shares.sum(axis=1, keepdims=True)
    words = ~encoding(TEXT).special
    expected = [shares[query, query - 1] for query in range(2, N) if words[query]]
    assert by_norm.scores["previous"].mass == pytest.approx(np.mean(expected), rel=1e-5)
