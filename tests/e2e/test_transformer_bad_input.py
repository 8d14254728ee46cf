"""What a reader may type or link to on the Transformer page: a plain sentence, nothing lost."""

import re

from playwright.sync_api import expect

from tests.e2e.test_transformer import PAGE, TARGET, TEXT, decoder, opened, stands_at, tree


def warned(page, text):
    expect(page.get_by_test_id("stAlert").filter(has_text=text)).to_be_visible()


def test_texts(app, own_checkpoints):
    page = opened(app, own_checkpoints, "decode", text=" ")
    warned(page, "The text is empty. Type at least one word.")
    page.get_by_label("English", exact=True).fill("cat " * 600)
    page.get_by_label("English", exact=True).press("Control+Enter")
    warned(page, re.compile("601 tokens; this model takes up to 64"))
    expect(page.get_by_label("English", exact=True)).to_have_value("cat " * 600)
    page.get_by_label("English", exact=True).fill("😀🎉 </script><img src=x onerror=alert(1)>")
    page.get_by_label("English", exact=True).press("Control+Enter")
    app.settled()
    expect(decoder(page)).to_be_visible()


def test_targets(app, own_checkpoints):
    page = opened(app, own_checkpoints, "forcing", target=" ")
    warned(page, "The target is empty")
    field = page.get_by_label("Your German", exact=True)
    field.fill("le chat 漢字 😀")
    field.press("Control+Enter")
    warned(page, "tokens are not in the vocabulary")
    field.fill("dog " * 100)
    field.press("Control+Enter")
    warned(page, re.compile("The target has 101 tokens"))
    field.fill(TARGET)
    field.press("Control+Enter")
    expect(page.get_by_text("Mean loss")).to_be_visible()
    expect(page.get_by_text("The target has")).to_have_count(0)
    warned(page, "the model hardly believes it")  # its weights are random


def test_links_with_nonsense(app, own_checkpoints):
    page = opened(
        app,
        own_checkpoints,
        "beams",
        beams="99",
        alpha="nan",
        normalisation="best",
        word_margin="-3",
        depth="x",
        node="7777777",
    )
    expect(tree(page)).to_be_visible()
    expect(page.get_by_text("Beam search, 4 beams:")).to_be_visible()
    page = opened(app, own_checkpoints, "decode", said="1,x", step="500", layer="77", head="88")
    expect(decoder(page)).to_have_attribute("data-painted", re.compile(r"^step (\d+) of \1$"))
    page = opened(app, own_checkpoints, "decode", said="999999")
    warned(page, "ids are 0 to 51. Start again")
    page = opened(app, own_checkpoints, "machine", figure="dec.nothing", layer="50")
    expect(page.get_by_role("heading", name="Encoder–decoder attention, layer 0")).to_be_visible()
    page = opened(app, own_checkpoints, "heads", kind="sideways", layer="50", head="200")
    expect(page.get_by_text("Largest difference from the model's own")).to_be_visible()


def test_models_that_are_not_there(app, own_checkpoints):
    page = app.open(PAGE, model="no-such-model", text=TEXT)
    warned(page, "There is no model “no-such-model” here")
    stands_at(decoder(page), 0)
    page = app.open(PAGE, model=str(own_checkpoints["bert"]), text=TEXT)
    warned(page, "There is no model")
    page = app.open(PAGE, model="t5-small", text=TEXT)  # the test's server has no network
    warned(page, re.compile("T5 small|network"))
