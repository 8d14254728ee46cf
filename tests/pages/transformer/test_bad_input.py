"""What a reader may type or link to on the Transformer page: a plain sentence, nothing lost."""

from pathlib import Path

from tests.pages.page import Page
from tests.pages.transformer.shown import TARGET, TEXT, fates_drawn, header


def test_texts(opened):
    page = opened("decode", text=" ")
    assert "The text is empty. Type at least one word." in page.notices
    page.text_area(key="transformer.text").set_value("cat " * 600).run()
    assert "601 tokens; this model takes up to 64" in page.notices
    assert page.text_area(key="transformer.text").value == "cat " * 600
    hostile = "😀🎉 </script><img src=x onerror=alert(1)>"
    page.text_area(key="transformer.text").set_value(hostile).run()
    assert "transformer.decoder" in page.figures
    assert page.text_area(key="transformer.text").value == hostile


def test_targets(opened):
    page = opened("forcing", target=" ")
    assert "The target is empty" in page.notices
    page.text_area(key="transformer.target").set_value("le chat 漢字 😀").run()
    assert "tokens are not in the vocabulary" in page.notices
    page.text_area(key="transformer.target").set_value("dog " * 100).run()
    assert "The target has 101 tokens" in page.notices
    page.text_area(key="transformer.target").set_value(TARGET).run()
    assert "Mean loss" in page.text
    assert "The target has" not in page.notices
    assert "the model hardly believes it" in page.notices  # its weights are random


def test_nonsense_in_a_link_of_beams(opened):
    nonsense = {"beams": "99", "alpha": "nan", "normalisation": "best", "word_margin": "-3"}
    page = opened("beams", depth="x", node="7777777", **nonsense)
    assert fates_drawn(page)
    assert "Beam search, 4 beams:" in page.text
    assert not nonsense.keys() & page.link.keys()


def test_nonsense_in_a_link_of_decoding(opened):
    page = opened("decode", said="1,x", step="500", layer="77", head="88")
    drawn = header(page, "decoder")
    assert drawn["selection"]["value"] == len(drawn["fed"]) - 1
    assert drawn["heads"] == "mean of all layers and heads"
    page = opened("decode", said="999999")
    assert "ids are 0 to 51. Start again" in page.notices


def test_nonsense_in_a_link_of_figure_one_and_of_a_head(opened):
    page = opened("machine", figure="dec.nothing", layer="50")
    assert page.subheader[0].value == "Encoder–decoder attention, layer 0"
    page = opened("heads", kind="sideways", layer="50", head="200")
    assert "layer 0, head 0" in header(page, "head.weights")["caption"]


def test_models_that_are_not_there(offered: dict[str, Path]):
    assert offered
    page = Page("transformer", model="no-such-model", text=TEXT)
    assert "There is no model “no-such-model” here" in page.notices
    assert header(page, "decoder")["selection"]["value"] == 0
    page = Page("transformer", model=str(offered["bert"]), text=TEXT)
    assert "is a text encoder, which this view can't show" in page.notices
    page = Page("transformer", model="t5-small", text=TEXT)
    assert "comes from the hub" in page.notices
