"""The same names on every page that draws heads, from the same files."""

import pytest

from app.style.number_format import three
from app.ui.head_names import names
from core.data.known_roles import known_roles
from core.trace import AttentionKind
from tests.pages.bert.shown import FACT
from tests.pages.page import Page

ENCODER, DECODER, CROSS = AttentionKind
MAPS = {
    "bert.words.effects": ("bert", {"text": FACT, "masks": "6", "silence": "1", "sweep": "1"}),
    "bert.words.confidence": ("bert", {"text": FACT, "masks": "6", "silence": "1"}),
    "bert.gaze": ("bert", {"text": FACT, "masks": "6"}),
    "gpt.next.confidence": ("gpt", {"silence": "1"}),
    "gpt.next.patched": ("gpt", {"silence": "1", "patch": "1"}),
    "gpt.induction.induction": ("gpt", {"view": "induction", "length": "4"}),
    "transformer.decode.confidence": ("transformer", {"view": "decode", "silence": "1"}),
    "vision.how-far.labels": ("vision", {"view": "how-far"}),
    "vision.attention.heads": ("vision", {"view": "attention"}),
    "transformer.alignment.end-mass.-1.-1": ("transformer", {"view": "alignment"}),
}
MODELS = {
    "bert": ("minilm-mlm", ENCODER),
    "gpt": ("gpt-mini", DECODER),
    "transformer": ("transformer-en-de", CROSS),
    "vision": ("vit-mini", ENCODER),
}


def expected(page: str, by: str = "weights", kind: AttentionKind | None = None):
    model, own = MODELS[page]
    roles = known_roles(model)
    assert roles is not None
    return names(getattr(roles[kind or own], by))


@pytest.mark.parametrize("figure", MAPS)
def test_maps_of_heads_carry_their_names(figure: str):
    path, link = MAPS[figure]
    told = Page(path, **link).figures[figure].header["names"]
    named = expected(path)
    assert [tuple(row) for row in told["named"]] == list(named.named)
    assert [tuple(row) for row in told["notes"]] == list(named.notes)
    assert [one["name"] for one in told["legend"]] == [one.name for one in named.legend]


def test_what_they_write_and_no_names_are_choices_of_the_page():
    link = {"text": FACT, "masks": "6", "silence": "1"}
    page = Page("bert", **link, roles="written")
    told = page.figures["bert.words.confidence"].header["names"]["notes"]
    assert [tuple(row) for row in told] == list(expected("bert", "written").notes)
    page = Page("bert", **link, roles="off")
    assert page.figures["bert.words.confidence"].header["names"] is None


def test_patched_positions_are_no_heads():
    page = Page("gpt", silence="1", patch="1", part="residual")
    assert page.figures["gpt.next.patched"].header["names"] is None


def test_pickers_name_the_heads_of_the_chosen_layer():
    page = Page("transformer", view="heads", kind="encoder", layer="2")
    legend = expected("transformer", kind=ENCODER)
    named = [legend.legend[at].name if at >= 0 else "" for at in legend.named[2]]
    assert any(named)
    options = page.selectbox(key="transformer.one.head:options").options
    assert options == [
        f"head {head}" + f" · {name}" * bool(name) for head, name in enumerate(named)
    ]


def test_a_head_of_all_layers_has_no_name():
    page = Page("transformer", view="decode")
    options = page.selectbox(key="transformer.head:options").options
    assert options == ["mean of 8 heads", *(f"head {head}" for head in range(8))]


def test_the_rows_of_one_layer_are_told_on_hover():
    page = Page("gpt", view="generate", layer="1")
    assert tuple(page.figures["gpt.heads"].header["row_notes"]) == expected("gpt").notes[1]


def test_pictures_heads_that_are_not_local_say_how_near_the_nearest_comes():
    page = Page("vision", view="how-far", model="vit-mini")
    roles = known_roles("vit-mini")
    assert roles is not None
    heads = [head for layer in roles[AttentionKind.ENCODER].weights for head in layer]
    assert "local" not in {head.label for head in heads}
    nearest = max(heads, key=lambda head: head.scores["local"].above.mean)
    score = nearest.scores["local"]
    assert (
        f"No head of this model is local: the nearest, layer {nearest.layer} · head "
        f"{nearest.head}, puts {three(score.mass)} on the patch itself and the eight around it, "
        f"where even attention puts {three(score.baseline)}." in page.text
    )
    assert "is local" not in Page("attention").text
