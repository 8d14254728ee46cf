"""The tokenizers page in a real browser: every view and interaction."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from app.content import corpora
from app.services import tokenizers as tokenizing
from app.style.number_format import three
from app.views.tokenizers.cuttings import COURSE
from app.views.tokenizers.state import DEFAULT_TEXT
from core.tokenization import bpe, unigram

PAGE = "tokenizers"
FAMILY = "👨‍👩‍👧‍👦"


def lanes(page: Page) -> Locator:
    return page.locator('[data-painted^="tokens"]')


def bars(page: Page) -> Locator:
    return page.locator('[data-painted*="bars over"]')


def counts(page: Page) -> list[int]:
    painted = lanes(page).get_attribute("data-painted") or ""
    return [int(number) for number in re.findall(r"\d+", painted.split(" in ")[0])]


def place_of(page: Page, lane: int, token: int) -> Position:
    geometry = json.loads(lanes(page).get_attribute("data-geometry") or "")
    x, y = geometry[lane][token]
    return {"x": x, "y": y}


def hovered(page: Page) -> list[float] | None:
    return json.loads(lanes(page).get_attribute("data-hover") or "null")


def selected(page: Page) -> list[int] | None:
    return json.loads(lanes(page).get_attribute("data-selection") or "null")


def type_into(app, label: str, text: str, key: str = "Enter") -> Page:
    app.page.get_by_label(label, exact=True).fill(text)
    app.page.get_by_label(label, exact=True).press(key)
    return app.settled()


def download(page: Page, name: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).last.click()
    return Path(waiting.value.path()).read_bytes()


def view_named(app, name: str) -> Page:
    app.page.get_by_test_id("stButtonGroup").get_by_text(name, exact=True).click()
    return app.settled()


def test_the_lanes_are_the_tokenizers_own(app):
    page = app.open(PAGE)
    expect(lanes(page)).to_be_visible()
    tokenizers = [tokenizing.model_tokenizer("minilm-l6")]
    tokenizers += [
        tokenizing.trained_tokenizer(name, corpora.STORY, 1000) for name in tokenizing.TRAINED
    ]
    assert counts(page) == [len(t.tokenize(DEFAULT_TEXT).spans) for t in tokenizers]
    box = lanes(page).bounding_box()
    assert box
    assert box["y"] < 360  # the figure has most of the first screen


def test_hovering_a_token_lights_what_covers_it_everywhere(app):
    page = app.open(PAGE, text="unreadable", tokenizers="minilm-l6,unigram")
    lanes(page).locator(".stack").hover(position=place_of(page, 0, 1))
    assert hovered(page) == [2, 5]
    detail = lanes(page).locator(".detail")
    expect(detail.get_by_text("##rea", exact=True)).to_be_visible()
    expect(detail.get_by_text("▁unreadable", exact=True)).to_be_visible()
    expect(detail.get_by_text("characters 2–5, bytes 2–5")).to_be_visible()
    page.mouse.move(5, 5)
    assert hovered(page) is None


def test_a_click_keeps_a_token_and_the_link_restores_it(app):
    page = app.open(PAGE, text="unreadable", tokenizers="minilm-l6")
    lanes(page).locator(".stack").click(position=place_of(page, 0, 1))
    app.settled()
    assert selected(page) == [2, 5]
    assert "at=2-5" in page.url
    page.goto(page.url)
    app.settled()
    expect(lanes(page)).to_have_attribute("data-selection", "[2,5]")
    lanes(page).locator(".stack").focus()
    page.keyboard.press("Escape")
    app.settled()
    assert selected(page) is None
    assert "at=" not in page.url


def test_the_keyboard_walks_tokens_and_tokenizers(app):
    page = app.open(PAGE, text="unreadable keepers", tokenizers="minilm-l6,unigram")
    lanes(page).locator(".stack").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert hovered(page) == [2, 5]
    page.keyboard.press("ArrowDown")
    assert hovered(page) == [0, 10]
    page.keyboard.press("Enter")
    app.settled()
    assert selected(page) == [0, 10]


def test_an_emoji_family_shows_code_points_and_bytes(app):
    page = app.open(PAGE, text=FAMILY, tokenizers="bpe,minilm-l6", bytes="1", ids="1")
    assert counts(page)[1] == 1
    assert counts(page)[0] == 25
    lanes(page).locator(".stack").hover(position=place_of(page, 1, 0))
    detail = lanes(page).locator(".detail")
    expect(detail.get_by_text("U+200D zero width joiner").first).to_be_visible()
    expect(detail.get_by_text("f0 9f 91 a8").first).to_be_visible()


def test_invisible_characters_are_visible(app):
    page = app.open(PAGE, text="zero\u200bwidth", tokenizers="unigram")
    table = lanes(page).locator(".unseen table").text_content() or ""
    assert "‹200B›" in table


def test_composed_and_decomposed_forms_are_counted(app):
    page = app.open(PAGE, text="café", tokenizers="bpe,minilm-l6")
    expect(page.get_by_text("Same look, other code points")).to_be_visible()
    before = counts(page)
    page.get_by_role("button", name="Show the NFD above").click()
    app.settled()
    after = counts(page)
    assert after[0] > before[0]  # bytes differ
    assert after[1] == before[1]  # BERT strips accents
    assert page.get_by_label("Text", exact=True).input_value() == "cafe\u0301"


def test_examples_change_the_text(app):
    page = app.open(PAGE)
    page.get_by_text("one long word", exact=True).click()
    app.settled()
    expect(page.get_by_label("Text", exact=True)).to_have_value("Abwasserbehandlungsanlage")


def test_typing_a_text_and_choosing_a_view_enter_the_link(app):
    page = app.open(PAGE)
    type_into(app, "Text", "dog dogs", "Control+Enter")
    assert "text=dog+dogs" in page.url
    view_named(app, "Unigram")
    assert "view=unigram" in page.url
    page.reload()
    app.settled()
    expect(bars(page)).to_be_visible()
    view_named(app, "One text")
    expect(page.get_by_label("Text", exact=True)).to_have_value("dog dogs")


def test_a_tokenizer_of_the_readers_own_stands_beside_the_others(app, tmp_path):
    training = bpe.train("unreadable reading", 12, byte_level=True)
    file = tmp_path / "mine.json"
    file.write_text(bpe.tokenizer_json(training), "utf-8")
    page = app.open(PAGE, text="unreadable", tokenizers="unigram")
    page.get_by_role("button", name="Your own tokenizer").click()
    page.locator('input[type="file"]').first.set_input_files(file)
    app.settled()
    expect(lanes(page)).to_have_attribute(
        "data-painted",
        re.compile(rf"^tokens 1 {len(bpe.from_training(training).tokenize('unreadable').spans)} "),
    )
    assert "mine.json" not in page.url
    expect(page.get_by_text("Links leave out what was uploaded: mine.json.")).to_be_visible()


def test_merges_with_their_vocabulary(app, tmp_path):
    training = bpe.train("unreadable reading", 12, byte_level=True)
    (tmp_path / "merges.txt").write_text(bpe.merges_txt(training), "utf-8")
    ids = {token: 1000 + number for number, token in enumerate(training.vocabulary)}
    (tmp_path / "vocab.json").write_text(json.dumps(ids), "utf-8")
    page = app.open(PAGE, text="unreadable", tokenizers="unigram")
    page.get_by_role("button", name="Your own tokenizer").click()
    page.locator('input[type="file"]').first.set_input_files(
        [tmp_path / "merges.txt", tmp_path / "vocab.json"]
    )
    app.settled()
    page.keyboard.press("Escape")
    rows = list(csv.DictReader(io.StringIO(download(page, "CSV").decode().split("\n", 1)[1])))
    own = [row for row in rows if row["tokenizer"] == "merges.txt"]
    assert own
    assert all(int(row["id"]) >= 1000 for row in own)


def test_csv_holds_every_token_with_its_place(app):
    page = app.open(PAGE, text="café keepers", tokenizers="minilm-l6,bpe")
    comment, _, table = download(page, "CSV").decode().partition("\n")
    assert "café" in comment
    rows = list(csv.DictReader(io.StringIO(table)))
    found = tokenizing.model_tokenizer("minilm-l6").tokenize("café keepers").spans
    own = [row for row in rows if row["tokenizer"] == "MiniLM-L6"]
    assert [(row["token"], int(row["id"]), int(row["byte_end"])) for row in own] == [
        (span.token, span.id, span.byte_end) for span in found
    ]


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
@pytest.mark.parametrize("view", ["text", "unigram"])
def test_pictures_of_the_figures(app, kind, view):
    page = app.open(PAGE, view=view)
    figure = lanes(page) if view == "text" else bars(page)
    with page.expect_download() as waiting:
        figure.get_by_text(kind, exact=True).click()
    content = Path(waiting.value.path()).read_bytes()
    if kind == "PNG":
        assert content.startswith(b"\x89PNG")
    else:
        text = content.decode()
        assert text.startswith("<svg")
        assert ("lighthouse" if view == "text" else "hug") in text


def test_the_offline_page_works_from_a_file(app, tmp_path):
    page = app.open(PAGE, text="unreadable", tokenizers="minilm-l6,unigram")
    file = tmp_path / "tokens.html"
    file.write_bytes(download(page, "HTML"))
    offline = app.page.context.new_page()
    asked: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    offline.goto(file.as_uri())
    expect(lanes(offline)).to_have_count(1)
    assert counts(offline) == counts(page)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_session_file_brings_everything_back(app, tmp_path):
    page = app.open(PAGE, text="one two", tokenizers="unigram,bpe", size="300")
    saved = tmp_path / "session.json"
    saved.write_bytes(download(page, "Session file"))
    before = counts(page)
    page = app.open(PAGE)
    page.get_by_role("button", name="Open a session file").click()
    page.locator('input[type="file"]').last.set_input_files(saved)
    expect(page.get_by_label("Text", exact=True)).to_have_value("one two")
    app.settled()
    assert counts(page) == before


def test_the_link_to_the_attention_page_takes_the_text_along(app):
    page = app.open(PAGE, text="unreadable logbooks", tokenizers="minilm-l6")
    page.get_by_text("What do these pieces do to attention?").click()
    app.settled()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value("unreadable logbooks")
    page.go_back()
    app.settled()
    expect(page.get_by_label("Text", exact=True)).to_have_value("unreadable logbooks")


def test_a_hub_tokenizer_without_a_network_says_so_and_the_rest_stays(app):
    page = app.open(PAGE, text="unreadable", tokenizers="gpt2,unigram")
    expect(page.get_by_text("The tokenizer of GPT-2 comes from the hub")).to_be_visible()
    assert counts(page) == [1]


def test_fifteen_languages_are_dots(app):
    page = app.open(PAGE, view="languages")
    chart = page.get_by_test_id("stPlotlyChart")
    expect(chart.get_by_text("Turkish")).to_be_visible()
    expect(chart.locator(".scatterlayer .trace")).to_have_count(4)
    page.get_by_text("per character", exact=True).click()
    app.settled()
    expect(chart.get_by_text("tokens per code point")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_text("Finnish", exact=True).click()
    app.settled()
    expect(page.get_by_label("Text", exact=True)).to_have_value(corpora.LANGUAGES["Finnish"])
    expect(lanes(page)).to_be_visible()


def test_why_subwords_measures_the_half_that_was_held_out(app):
    page = app.open(PAGE, view="why")
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(2)
    expect(page.get_by_text("the word list still lacks 182 different words")).to_be_visible()
    expect(page.get_by_text("Ġdog · dog · Dog · Ġdogs", exact=True)).to_be_visible()
    type_into(app, "A word of the corpus", "giraffe")
    expect(page.get_by_text("“giraffe” does not stand in this corpus.")).to_be_visible()


def test_wordpiece_searches_the_longest_and_fails_as_a_whole(app):
    page = app.open(PAGE, view="wordpiece")
    labels = [entry[0] for entry in json.loads(bars(page).get_attribute("data-geometry") or "")]
    # BPE; by frequency; by likelihood; then one vain try and two that fit
    assert labels == ["hug", "s", "hug", "##s", "hugs", "hugs", "hug", "##s"]
    page.get_by_text("mug: [UNK]", exact=True).click()
    app.settled()
    labels = [entry[0] for entry in json.loads(bars(page).get_attribute("data-geometry") or "")]
    assert labels == ["m", "ug", "[UNK]", "[UNK]", "mug", "mu", "m", "[UNK]"]
    assert "word=mug" in page.url


def test_unigram_lights_the_best_path(app):
    page = app.open(PAGE, view="unigram")
    expect(bars(page)).to_have_attribute("data-painted", re.compile(r"over 5 letters, 2 lit"))
    bars(page).locator(".stack").focus()
    page.keyboard.press("ArrowRight")
    un = next(
        edge
        for edge in unigram.lattice("unhug", unigram.from_frequencies(COURSE)).edges
        if edge.piece == "un"
    )
    tip = f"in {three(100 * un.posterior)} % of random cuttings (α = 1)"
    expect(bars(page).locator(".tip").get_by_text(tip)).to_be_visible()
    page.get_by_text("undreamed", exact=True).first.click()
    app.settled()
    expect(page.get_by_text("pieces at first: all letters")).to_be_visible()
    assert "model=trained" in page.url


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
@pytest.mark.parametrize("view", ["text", "languages", "why", "wordpiece", "unigram"])
def test_a_phone_shows_it_all_without_scrolling_sideways(app, view):
    page = app.open(PAGE, view=view)
    assert page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth <= window.innerWidth"
    )
