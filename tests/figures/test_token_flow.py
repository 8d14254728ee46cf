"""A flow between tokens: what is drawn is core's, a path says its worth, a node is followed."""

import numpy as np
import pytest
from playwright.sync_api import expect

from app.components.token_flow import Shown
from app.style.number_format import three
from core.explain.flow.token_flow import edges_kept, flow_into, flow_out, strongest_path
from tests.figures.conftest import Mount
from tests.figures.harness import Figure
from tests.figures.samples import flow, shares

MIXED = shares().mixed


def place(figure: Figure, level: int, position: int) -> tuple[float, float]:
    left, top, step, row = figure.data()
    return left + level * step, top + (position + 0.5) * row


@pytest.mark.parametrize("shown", ["into", "out", "all"])
def test_the_edges_that_are_drawn_are_cores(mount: Mount, shown: Shown):
    node = (2, 1)
    figure = mount("token_flow", flow(shown, node=node))
    into, out_of = (node if shown == one else None for one in ("into", "out"))
    kept = edges_kept(MIXED, 0.1, into=into, out_of=out_of)
    total = float(MIXED[kept].sum(dtype=np.float64))
    expect(figure.root).to_have_attribute(
        "data-painted", f"3 layers of 5 tokens, {kept.sum()} edges, sum {total:.3f}"
    )


def test_a_node_says_what_comes_from_it_and_its_strongest_path(mount: Mount):
    figure = mount("token_flow", flow())
    figure.hover(*place(figure, 0, 4))
    path = strongest_path(MIXED, (0, 4), (3, 1))
    share = flow_into(MIXED, (3, 1))[0, 4]
    expect(figure.tip).to_contain_text("token id 104")
    expect(figure.tip).to_contain_text(f"{three(float(share))} of the (layer 2) comes from it")
    expect(figure.tip).to_contain_text(f"strongest path {three(path.worth)}")


def test_what_flows_out_of_a_node(mount: Mount):
    figure = mount("token_flow", flow("out", node=(0, 2)))
    figure.hover(*place(figure, 3, 4))
    path = strongest_path(MIXED, (0, 2), (3, 4))
    share = flow_out(MIXED, (0, 2))[-1, 4]
    expect(figure.tip).to_contain_text(f"{three(float(share))} of it comes from animal (input)")
    expect(figure.tip).to_contain_text(f"strongest path {three(path.worth)}")


def test_an_edge_says_its_share_and_the_best_path_along_it(mount: Mount):
    figure = mount("token_flow", flow("all", threshold=0.0))
    left, top, step, row = figure.data()
    figure.hover(left + 0.3 * step, top + 2.5 * row)  # from token 2 to itself, in layer 0
    own = MIXED[0, 2, 2]
    kept = shares().kept[0, 2]
    expect(figure.tip).to_contain_text(
        f"share {three(float(own))}, {three(float(kept))} of it kept"
    )
    after = max(strongest_path(MIXED, (1, 2), (3, end)).worth for end in range(5))
    expect(figure.tip).to_contain_text(f"strongest path {three(float(own) * after)}")


def test_clicks_and_keys_follow_a_node(mount: Mount):
    figure = mount("token_flow", flow())
    figure.click(*place(figure, 2, 3))
    figure.chose([2, 3])
    figure.press("ArrowLeft", "ArrowUp", "Enter")
    figure.chose([1, 2])
    expect(figure.root).to_have_attribute("data-node", "[1,2]")
    figure.press("Escape")
    figure.chose([-1, -1])


def test_the_table_and_the_file_hold_what_is_drawn(mount: Mount):
    figure = mount("token_flow", flow())
    kept = edges_kept(MIXED, 0.1, into=(3, 1))
    rows = figure.table()
    assert len(rows) == kept.sum()
    assert rows[0][1] == three(float(MIXED[kept].max()))
    lines = figure.download("CSV").read_text("utf-8").splitlines()
    assert lines[1] == "layer,query,query_token,key,key_token,share,kept"
    assert len(lines) == kept.sum() + 2
