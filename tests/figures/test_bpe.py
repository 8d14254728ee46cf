"""Byte-pair encoding: a run to walk, guess and fork; two runs; one word's tree."""

import json

from playwright.sync_api import expect

from app.views.tokenization.steps import step_values
from core.tokenization import bpe
from tests.figures import bpe_samples
from tests.figures.bpe_samples import ENCODING, OTHER, TRAINING
from tests.figures.conftest import Mount


def test_a_run_shows_each_merge_with_its_count(mount: Mount):
    figure = mount("bpe_stepper", bpe_samples.stepper())
    step = TRAINING.steps[3]
    line = figure.root.locator(".next")
    expect(line).to_contain_text("Merge 4")
    expect(line.locator(".token")).to_have_text([*step.pair, step.token])
    expect(line.locator(".facts")).to_contain_text(f"counted {step.count}")
    expect(figure.root.locator("table.pairs tr.taken")).to_have_count(1)
    figure.press("ArrowRight")
    figure.chose(4)
    expect(figure.root).to_have_attribute("data-painted", f"step 4 of {len(TRAINING.steps)}")
    figure.press("Home")
    figure.chose(0)
    figure.root.get_by_label("Jump to merge").fill("7")
    figure.press("Enter")
    figure.chose(7)


def test_the_words_of_a_step_are_the_cores(mount: Mount):
    figure = mount("bpe_stepper", bpe_samples.stepper(5))
    state = TRAINING.state_at(5)
    rows = figure.root.locator("table.words tbody tr")
    for index, row in enumerate(rows.all()):
        tokens = state.word(index).tokens  # and, where this merge strikes, those after it
        assert row.locator(".token").all_text_contents()[: len(tokens)] == list(tokens)
    assert rows.count() == len(TRAINING.corpus.words)


def test_playing_reaches_the_end_and_stops(mount: Mount):
    figure = mount("bpe_stepper", bpe_samples.stepper(8))
    figure.root.get_by_label("Speed of playing").select_option("fast")
    figure.root.get_by_role("button", name="Play").click()
    figure.chose(len(TRAINING.steps))
    expect(figure.root.get_by_role("button", name="▶ Play")).to_be_visible()
    expect(figure.root.locator(".next")).to_contain_text("no further one")


def test_another_pair_is_asked_for(mount: Mount):
    figure = mount("bpe_stepper", bpe_samples.stepper(2))
    figure.root.locator("table.pairs tbody tr").nth(2).click()
    expect(figure.root.locator(".why")).to_contain_text("Why not")
    figure.root.get_by_role("button", name="Force this pair").click()
    figure.clicked([2, 2])


def test_a_guess_is_told_to_the_page(mount: Mount):
    figure = mount("bpe_stepper", bpe_samples.stepper(2, predict=True))
    taken = "".join(TRAINING.steps[2].pair)
    expect(figure.root.locator(".next .token")).to_have_text(["?", "?"])
    guesses = figure.root.locator("table.pairs button")
    names = guesses.all_text_contents()
    rows = ["".join(row[:2]) for row in step_values(TRAINING, 2)["rows"]]
    wrong = next(name for name in names if name != taken)
    guesses.nth(names.index(wrong)).click()
    figure.clicked({"guess": [2, rows.index(wrong)]})
    expect(figure.root.locator(".next")).to_contain_text("?")
    guesses.nth(names.index(taken)).click()
    expect(figure.root.locator(".next .token").last).to_have_text(taken)
    figure.clicked({"guess": [2, rows.index(taken)]})
    figure.root.get_by_role("button", name="Step ›").click()
    figure.root.locator(".next").get_by_role("button", name="Reveal").click()
    figure.clicked({"guess": [3, -1]})


def test_two_runs_part_where_they_part(mount: Mount):
    figure = mount("bpe_fork", bpe_samples.fork())
    rows = figure.root.locator("table").first.locator("tbody tr")
    expect(rows).to_have_count(max(len(TRAINING.steps), len(OTHER.steps)))
    expect(rows.first).to_have_class("differs first")
    for number, (one, other) in enumerate(zip(TRAINING.steps, OTHER.steps, strict=True)):
        expect(rows.nth(number).locator(".token")).to_have_text([*one.pair, *other.pair])
        expect(rows.nth(number)).to_contain_text(str(one.count))
    shared = {step.token for step in TRAINING.steps} & {step.token for step in OTHER.steps}
    expect(figure.root).to_contain_text(f"{len(shared)} of {len(TRAINING.steps)} merged tokens")


def test_two_runs_play_to_their_difference(mount: Mount):
    figure = mount("bpe_fork", bpe_samples.fork())
    play = figure.root.get_by_role("button", name="Play")
    play.click()
    expect(figure.root).to_have_attribute("data-painted", "fork 0 of 10 and 10, at 1")
    expect(play).to_have_text("▶ Play on")
    figure.root.get_by_role("button", name="Show all").click()
    expect(figure.root).to_have_attribute("data-painted", "fork 0 of 10 and 10, at 10")


def test_a_word_is_cut_as_the_core_cuts_it(mount: Mount):
    figure = mount("bpe_encoding", bpe_samples.encoding())
    assert json.loads(figure.root.get_attribute("data-tokens") or "") == list(ENCODING.tokens)
    states = figure.root.locator("tbody tr")
    expect(states).to_have_count(1 + len(ENCODING.steps))
    for row, step in enumerate(ENCODING.steps, start=1):
        shown = states.nth(row).locator("td").last.locator(".token")
        expect(shown).to_have_text(list(step.tokens))
        expect(states.nth(row).locator("td").first).to_have_text(str(step.rank + 1))


def test_a_merge_of_a_word_is_lit_under_the_pointer_and_by_tab(mount: Mount):
    figure = mount("bpe_encoding", bpe_samples.encoding())
    states = figure.root.locator("tbody tr")
    selected = figure.root.locator("tr[aria-selected=true]")
    states.nth(1).hover()
    expect(figure.root).to_have_attribute("data-selected", "0")
    expect(selected).to_have_attribute("data-step", "0")
    states.nth(1).focus()
    figure.press("Tab")
    expect(figure.root).to_have_attribute("data-selected", "1")
    expect(selected).to_have_count(1)
    expect(selected).to_have_attribute("data-step", "1")


def test_a_page_may_ask_for_another_step_of_a_run(mount: Mount):
    figure = mount("bpe_stepper", bpe_samples.stepper(2))
    figure.press("ArrowRight")
    figure.chose(3)
    figure.show(bpe_samples.stepper(6, serial=2))
    expect(figure.root).to_have_attribute("data-painted", "step 6 of 10")
    figure.press("ArrowLeft")
    figure.chose(5, serial=2)


def test_pairs_that_may_not_be_merged_are_told(mount: Mount):
    short = bpe.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 30, max_token_length=3)
    figure = mount("bpe_stepper", bpe_samples.stepper(10, training=short))
    said = "none is left to merge; 5 more make too long a token"
    expect(figure.root.get_by_text(said)).to_be_visible()
