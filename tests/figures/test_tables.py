"""A table of tokens and bars over letters: every cell and piece says what it is."""

from dataclasses import replace

import numpy as np
from playwright.sync_api import expect

from app.components.selection import Seed
from app.components.token_table import TokenTable, token_table_frame
from app.style.number_format import three
from tests.figures.conftest import Mount
from tests.figures.samples import BARS, SAMPLES, SEEN, TABLE
from tests.figures.strange_texts import HOSTILE


def test_a_table_has_every_token_and_says_its_shade(mount: Mount):
    figure = mount("token_table", SAMPLES["token_table"]())
    assert figure.table() == [
        ["layer", "the", "dog"],
        ["0", "the", SEEN],
        ["1", "␣a", "dog"],
    ]
    cells = figure.root.locator("td")
    cells.nth(1).hover()
    expect(figure.root.locator(".readout")).to_have_text(
        f"{SEEN} · {three(TABLE.shades[0, 1])} · rank 2 · layer 0 · after dog"
    )
    expect(figure.root.locator("td.marked")).to_have_text(["the"])


def test_a_cell_tells_the_ids_of_its_token_and_of_its_columns(mount: Mount):
    table = replace(TABLE, cell_ids=((7, 8), (-1, 9)), column_ids=(7, 9))
    figure = mount("token_table", token_table_frame(table))
    readout = figure.root.locator(".readout")
    for cell, told in ((1, "token ids 8, 9"), (2, "token id 7")):
        figure.root.locator("td").nth(cell).hover()
        expect(readout).to_contain_text(f"· {told}")


def test_a_cell_is_clicked_walked_and_seeded(mount: Mount):
    figure = mount("token_table", SAMPLES["token_table"]())
    figure.root.locator("td").nth(3).click()
    figure.chose([1, 1])
    figure.root.locator(".scroll").focus()
    figure.press("ArrowUp")
    figure.chose([0, 1])
    figure.press("Escape")
    figure.chose([-1, -1])
    figure.show(token_table_frame(TABLE, seed=Seed((1, 0), 2)))
    expect(figure.root.locator("td.lit")).to_have_text(["␣a"])


def test_pieces_span_their_letters(mount: Mount):
    figure = mount("piece_bars", SAMPLES["piece_bars"]())
    expect(figure.root).to_have_attribute("data-painted", "4 bars over 3 letters, 2 lit")
    un, hostile, u, nx = (np.array(place[1:]) for place in figure.data())
    assert hostile[1] == un[1]  # one row
    assert u[1] == nx[1] > un[1]
    assert u[0] < un[0] < nx[0] < hostile[0]  # halfway over letters 0–1, 0–2, 1–3, 2–3


def test_pieces_are_hovered_and_walked(mount: Mount):
    figure = mount("piece_bars", SAMPLES["piece_bars"]())
    figure.hover(*figure.data()[0][1:])
    expect(figure.tip.locator("div")).to_have_text(["un", "log P −2.50"])
    figure.root.locator(".stack").focus()
    figure.press("ArrowRight")
    expect(figure.tip).to_have_text(HOSTILE)
    figure.press("Escape")
    expect(figure.tip).to_be_hidden()


def test_the_table_of_pieces_says_where_each_stands(mount: Mount):
    rows = mount("piece_bars", SAMPLES["piece_bars"]()).table()
    assert rows[0] == ["one cut", "un; log P −2.50", f"{HOSTILE} [2, 3)"]
    assert rows[1] == ["others, greedy, 2 ×", "u [0, 1)", "nx [1, 3)"]
    assert [section.title for section in BARS.sections] == ["one cut", "others"]


def test_a_table_wider_than_its_column_says_that_it_scrolls(mount: Mount):
    words = tuple(f"word{i}" for i in range(14))
    shades = np.full((1, 14), 0.5, dtype=np.float32)
    table = TokenTable((words,), shades, ("0",), words, label="wide", shade_title="Shade: P.")
    figure = mount("token_table", token_table_frame(table), width=390)
    legend = figure.root.locator(".legend")
    expect(legend).to_have_text("Shade: P. 14 columns: scroll sideways to see all.")
    bars = figure.root.locator(".scroll").evaluate("node => getComputedStyle(node).scrollbarColor")
    assert bars != "auto"
    figure.page.set_viewport_size({"width": 1280, "height": 900})
    expect(legend).to_have_text("Shade: P.")
