"""A decoder's steps and a beam search: exact sums, walked and clicked."""

import math
import re

from playwright.sync_api import expect

from app.components.beam_tree import Place, beam_tree_frame
from app.components.decoder_steps import decoder_steps_frame
from app.components.selection import Seed
from app.style.number_format import three
from tests.figures.conftest import Mount
from tests.figures.samples import SAMPLES
from tests.figures.strange_texts import HOSTILE
from tests.figures.translation_samples import STEPS, TREE


def test_a_step_says_where_it_looks_and_what_comes(mount: Mount):
    figure = mount("decoder_steps", SAMPLES["decoder_steps"]())
    says = figure.root.locator(".says")
    expect(says).to_have_text(
        "Position 1 reads ␣Ich, looks most at ␣I (0.500; layer 0, head 1) and says ␣bin "
        "(P = 0.750, rank 1)."
    )
    assert figure.data("row") == STEPS.weights[1].tolist()
    figure.press("ArrowRight")
    figure.chose(2)
    expect(says).to_contain_text("looks most at </s> (1.00;")
    expect(figure.root).to_have_attribute("data-hidden", "0")
    figure.press("Home")
    expect(figure.root).to_have_attribute("data-hidden", "1")  # the mask hides “bin”


def test_candidates_of_a_step_can_be_said_instead(mount: Mount):
    figure = mount("decoder_steps", SAMPLES["decoder_steps"]())
    rows = figure.root.locator(".rows .row")
    expect(rows.locator(".value")).to_have_text([three(0.75), three(0.25)])
    expect(rows.nth(1)).to_have_attribute("data-token", HOSTILE)
    rows.nth(1).click()
    figure.clicked([1, 5])


def test_a_source_token_says_its_weight(mount: Mount):
    figure = mount("decoder_steps", decoder_steps_frame(STEPS, seed=Seed(0)))
    figure.hover(12, 24 + 14)
    expect(figure.tip).to_contain_text(f"weight {three(0.75)} · {three(0.75 * 3)} × uniform")


def test_the_page_may_seed_another_step(mount: Mount):
    figure = mount("decoder_steps", SAMPLES["decoder_steps"]())
    figure.show(decoder_steps_frame(STEPS, seed=Seed(0, 2)))
    expect(figure.root).to_have_attribute("data-painted", "step 0 of 2")


def test_a_hypothesis_shows_its_sum(mount: Mount):
    figure = mount("beam_tree", SAMPLES["beam_tree"]())
    centres = {node: (x, y) for node, x, y in figure.data()}
    figure.click(*centres[3])
    figure.chose([2, 3])
    sums = figure.root.locator(".sums")
    expect(sums).to_contain_text(f"Σ −log P = {three(0.1)} + {three(0.2)} = {three(0.3)} nats")
    expect(sums).to_contain_text(f"{three(0.3)} ÷ {three(2)} = {three(0.15)}. Finished")
    figure.hover(*centres[4])
    expect(figure.tip).to_contain_text(f"−log P(!) = {three(1)}, P = {three(math.exp(-1))}")
    figure.press("Escape")
    figure.chose([2, -1])


def test_a_tree_grows_with_its_steps(mount: Mount):
    figure = mount("beam_tree", SAMPLES["beam_tree"]())
    painted = re.compile("^step 2 of 2: 2 live, 1 finished, 0 limit, 1 outside")
    expect(figure.root).to_have_attribute("data-painted", painted)
    assert len(figure.data()) == 5  # the start and four hypotheses
    figure.press("ArrowLeft")
    figure.chose([1, -1])
    assert len(figure.data()) == 3
    expect(figure.root.locator(".beams")).to_contain_text("The beam after 1 token 1 live")


def test_without_the_pruned_the_tree_has_those_that_lived(mount: Mount):
    figure = mount("beam_tree", beam_tree_frame(TREE, seed=Seed(Place(2, -1)), pruned=False))
    assert [node for node, _, _ in figure.data()] == [0, 1, 3, 4]


def test_rows_of_the_beam_select_too(mount: Mount):
    figure = mount("beam_tree", SAMPLES["beam_tree"]())
    figure.root.locator("tr[data-node='4']").click()
    figure.chose([2, 4])
    expect(figure.root.locator("tr[data-node='4']")).to_have_attribute("aria-selected", "true")
    best = figure.root.locator("tr.best td")
    expect(best).to_have_text(["Ja</s>", three(0.2), three(0.3), three(0.15)])


def test_the_page_may_ask_for_another_hypothesis(mount: Mount):
    figure = mount("beam_tree", SAMPLES["beam_tree"]())
    figure.show(beam_tree_frame(TREE, seed=Seed(Place(1, 2), 2)))
    expect(figure.root).to_have_attribute("data-painted", re.compile("^step 1 of 2: "))
    expect(figure.root.locator(".sums")).to_contain_text(HOSTILE)
    figure.press("ArrowRight")
    figure.chose([2, 2], serial=2)
