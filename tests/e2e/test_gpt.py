"""The GPT page, every view, against the tiny models' own numbers."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

import core

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


class TestGenerate:
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
