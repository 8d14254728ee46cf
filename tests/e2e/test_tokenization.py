"""The BPE stepper in a real browser: every interaction, against the core's own numbers."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.tokenization import bpe

LECTURE = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
MERGES = ["es", "est", "est</w>", "lo", "low", "ne", "new", "newest</w>", "low</w>", "wi"]
LIST_TOKENS = ["Abwasser", "b", "e", "han", "dlung", "s", "an", "lag", "e", "</w>"]


def figure(page: Page) -> Locator:
    return page.locator('[data-painted^="step"]')


def opened(app, **params: str) -> Page:
    """The page at a link, once its figure stands."""
    page = app.open("tokenization", **params)
    expect(figure(page)).to_be_visible()
    return page


def at(page: Page, step: int, of: int = 10) -> None:
    expect(figure(page)).to_have_attribute("data-painted", f"step {step} of {of}")


def tokens(page: Page) -> list[str]:
    root = page.locator('[data-painted^="encoding"]')
    expect(root).to_have_count(1)
    return json.loads(root.get_attribute("data-tokens") or "[]")


def chips(cell: Locator) -> list[str]:
    return cell.locator(".token").evaluate_all("nodes => nodes.map(node => node.dataset.token)")


def merged(page: Page) -> list[str]:
    """What the next merge makes, as the headline has it."""
    made = figure(page).locator(".next .token.new")
    return made.evaluate_all("nodes => nodes.map(node => node.dataset.token)")


def download(page: Page, name: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).last.click()
    return Path(waiting.value.path()).read_bytes()


def upload(app, content: str | bytes, name: str = "own.txt") -> Page:
    page = app.page
    page.get_by_role("button", name="Own file").click()
    data = content if isinstance(content, bytes) else content.encode()
    page.locator('input[type="file"]').first.set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": data}
    )
    app.settled()
    page.keyboard.press("Escape")
    return page


def type_corpus(app, text: str) -> Page:
    field = app.page.get_by_label("Corpus", exact=True)
    field.fill(text)
    field.press("Control+Enter")
    return app.settled()


def test_the_lectures_ten_merges(app):
    page = opened(app)
    at(page, 0)
    expect(figure(page)).to_be_in_viewport(ratio=0.9)
    for step, token in enumerate(MERGES):
        assert merged(page) == [token]
        page.keyboard.press("ArrowRight")
        at(page, step + 1)
    expect(figure(page).get_by_text("as many as the settings ask for").first).to_be_visible()
    assert chips(figure(page).locator(".vocabulary"))[-10:] == MERGES


def test_ties_are_shown_and_the_deciding_comparison_told(app):
    page = opened(app)
    root = figure(page)
    expect(
        root.get_by_text("3 pairs stand 9 times each, so the tie rule decides").first
    ).to_be_visible()
    expect(root.locator("tr.tied")).to_have_count(3)
    root.locator("tr[data-row='1']").click()
    expect(root.get_by_text("Why not s + t? As frequent as e + s (9)").first).to_be_visible()
    root.locator("tr[data-row='3']").click()
    expect(root.get_by_text("Why not w + e? It stands 8 times").first).to_be_visible()


def test_words_before_and_after_with_the_pair_lit(app):
    page = opened(app, step="3")
    row = figure(page).locator("table.words tbody tr").first
    assert chips(row.locator("td").nth(2)) == ["l", "o", "w", "</w>"]
    assert chips(row.locator("td").nth(3)) == ["lo", "w", "</w>"]
    lit = row.locator(".token.lit").evaluate_all("n => n.map(x => x.dataset.token)")
    assert lit == ["l", "o"]
    expect(figure(page).get_by_text("68 tokens in the corpus, 71.6 % of the 95")).to_be_visible()


def test_keys_buttons_scrubbing_and_jumping(app):
    page = opened(app)
    root = figure(page)
    at(page, 0)
    page.keyboard.press("End")
    at(page, 10)
    page.keyboard.press("ArrowLeft")
    at(page, 9)
    page.keyboard.press("Home")
    at(page, 0)
    root.get_by_role("button", name="Step ›").click()
    at(page, 1)
    root.get_by_role("button", name="‹ Back").click()
    at(page, 0)
    root.get_by_label("Merges done").fill("7")
    at(page, 7)
    root.get_by_label("Jump to merge").fill("4")
    root.get_by_label("Jump to merge").press("Enter")
    at(page, 4)
    root.locator("button[title='merge 2']").click()
    at(page, 2)
    box = root.locator("canvas.curve").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 9, box["y"] + 20)
    at(page, 10)
    app.settled()
    page.wait_for_timeout(600)
    app.settled()
    assert "step=10" in page.url


def test_space_plays_and_pauses(app):
    page = opened(app)
    at(page, 0)
    page.mouse.click(700, 20)
    page.keyboard.press(" ")
    expect(figure(page)).to_have_attribute("data-painted", re.compile(r"step [1-9] of 10"))
    page.keyboard.press(" ")
    expect(figure(page).get_by_role("button", name="▶ Play")).to_be_visible()
    stopped = figure(page).get_attribute("data-painted")
    page.wait_for_timeout(1200)
    assert figure(page).get_attribute("data-painted") == stopped


def test_predict_hides_the_answer_and_keeps_score(app):
    page = opened(app, predict="1")
    root = figure(page)
    expect(root.locator(".token.new")).to_have_count(0)
    expect(root.locator(".half .token.lit")).to_have_count(0)

    def guess(left: str, right: str) -> None:
        for button in root.locator("table.pairs button").all():
            if chips(button) == [left, right]:
                button.click()
                return
        pytest.fail(f"no button {left} {right}")

    guess("w", "e")
    expect(root.get_by_text("8 times; the right one stands 9 times").first).to_be_visible()
    guess("s", "t")
    expect(root.get_by_text("9 times too, but the tie rule takes another")).to_be_visible()
    guess("e", "s")
    expect(root.get_by_text("score: 1 right of 3 tries")).to_be_visible()
    assert merged(page) == ["es"]
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(root.locator(".token.new")).to_have_count(1)  # the vocabulary's, not the answer
    page.keyboard.press("ArrowRight")
    at(page, 1)
    assert merged(page) == ["est"]


def test_predict_switches_on_and_off(app):
    page = opened(app)
    page.get_by_text("Predict", exact=True).click()
    app.settled()
    expect(figure(page).get_by_text("score: 0 right of 0 tries")).to_be_visible()
    assert "predict=1" in page.url
    page.get_by_text("Predict", exact=True).click()
    app.settled()
    assert merged(page) == ["es"]


def fork(page: Page) -> Locator:
    return page.locator('[data-painted^="fork"]')


def test_the_glued_end_of_word_as_a_fork(app):
    page = opened(app)
    page.get_by_text("</w> glued", exact=True).first.click()
    app.settled()
    expect(fork(page).get_by_text("They part at merge 2")).to_be_visible()
    cells = fork(page).locator("tbody tr").nth(9).locator("td")
    assert cells.nth(2).locator(".token").all_text_contents() == ["wid", "est</w>"]
    assert "fork=end-glued" in page.url


def test_another_tie_rule_parts_at_the_first_difference(app):
    page = opened(app, fork="greatest-strings")
    other = bpe.train(LECTURE, 10, "greatest-strings")
    assert other.merges[0] == ("t", "</w>")
    root = fork(page)
    expect(root.get_by_text("They part at merge 1: first seen takes e + s")).to_be_visible()
    root.get_by_role("button", name="▶ Play to the first difference").click()
    expect(root).to_have_attribute("data-painted", re.compile(r"at 1$"))
    root.get_by_role("button", name="▶ Play on").click()
    expect(root).to_have_attribute("data-painted", re.compile(r"at 3$"))
    root.get_by_role("button", name="Pause").click()
    root.get_by_role("button", name="Show all").click()
    expect(root).to_have_attribute("data-painted", re.compile(r"at 10$"))


def test_a_forced_merge_is_played_side_by_side(app):
    page = opened(app, step="3")
    figure(page).locator("tr[data-row='1']").click()
    page.get_by_role("button", name="Force this pair").click()
    app.settled()
    expect(fork(page).get_by_text("They part at merge 4: first seen takes l + o")).to_be_visible()
    assert "force=3.1" in page.url
    assert "fork=forced" in page.url
    page.goto(page.url)
    app.settled()
    expect(fork(page).get_by_text("o + w forced takes o + w")).to_be_visible()


def test_a_word_is_encoded_with_the_merges_so_far(app):
    page = opened(app, step="10")
    assert tokens(page) == ["low", "est</w>"]
    at(page, 10)
    page.keyboard.press("Home")
    page.wait_for_timeout(700)
    app.settled()
    assert tokens(page) == ["l", "o", "w", "e", "s", "t", "</w>"]


def test_the_lectures_list_cuts_the_sewage_plant(app):
    page = opened(app)
    page.get_by_text("a list of merges", exact=True).click()
    app.settled()
    page.get_by_text("Abwasserbehandlungsanlage", exact=True).first.click()
    app.settled()
    assert tokens(page) == LIST_TOKENS
    root = page.locator('[data-painted^="encoding"]')
    expect(root.locator("tr[data-step]")).to_have_count(15)
    page.get_by_role("textbox", name="Why not this token?").fill("Behandlung")
    page.get_by_role("textbox", name="Why not this token?").press("Enter")
    app.settled()
    expect(page.get_by_text("Behandlung is not in the word")).to_be_visible()
    page.get_by_role("textbox", name="Why not this token?").fill("sa")
    page.get_by_role("textbox", name="Why not this token?").press("Enter")
    expect(page.get_by_text("No rule makes sa. And rule 9, a + n, had joined an")).to_be_visible()


def test_one_more_letter_rewrites_the_past(app):
    page = opened(app, **{"with": "list"})
    page.get_by_text("abacb", exact=True).first.click()
    app.settled()
    assert tokens(page) == ["ab", "a", "cb"]
    page.get_by_text("abacbb: one more letter", exact=True).click()
    app.settled()
    assert tokens(page) == ["ab", "acbb"]


def test_rules_that_can_not_work_are_flagged_with_the_reason(app):
    page = opened(app, **{"with": "list"})
    page.get_by_text("broken rules", exact=True).click()
    app.settled()
    expect(page.get_by_text("of 6 rules can't work")).to_be_visible()
    table = page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible()


def test_imported_merges_in_other_forms(app):
    page = opened(app, **{"with": "list", "word": "lowest"})
    trained = bpe.train(LECTURE, 10, glued=True)
    page.get_by_role("button", name="Upload merges").click()
    page.locator('input[type="file"]').last.set_input_files(
        {
            "name": "tokenizer.json",
            "mimeType": "application/json",
            "buffer": bpe.tokenizer_json(trained).encode(),
        }
    )
    app.settled()
    expect(page.get_by_text("tokenizer.json: 10 rules")).to_be_visible()
    assert tokens(page) == list(bpe.encode("lowest", trained.merges, "</w>", glued=True).tokens)
    page.locator('input[type="file"]').last.set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": b'{"model": {"type": "BPE'}
    )
    app.settled()
    expect(page.get_by_text("The tokenizer.json is not JSON")).to_be_visible()
    expect(figure(page)).to_be_visible()


def test_dropout_and_variants_come_from_the_link(app):
    page = opened(app, step="10", word="newest", dropout="0.5", seed="3")
    trained = bpe.train(LECTURE, 10)
    expected = bpe.encode("newest", trained.merges, "</w>", dropout=0.5, seed=3)
    assert tokens(page) == list(expected.tokens)
    page = opened(app, step="10", word="newest", variant="concatenation")
    assert tokens(page) == ["newest</w>"]
    expect(page.locator('[data-painted^="encoding 1 tokens in 0 steps"]')).to_be_visible()


def test_settings_enter_the_link_and_come_back(app):
    page = opened(app)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Number of merges").fill("5")
    page.get_by_label("Number of merges").press("Enter")
    app.settled()
    page.get_by_test_id("stPopoverBody").get_by_text("none", exact=True).click()
    app.settled()
    at(page, 0, 5)
    assert "merges=5" in page.url
    assert "end=none" in page.url
    trained = bpe.train(LECTURE, 5, end_of_word=None)
    assert merged(page) == [trained.steps[0].token]
    page.goto(page.url)
    app.settled()
    at(page, 0, 5)


def test_every_setting_reaches_the_training(app):
    page = app.open(
        "tokenization",
        corpus="low lower, lowest! low",
        read="text",
        ties="smallest-ids",
        bytes="1",
        split="gpt2",
        min="2",
        merges="50",
    )
    trained = bpe.train(
        "low lower, lowest! low", 50, "smallest-ids", byte_level=True, min_frequency=2
    )
    at(page, 0, len(trained.steps))
    page.keyboard.press("End")
    merged = [step.token for step in trained.steps]
    assert chips(figure(page).locator(".vocabulary"))[-len(merged) :] == merged
    expect(figure(page).get_by_text("the minimum frequency").first).to_be_visible()


def test_chips_load_other_corpora(app):
    page = opened(app)
    page.get_by_text("the HF course", exact=True).click()
    app.settled()
    at(page, 0, 19)
    page.keyboard.press("End")  # the chip gives the keys to the new run
    course = "Ġt is er Ġa Ġto en Th This ou se Ġtok Ġtoken nd Ġis Ġth Ġthe in Ġab Ġtokeni"
    assert chips(figure(page).locator(".vocabulary"))[-19:] == course.split(" ")
    page.get_by_text("aaa: count ≠ merges", exact=True).click()
    app.settled()
    expect(figure(page).get_by_text("the two share the middle a").first).to_be_visible()


@pytest.fixture(scope="module")
def large() -> str:
    words = [
        f"{a}{b}{c}" for a in "stream" for b in ("ing", "ed", "er", "est", "ly") for c in "xyzuv"
    ]
    return " ".join(word for i, word in enumerate(words * 3) for _ in range(1 + i % 7))


def test_a_large_run_fetches_its_steps_in_windows(app, large):
    opened(app, corpus="a 1")
    page = upload(app, large)
    expect(page.get_by_text("uploaded, this session only")).to_be_visible()
    trained = bpe.train(large, 1000)
    n_steps = len(trained.steps)
    at(page, 0, n_steps)
    assert n_steps > 160
    figure(page).get_by_label("Jump to merge").fill(str(n_steps - 5))
    figure(page).get_by_label("Jump to merge").press("Enter")
    app.settled()
    at(page, n_steps - 5, n_steps)
    assert merged(page) == [trained.steps[n_steps - 5].token]
    expect(figure(page).get_by_text("on their way")).to_have_count(0)
    app.settled()
    assert "source=file" in page.url
    assert "stream" not in page.url
    expect(page.get_by_text("The link leaves out the uploaded corpus")).to_be_visible()


def test_a_link_to_an_upload_says_that_it_is_not_here(app):
    page = opened(app, source="file")
    expect(page.get_by_text("an uploaded corpus, which never enters a link")).to_be_visible()
    at(page, 0)


def test_a_lesson_file_brings_everything_back(app):
    page = opened(app, end="glued", ties="greatest-strings", merges="7", step="4")
    saved = download(page, "Lesson file")
    assert json.loads(saved)["step"] == 4
    page = opened(app)
    upload(app, saved, "bpe-lesson.json")
    at(page, 4, 7)
    app.settled()
    assert "end=glued" in page.url
    assert "ties=greatest-strings" in page.url


def test_a_long_pasted_corpus_leaves_the_link_and_says_so(app):
    page = opened(app, read="text")
    type_corpus(app, "newer lower wider " * 200)
    expect(page.get_by_text("The link leaves out the corpus")).to_be_visible()
    assert "newer" not in page.url


def test_the_tokenizer_json_loads_and_agrees(app):
    tokenizers = pytest.importorskip("tokenizers")
    page = opened(app, end="glued", step="10")
    loaded = tokenizers.Tokenizer.from_str(download(page, "tokenizer.json").decode())
    merges = bpe.train(LECTURE, 10, glued=True).merges
    expected = bpe.encode("lowest", merges, "</w>", glued=True).tokens
    assert tuple(loaded.encode("lowest").tokens) == expected


def test_csv_and_merges_txt(app):
    page = opened(app)
    _, _, table = download(page, "CSV").decode().partition("\n")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["token"] for row in rows] == MERGES
    assert rows[0]["count"] == "9"
    assert download(page, "merges.txt").decode().splitlines()[1] == "e s"


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_pictures_of_a_step(app, kind):
    page = opened(app, step="3")
    with page.expect_download() as waiting:
        figure(page).get_by_text(kind, exact=True).click()
    content = Path(waiting.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG" if kind == "PNG" else b"<svg")
    if kind == "SVG":
        assert "Merge 4 of 10" in content.decode()


def test_the_offline_page_steps_from_a_file(app, tmp_path):
    page = opened(app, step="2")
    file = tmp_path / "bpe.html"
    file.write_bytes(download(page, "HTML"))
    offline = page.context.new_page()
    asked: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    offline.goto(file.as_uri())
    at(offline, 2)
    offline.keyboard.press("ArrowRight")
    at(offline, 3)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_step_is_drawn_within_a_frame(app):
    page = opened(app)
    times: list[float] = []
    for step in range(1, 11):
        page.keyboard.press("ArrowRight")
        at(page, step)
        times.append(float(figure(page).get_attribute("data-step-milliseconds") or "nan"))
    assert sorted(times)[5] < 16


@pytest.mark.parametrize("app", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_shows_it_all_without_scrolling_sideways(app):
    page = opened(app, step="5", fork="end-glued")
    expect(figure(page)).to_be_visible()
    assert page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth <= window.innerWidth"
    )
