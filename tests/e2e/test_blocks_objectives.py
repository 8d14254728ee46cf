"""Objectives, experts and cheap fine-tuning in a real browser."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import core
from app.style.number_format import three
from core.blocks.mixture_of_experts import route, toy_router
from core.catalog.checkpoints import is_on_board

PAGE = "blocks"


def chips(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name, exact=True).get_by_role("listitem")


def table(page: Page) -> list[list[str]]:
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name="CSV").first.click()
    text = Path(waiting.value.path()).read_text("utf-8")
    return list(csv.reader(io.StringIO(text)))[1:]


def test_the_same_sentence_in_five_objectives(app):
    page = app.open(PAGE, view="objectives", text="The cat sat on the mat.")
    expect(page.get_by_text("Replaced-token detection")).to_be_visible()
    app.settled()
    rows = {row[0]: row for row in table(page)[1:]}
    gpt = core.load("gpt-mini").trace("The cat sat on the mat.")
    n = len(gpt.tokens)
    shifted = gpt.logits - gpt.logits.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    loss = -float(np.mean([log_p[i, gpt.encoding.ids[i + 1]] for i in range(n - 1)]))
    assert int(rows["Causal LM"][1]) == n - 1
    assert float(rows["Causal LM"][3]) == pytest.approx(loss, abs=1e-4)
    follows = core.load("bert-mini").next_sentence(
        "The cat sat on the mat.", "They enjoyed it very much."
    )
    assert float(rows["Next sentence, if it does follow"][3]) == pytest.approx(
        -float(np.log(follows)), abs=1e-4
    )


def test_t5s_own_example_and_other_spans(app):
    page = app.open(PAGE, view="objectives", part="spans", paper="1")
    assert table(page)[1] == [
        "Thank you <X> me to your party <Y> week .",
        "<X> for inviting <Y> last <Z>",
    ]
    page.get_by_role("radio", name="50 %, spans of 3").click()
    app.settled()
    expect(page.get_by_text(re.compile(r"6 of 11 tokens in 2 spans"))).to_be_visible()
    expect(page).to_have_url(re.compile("density=50"))


def test_every_token_is_judged_and_a_lucky_sample_is_no_replacement(app):
    page = app.open(PAGE, view="objectives", part="replaced", masked="40")
    expect(page.get_by_text("No discriminator is shipped")).to_be_visible()
    rows = table(page)[1:]
    for original, read, masked, replaced in rows:
        assert (replaced == "True") == (original != read)
        assert masked == "True" or original == read
    judged = [row for row in rows if not row[0].startswith("[")]
    expect(page.get_by_text(f"The loss counts all {len(judged)} tokens")).to_be_visible()


def test_experts_share_out_real_states(app):
    page = app.open(PAGE, view="objectives", part="experts", experts="4", top_k="1")
    trace = core.load("bert-mini").trace("The chef cooked the meal and served it to the guests.")
    states = trace.hidden_states()[3]
    found = route(states, toy_router(states.shape[1], 4, seed=0), k=1)
    expect(page.get_by_text(f"N · Σ f·P = {three(found.balance)}"[:16])).to_be_visible()
    gates = page.locator("[data-painted]").filter(has=page.get_by_role("img", name="Gates")).first
    expect(gates).to_have_attribute(
        "data-painted", f"{len(states)} x 4, sum {float(len(states)):.3f}"
    )
    expect(page.get_by_text("was never trained")).to_be_visible()


def test_adapters_are_counted(app):
    page = app.open(PAGE, view="tuning", part="adapters", d_model="64", rank="4", layers="2")
    expect(page.get_by_text("In 2 layers:")).to_contain_text("2,048")  # 2 · 2 · 4 · (64 + 64)
    expect(page.get_by_text("In 2 layers:")).to_contain_text("2,320")  # 2 · 2 · (2·4·64 + 4 + 64)


@pytest.mark.skipif(
    not all(is_on_board(card) for card in core.CATALOG if card.id in ("vit-mini", "mae-mini"))
    or not any(card.id == "vit-mini" for card in core.CATALOG),
    reason="vit-mini is not on board",
)
def test_a_real_update_and_its_factors(app):
    page = app.open(PAGE, view="tuning", rank="8", block="1", matrix="mlp.fc1")
    update = core.load("vit-mini").weight_updates()["blocks.1.mlp.fc1.weight"]
    m, n = update.update.shape
    expect(page.get_by_text(f"r(m + n) = {8 * (m + n):,} numbers")).to_be_visible()
    values = [float(row[1]) for row in table(page)[1:]]
    np.testing.assert_allclose(values, update.update.values, rtol=1e-5)
    page = app.open(PAGE, view="tuning", part="int8", outlier="200", size="0")
    expect(page.get_by_text("of 255 codes")).to_be_visible()
    rows = {row[0]: float(row[1]) for row in table(page)[1:]}
    assert rows["the matrix"] > 5 * rows["64"]  # one outlier spoils what shares its step
