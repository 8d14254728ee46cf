"""Tokens of several tokenizers under one text: aligned, linked, selected by bytes."""

from playwright.sync_api import expect

from tests.figures import bpe_samples
from tests.figures.bpe_samples import COMPARISON
from tests.figures.conftest import Mount


def test_every_token_is_drawn_and_stands_in_the_table(mount: Mount):
    figure = mount("token_spans", bpe_samples.spans())
    expect(figure.root).to_have_attribute("data-painted", "tokens 4 3 in 1 lines, 1 disputed")
    rows = figure.root.locator(".unseen table tr").all()
    for row, tokenized in zip(rows, COMPARISON.rows, strict=True):
        cells = row.locator("td").all_text_contents()
        spans = tokenized.spans
        assert [cell.split(" ")[-3] for cell in cells] == [str(span.id) for span in spans]
        assert [cell.split("[")[-1] for cell in cells] == [f"{s.start}, {s.end})" for s in spans]


def test_tokens_of_the_same_bytes_stand_under_each_other(mount: Mount):
    letters, words = mount("token_spans", bpe_samples.spans()).data()
    assert letters[3][0] == words[2][0]  # <b>
    assert letters[0][0] < words[0][0] < letters[1][0]  # “low” spans both
    assert letters[0][1] < words[0][1]


def test_a_hover_tells_what_the_others_make_of_it(mount: Mount):
    figure = mount("token_spans", bpe_samples.spans())
    letters, _ = figure.data()
    figure.hover(*letters[1])
    assert figure.data("hover") == [1, 3]
    detail = figure.root.locator(".detail")
    expect(detail.locator("h4")).to_have_text("ow")
    expect(detail).to_contain_text("characters 1–3, bytes 1–3")
    expect(detail.locator("table").first.locator("td")).to_have_text(["ow 2", "low 5"])


def test_a_token_is_clicked_walked_and_let_go(mount: Mount):
    figure = mount("token_spans", bpe_samples.spans())
    letters, _ = figure.data()
    figure.click(*letters[2])
    figure.chose([3, 6])
    expect(figure.root.locator(".detail")).to_contain_text("c3 a9")
    figure.press("ArrowRight", "ArrowRight", "Enter")
    figure.chose([1, 3])
    figure.press("ArrowDown", "Enter")
    figure.chose([0, 3])
    figure.press("Escape")
    figure.chose([])
    figure.show(bpe_samples.spans(selected=(6, 9), serial=2))
    assert figure.data("selection") == [6, 9]
