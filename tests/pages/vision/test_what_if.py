"""What if: patches painted away, heads silenced, positions moved, and the lens."""

import numpy as np

from app.style.number_format import three
from core import DropPositions, HidePatches, PermutePositions, SilenceHead
from core.positions import order_of
from core.trace import softmax
from tests.pages.page import Page
from tests.pages.vision.shown import PICTURE, Folders, loaded, opened
from tests.tiny_pictures import CLASSES


def expect_bars(page: Page, folders: Folders, name: str, *changes) -> None:
    """Every class's bar, with what it lost or gained."""
    before, after = loaded(folders[name]).probabilities(PICTURE, [(), changes])
    rows = {row["text"]: row for row in page.figures["vision.what-if.bars"].header["rows"]}
    found = [(rows[label]["before"], rows[label]["after"]) for label in CLASSES]
    np.testing.assert_allclose(found, np.stack([before, after], axis=1), atol=1e-5)


def test_painting_hides_patches_and_moves_the_answer(folders: Folders):
    page = opened("what-if", folders["vit"])
    assert "Nothing is changed yet" in page.text
    page.choose("vision.what-if.paint", [0])
    assert "(1 patch hidden)" in page.text
    assert page.link["hidden"].startswith("4x4.b")
    expect_bars(page, folders, "vit", HidePatches((0,)))
    page.choose("vision.what-if.paint", [])
    assert "Nothing is changed yet" in page.text
    page.button(key="vision.what-if.pattern.Right half").click().run()
    assert "(8 patches hidden)" in page.text
    expect_bars(page, folders, "vit", HidePatches(tuple(i for i in range(16) if i % 4 >= 2)))


def test_a_link_restores_every_change_together(folders: Folders):
    link = {"hidden": "4x4.bBA", "heads": "0.1,1.2", "positions": "dropped", "random": "1"}
    page = opened("what-if", folders["vit"], **link)
    changes = (HidePatches((2,)), SilenceHead(0, 1), SilenceHead(1, 2), DropPositions())
    expect_bars(page, folders, "vit", *changes)
    words = "(1 patch hidden, layer 0 head 1 silenced, layer 1 head 2 silenced, positions dropped"
    assert words in page.text
    assert "on average with 20 random sets" in page.text
    assert page.link.items() >= link.items()
    page.button_group(key="vision.what-if.positions").set_value("kept").run()
    expect_bars(page, folders, "vit", *changes[:3])
    page.text_input(key="vision.what-if.heads:typed").set_value("0.1").run()
    expect_bars(page, folders, "vit", *changes[:2])


def test_a_click_on_a_heads_worth_silences_it_and_another_lets_it_speak(folders: Folders):
    page = opened("what-if", folders["vit"], effects="1")
    assert "Most is lost without layer" in page.text
    page.fire("vision.what-if.worth", [0, 2])
    assert "(layer 0 head 2 silenced" in page.text
    assert page.link["heads"] == "0.2"
    page.fire("vision.what-if.worth", [0, 2])
    assert "Nothing is changed yet" in page.text


def test_heads_that_the_model_does_not_have_are_left_out(folders: Folders):
    page = opened("what-if", folders["vit"], heads="0.1,9.9")
    assert page.link["heads"] == "0.1"
    expect_bars(page, folders, "vit", SilenceHead(0, 1))


def test_the_lens_reads_every_layer_and_patch(folders: Folders):
    page = opened("what-if", folders["vit"], patch="5")
    read = loaded(folders["vit"]).patch_logits(PICTURE)
    table = page.figures["vision.what-if.lens-table"].header
    assert len(table["cells"]) == 3  # two layers, the embeddings
    for row, at in zip(table["cells"], (2, 1, 0), strict=True):
        expected = (read.answer_first[at], read.first[at, 0], read.first[at, 1 + 5])
        assert list(row) == [CLASSES[int(index)] for index in expected]
    page.toggle(key="vision.what-if.names").set_value(True).run()
    words = page.figures["vision.what-if.lens.names"].header
    assert words["cells"][1][1] == CLASSES[int(read.first[2, 1 + 5])]
    page.fire("vision.what-if.layers", 0)
    label = page.figures["vision.what-if.lens.names"].header["label"]
    assert label == "input: the class that each patch's token would give"
    assert page.link["layer"] == "input"


def test_what_a_model_cannot_do_is_said(folders: Folders):
    page = opened("what-if", folders["swin"], positions="shuffled", hidden="16x16.bDw")
    assert "they can be dropped, not permuted" in page.notices
    assert "has its positions as trained" in page.text
    expect_bars(page, folders, "swin", HidePatches((0, 1, 2, 3)))
    assert "Only the last stage has the width" in page.text
    assert "attends over channels, not over patches" in opened("what-if", folders["xcit"]).text


def test_heads_are_named_layer_and_head(folders: Folders):
    """A 7 is neither head 7 of every layer nor layer 7."""
    page, field = opened("what-if", folders["vit"]), "vision.what-if.heads:typed"
    page.text_input(key=field).set_value("1").run()
    assert "“1” is no head of this model. Heads are named layer.head, from 0" in page.notices
    assert "heads" not in page.link
    assert page.text_input(key=field).value == "1"  # to be mended
    page.text_input(key=field).set_value("0.1, 1.*").run()
    assert page.link["heads"] == "0.1,1.0,1.1,1.2"
    assert page.text_input(key=field).value == "0.1, 1.*"
    assert "no head" not in page.notices


def test_the_random_control_keeps_every_other_change(folders: Folders):
    """The sentence's "with yours" is the bar's own probability."""
    link = {"hidden": "4x4.bBA", "heads": "0.1", "positions": "shuffled", "random": "1"}
    page = opened("what-if", folders["vit"], **link)
    model = loaded(folders["vit"])
    first = int(np.argmax(model.trace(PICTURE).logits))
    changes = (HidePatches((2,)), SilenceHead(0, 1), PermutePositions(order_of(16, 1)))
    shown = float(softmax(model.trace(PICTURE, interventions=changes).logits.copy())[first])
    assert f"{three(shown)} with yours" in page.text
