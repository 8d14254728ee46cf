"""The GPT page, every view, against the tiny models' own numbers."""

import csv
import io
import json
import re
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import core
from app.style.number_format import three
from core.explain.attention.induction_heads import induction_scores, repeated_sequence
from core.explain.predictions.logit_lens import read_layers
from core.explain.predictions.sampling import Sampling, distribution, draw
from core.explain.predictions.surprisal import surprise

TEXT = "the cat sat on a street because it"


@pytest.fixture(scope="module")
def model(own_checkpoints):
    return core.load(own_checkpoints["gpt2"])


@pytest.fixture
def opened(app, own_checkpoints):
    """Open the page on a tiny model."""

    def go(family: str = "gpt2", **params: str) -> Page:
        return app.open("gpt", model=str(own_checkpoints[family]), **{"text": TEXT} | params)

    return go


def rows(page: Page, label: str) -> Locator:
    return page.get_by_role("group", name=label).first.locator("[data-probability]")


def probabilities(found: Locator) -> list[float]:
    expect(found.first).to_be_visible()
    return [float(p) for p in found.evaluate_all("nodes => nodes.map(n => n.dataset.probability)")]


def tokens(page: Page, label: str) -> list[str]:
    words = page.get_by_role("group", name=label).locator(".word")
    expect(words.first).to_be_visible()
    return words.all_inner_texts()


def download(page: Page, name: str) -> bytes:
    expect(page.get_by_role("button", name="Session file", exact=True)).to_be_visible()
    with page.expect_download() as waiting:
        buttons = page.get_by_test_id("stDownloadButton")  # charts have a CSV of their own
        buttons.get_by_role("button", name=name, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


class TestNextWord:
    def test_the_bars_are_the_models_logits_through_the_sliders(self, opened, model):
        page = opened(temperature="0.5", top_k="8", top_p="0.9", seed="3")
        cut = distribution(model.next_step(TEXT).logits, Sampling(0.5, 8, 0.9))
        shown = rows(page, "Next tokens")
        expect(shown).to_have_count(12)
        np.testing.assert_allclose(probabilities(shown), cut.final[cut.order[:12]], atol=1e-6)
        drawn = draw(cut, seed=3, step=0)
        expect(page.get_by_text(f"Seed 3 draws {drawn.number:.4f}")).to_be_visible()
        expect(
            page.get_by_text(f"Kept: {cut.n_kept} of {len(cut.logits)} tokens with a mass of")
        ).to_be_visible()

    def test_a_slider_acts_on_the_same_logits_and_enters_the_link(self, app, opened, model):
        page = opened()
        slider = page.get_by_role("slider", name="Temperature T")
        slider.focus()
        for _ in range(10):
            slider.press("ArrowLeft")
        app.settled()
        cut = distribution(model.next_step(TEXT).logits, Sampling(0.5))
        first = rows(page, "Next tokens").first
        expect(first).to_have_attribute(
            "data-probability", re.compile(re.escape(f"{cut.final.max():.6f}"[:6]))
        )
        expect(page).to_have_url(re.compile("temperature=0.5"))

    @pytest.mark.parametrize(
        ("params", "said"),
        [
            ({"temperature": "0"}, "temperature 0"),
            ({"top_p": "0"}, "top-p 0"),
            ({"top_k": "1"}, "top-k 1"),
        ],
    )
    def test_greedy_is_said(self, opened, params: dict, said: str):
        page = opened(**params)
        expect(page.get_by_text(f"{said} leaves only the most probable token")).to_be_visible()
        found = probabilities(rows(page, "Next tokens"))
        assert found[0] == 1
        assert sum(found) == 1

    def test_csv_holds_every_step_of_the_arithmetic(self, opened):
        page = opened("llama", temperature="2")
        table = list(csv.DictReader(io.StringIO(download(page, "CSV").decode().split("\n", 1)[1])))
        assert len(table) == 52
        assert sum(float(row["final"]) for row in table) == pytest.approx(1)
        assert float(table[0]["logit"]) == max(float(row["logit"]) for row in table)

    def test_a_click_on_a_candidate_begins_a_text(self, app, opened, model):
        page = opened()
        cut = distribution(model.next_step(TEXT).logits, Sampling())
        rows(page, "Next tokens").nth(2).click()
        app.settled()
        expect(page.get_by_text("Where", exact=False).first).to_be_visible()
        expect(page.get_by_role("group", name="Prompt and continuation")).to_be_visible()
        assert tokens(page, "Prompt and continuation")[-1] == model.vocabulary()[cut.order[2]]


class TestGenerate:
    def test_writing_is_models_generate_with_the_same_seed(self, app, opened, model):
        page = opened(view="generate", temperature="0.8", top_k="20", seed="5")
        page.get_by_role("button", name="Write 20").click()
        app.settled()
        made = model.generate(TEXT, max_new_tokens=20, temperature=0.8, top_k=20, seed=5)
        expect(
            page.get_by_role("group", name="Prompt and continuation").locator(".word")
        ).to_have_count(8 + len(made.steps))
        assert tokens(page, "Prompt and continuation")[8:] == [step.token for step in made.steps]

    def test_undo_fork_and_return(self, app, opened, model):
        page = opened(view="generate", temperature="0", tree="")
        for _ in range(3):
            page.get_by_role("button", name="Next token").click()
            app.settled()
        greedy = [step.id for step in model.generate(TEXT, max_new_tokens=3, temperature=0).steps]
        page.get_by_role("button", name=re.compile("^Back Shortcut")).click()
        app.settled()
        assert len(tokens(page, "Prompt and continuation")) == 8 + 3, "what was undone stays ahead"
        cut = distribution(
            model.next_step(TEXT, continuation=tuple(greedy[:2])).logits, Sampling(0)
        )
        rows(page, "Next tokens; a click chooses one").nth(4).click()
        app.settled()
        other = int(cut.order[4])
        assert tokens(page, "Prompt and continuation")[-1] == model.vocabulary()[other]
        expect(page.get_by_text("forks after 2")).to_be_visible()
        assert f"{'.'.join(map(str, greedy))}~0/2.{other}@1.3" in unquote(page.url)
        page.goto(page.url)
        app.settled()
        expect(page.get_by_text("forks after 2")).to_be_visible()
        page.locator(".st-key-gpt-path-0").get_by_role("button").first.click()
        app.settled()
        assert tokens(page, "Prompt and continuation")[8:] == [
            model.vocabulary()[token] for token in greedy
        ]

    def test_a_key_writes_and_each_step_shows_where_it_looked(self, app, opened, model):
        page = opened(view="generate", temperature="0")
        page.get_by_text("Which word comes next?").click()
        page.keyboard.press("n")
        app.settled()
        chosen = model.generate(TEXT, max_new_tokens=1, temperature=0).steps[0].id
        step = model.next_step(TEXT, continuation=(chosen,))
        heat = page.locator('[data-painted^="3 x 9"]')
        expect(heat).to_have_count(1)
        assert "sum 3.000" in (heat.get_attribute("data-painted") or "")
        heads = page.locator('[data-painted^="4 x 9"]')
        expect(heads).to_have_attribute("data-painted", re.compile("sum 4.000"))
        assert step.attention.shape == (3, 4, 9)


def test_surprise_of_a_text_and_what_was_expected(app, opened, model):
    text = "the dog ran because it was too tired ."
    page = opened(view="surprise", text=text)
    trace = model.trace(text)
    found = surprise(trace.logits, trace.encoding, text)
    for value in (found.perplexity, found.bits_per_byte, found.total / found.n_counted):
        expect(page.get_by_test_id("stMetricValue").get_by_text(three(value))).to_be_visible()
    notes = page.get_by_role("group", name="The text's tokens").locator(".note").all_inner_texts()
    assert notes == ["–", *(f"{bits:.1f}" for bits in found.bits[1:])]
    page.get_by_role("group", name="The text's tokens").get_by_role("button").nth(5).click()
    app.settled()
    expect(page).to_have_url(re.compile("token=5"))
    lit = page.get_by_role("group", name="What was expected", exact=True).locator(".lit")
    expect(lit).to_have_attribute(
        "data-probability", re.compile(re.escape(str(2 ** -found.bits[5])[:6]))
    )
    expect(page.get_by_text(f"Rank {found.ranks[5]} of 52")).to_be_visible()


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_the_lens_reads_every_layer(app, opened, own_checkpoints, family):
    page = opened(family, view="layers", word="dog")
    model = core.load(own_checkpoints[family])
    vocabulary = model.vocabulary()
    read = model.layer_logits(TEXT)
    following = np.array([*read.encoding.ids[1:], vocabulary.index("dog")])
    layers = read_layers(read.logits, following)
    table = page.locator('[data-painted="4 x 8 tokens"]')
    expect(table).to_have_count(1)
    cells = table.locator("td").all_inner_texts()
    expected = [vocabulary[index] for layer in (3, 2, 1, 0) for index in layers.first[layer]]
    assert cells == expected
    table.locator("td").nth(2).click()
    app.settled()
    expect(page).to_have_url(re.compile("token=2"))
    expect(page.get_by_text("The rank of on after sat")).to_be_visible()
    rank = int(layers.rank[3, 2])
    expect(table.locator(".readout")).to_have_text(re.compile(f"on is rank {rank} of 52"))


def test_induction_scores_are_the_models(app, opened, model):
    page = opened(view="induction", length="12", copies="3", seed="4", silenced="2")
    inventory = model.inventory()
    ids = (3, *repeated_sequence(inventory.plain, length=12, copies=3, seed=4))
    trace = model.trace_ids(ids)
    scores = induction_scores([trace.attention(i).weights for i in range(3)], length=12, start=1)
    heat = page.locator('[data-painted^="3 x 4"]')
    expect(heat).to_have_attribute("data-painted", re.compile(f"sum {scores.sum():.3f}"))
    best = np.unravel_index(scores.argmax(), scores.shape)
    expect(page.get_by_text(f"Strongest: layer {best[0]} · head {best[1]}")).to_be_visible()
    expect(page.get_by_text("With 2 silenced: later copies")).to_be_visible()
    expect(page.locator('[data-painted^="37 x 37"]')).to_have_count(1)
    page.get_by_role("radio", name="previous token").click()
    app.settled()
    expect(page).to_have_url(re.compile("score=previous"))


def test_few_shots_plot_the_answers_probability(opened, model):
    page = opened(
        view="shots",
        examples="cat -> dog\nsat -> ran",
        query="the",
        answer="animal",
        format="colon",
    )
    zero = model.score_continuation("the:", " animal").probability
    two = model.score_continuation("cat: dog\nsat: ran\nthe:", " animal").probability
    expect(
        page.get_by_text(f"From {three(zero)} without an example to {three(two)} with 2")
    ).to_be_visible()
    table = list(csv.DictReader(io.StringIO(download(page, "CSV").decode().split("\n", 1)[1])))
    assert [row["examples"] for row in table] == ["0", "1", "2"]
    assert float(table[2]["p"]) == pytest.approx(two, rel=1e-4)


def test_fine_tuning_sequences_of_all_tasks(app, opened, model):
    page = opened(view="tuning", task="similarity", first="the cat sat", second="a dog ran")
    made = model.fine_tuning_inputs("similarity", ("the cat sat", "a dog ran"))
    for index, sequence in enumerate(made.sequences):
        assert tokens(page, f"Sequence {index + 1}") == list(sequence.tokens)
    expect(page.locator('[data-painted^="3 x 32"]')).to_have_count(1)  # two states and their sum
    page.get_by_role("radio", name="Multiple choice").click()
    app.settled()
    expect(page.get_by_role("group", name="Sequence 3")).to_be_visible()
    page.get_by_label("Answers, one a line").fill("He ran.")
    page.get_by_label("Answers, one a line").press("Control+Enter")
    expect(page.get_by_text("A question with 1 answers: give 2 to 8")).to_be_visible()


def test_bert_beside_gpt_on_one_scale(app, opened, own_checkpoints):
    page = opened(view="beside", bert=str(own_checkpoints["bert"]))
    maps = page.locator('[data-painted^="8 x 8"]')
    expect(maps).to_have_count(2)
    sums = [
        float((found.get_attribute("data-painted") or "").split("sum ")[1]) for found in maps.all()
    ]
    assert sums[1] == pytest.approx(8, abs=1e-2), "causal rows keep all their mass"
    assert sums[0] < 8, "what went to [CLS] and [SEP] is told, not drawn"
    expect(page.get_by_text("On special tokens, not drawn:")).to_be_visible()
    expect(page.get_by_text("The mask leaves exactly 0 there")).to_be_visible()
    left, top, wide, high = json.loads(maps.nth(0).get_attribute("data-geometry") or "")
    place = {"x": left + 4.5 * wide, "y": top + 1.5 * high}
    maps.nth(0).locator(".stack").click(position=place)
    app.settled()
    expect(maps.nth(1)).to_have_attribute("data-selected", "[1,4]")
    expect(page.get_by_text("for GPT this word has not been said yet")).to_be_visible()
