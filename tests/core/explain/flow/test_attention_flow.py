"""Attention flow against networkx' maximum flow and hand-worked networks; pooling of patches."""

import networkx as nx
import numpy as np
import pytest

from core.errors import InputError
from core.explain.flow.attention_flow import (
    attention_flow,
    flow_of_maps,
    flow_row,
)
from core.explain.flow.rollout import fused_maps, one_hot
from tests.core.explain.flow.test_rollout import random_maps, trace_of


def test_a_narrow_edge_limits_a_path():
    first = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
    second = np.array([[0.9, 0.1], [0.5, 0.5]], np.float32)
    flow = flow_of_maps([first, second], residual=0)
    assert np.allclose(flow, [[0.9, 0.1], [0.5, 0.5]], atol=1e-5)
    # output 0 → input 1 may go through either middle node: min(.5, .2) + min(.5, .6) = .7
    first = np.array([[0.8, 0.2], [0.4, 0.6]], np.float32)
    second = np.array([[0.5, 0.5], [1.0, 0.0]], np.float32)
    flow = flow_of_maps([first, second], residual=0, queries=[0])
    to_0, to_1 = 0.5 + 0.4, 0.2 + 0.5
    assert np.allclose(flow, [[to_0 / (to_0 + to_1), to_1 / (to_0 + to_1)]], atol=1e-5)


def test_it_equals_networkx_on_random_maps():
    trace = trace_of(random_maps(11, layers=3, heads=2, size=4))
    graph = nx.DiGraph()
    for layer in range(3):
        mixed = 0.5 * trace.attention(layer).weights.mean(axis=0) + 0.5 * np.eye(4)
        for query in range(4):
            for key in range(4):
                graph.add_edge((layer + 1, query), (layer, key), capacity=float(mixed[query, key]))
    expected = np.array(
        [[nx.maximum_flow_value(graph, (3, q), (0, k)) for k in range(4)] for q in range(4)]
    )
    expected /= expected.sum(axis=1, keepdims=True)
    assert np.allclose(attention_flow(trace), expected, atol=1e-4)


def test_residual_one_is_the_identity_and_rows_sum_to_one():
    trace = trace_of(random_maps(12))
    assert np.array_equal(attention_flow(trace, residual=1), np.eye(5))
    assert np.allclose(attention_flow(trace).sum(axis=1), 1, atol=1e-5)


def test_too_many_positions_are_refused_with_the_way_out():
    with pytest.raises(InputError, match="Pool"):
        flow_of_maps([np.eye(65, dtype=np.float32)])


def test_a_row_from_one_output_is_its_row_of_the_whole():
    trace = trace_of(random_maps(14, layers=3, heads=1, size=5))
    maps = fused_maps(trace)
    whole = attention_flow(trace)
    for query in range(5):
        assert np.allclose(flow_row(maps, one_hot(5, query)), whole[query], atol=1e-4)


def test_a_source_that_feeds_both_outputs_by_hand():
    one = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
    two = np.array([[0.6, 0.4], [0.2, 0.8]], np.float32)
    flow = flow_row([one, two], np.array([0.5, 0.5], np.float32), residual=0)
    # to input 0: min(.5, .6) + min(.5, .2) = .7; to input 1: min(.5, .4) + min(.5, .8) = .9
    assert np.allclose(flow, [0.7 / 1.6, 0.9 / 1.6], atol=1e-5)
