"""Find: a pair, a role, a relation over all heads; the best example opens as the page's text."""

import numpy as np
import pytest

import core
from core.data.known_roles import known_roles
from core.data.sentences import repeated_words, sentences
from core.data.treebank import parsed_sentences
from core.explain.attention.head_roles import role_masses
from core.trace import AttentionKind
from tests.pages.answers.taken import arrays, rows
from tests.pages.attention.shown import ANIMAL, HEAD, IT, VIEW
from tests.pages.page import Page

TABLE, MAP = "attention.find.table", "attention.find.map"


def opened(**link: str) -> Page:
    return Page("attention", view="heads", part="find", **link)


def open_button(page: Page) -> str:
    (label,) = (one.label for one in page.button if one.label.startswith("Open head"))
    return label


def test_a_pair_over_all_heads(trace):
    page = opened()
    weights = np.stack([one.weights[:, IT, ANIMAL] for one in trace.layers[AttentionKind.ENCODER]])
    kept = arrays(page)
    assert tuple(kept["heads"][0]) == HEAD
    assert tuple(kept["pair"]) == (IT, ANIMAL)
    np.testing.assert_allclose(kept["scores"], np.sort(weights.ravel())[::-1], atol=1e-6)
    np.testing.assert_allclose(kept["baselines"], 1 / 16)
    assert "3.1 looks most from it to animal: 0.677, even attention 0.0625" in page.answer
    shown = [row.partition(" ")[0] for row in page.figures[TABLE].header["rows"]]
    assert shown == [f"{layer}.{head}" for layer, head in kept["heads"][:10]]
    assert len(rows(page)) == 72


def test_another_pair_by_its_tokens(trace):
    page = opened()
    page.selectbox(key="attention.find.To").set_value(8).run()
    assert page.link["cell"] == f"{IT}.8"
    weights = np.stack([one.weights[:, IT, 8] for one in trace.layers[AttentionKind.ENCODER]])
    assert arrays(page)["scores"][0] == pytest.approx(weights.max(), abs=1e-6)
    page.text_area(key="attention.text").set_value("Birds fly.").run()
    assert "cell" not in page.link


def test_a_role_here_and_over_many_texts(trace):
    page = opened(what="previous")
    masses = role_masses(trace)
    of_role = np.stack([one[masses.roles.index("previous")] for one in masses.masses])
    kept = arrays(page)
    assert tuple(kept["heads"][0]) == np.unravel_index(of_role.argmax(), of_role.shape)
    assert kept["scores"][0] == pytest.approx(of_role.max(), abs=1e-6)
    assert "on this sentence" in page.answer
    known = known_roles("minilm-l6")
    assert known is not None
    by_file = opened(what="previous", rank="file")
    heads = [one for layer in known[AttentionKind.ENCODER].weights for one in layer]
    best = max(heads, key=lambda one: one.scores["previous"].above.mean)
    assert tuple(arrays(by_file)["heads"][0]) == (best.layer, best.head)
    assert "over many texts" in by_file.answer


def test_a_role_that_the_sentence_has_no_place_for_is_ranked_over_many_texts():
    page = opened(what="induction", text="Birds fly south.")
    assert "over many texts" in page.answer
    assert "here" not in page.figures[TABLE].header["columns"]


def test_a_role_that_nobody_can_tell_of_says_so(offered):
    page = opened(what="induction", text="the cat", model=str(offered["bert"]))
    assert "were not measured over many texts" in page.notices


def test_a_relation_finds_what_syntax_finds():
    page = opened(what="coreference.antecedent")
    assert tuple(arrays(page)["heads"][0]) == (1, 3)
    assert "from a pronoun to what it stands for on the annotated sentences" in page.answer
    page.press("Show me the best example of head 1.3")
    assert page.link["heads"] == "1.3"
    assert page.link["text"] in {one.text for one in parsed_sentences()}
    assert VIEW in page.figures


def test_what_a_model_that_looks_back_can_not_see_is_said():
    page = opened(model="gpt-mini", what="det.head")
    assert "heads look back alone" in page.notices


def test_a_row_shows_its_head_and_opens_it():
    page = opened()
    page.choose(TABLE, [2, 0])
    third = tuple(arrays(page)["heads"][2])
    name = ".".join(map(str, third))
    assert page.link["heads"] == name
    assert page.figures[MAP].header["title"] == f"head {name} on this sentence"
    page.press(open_button(page))
    assert page.link["heads"] == name
    assert page.figures[VIEW].header["selection"]["value"]["cell"] == [IT, ANIMAL]


@pytest.mark.parametrize("role", ["previous", "induction", "duplicate"])
def test_the_best_example_is_the_text_where_the_role_shows_most(role: str):
    page = opened(what=role, rank="file")
    layer, head = arrays(page)["heads"][0]
    texts = (*sentences(), *(repeated_words() if role == "induction" else ()))
    model = core.load("minilm-l6")
    best, clearest = "", -1.0
    for text in texts:
        found = role_masses(model.trace(text))
        at = found.roles.index(role)
        above = float(found.masses[layer][at, head] - found.even[layer][at, head])
        if above > clearest:
            best, clearest = text, above
    page.press(f"Show me the best example of head {layer}.{head}")
    assert page.link["text"] == best
    assert page.link["heads"] == f"{layer}.{head}"
    query, key = map(int, page.link["cell"].split("."))
    weights = model.trace(best).attention(int(layer)).weights[head]
    if role == "previous":
        assert key == query - 1
    assert page.figures[VIEW].header["selection"]["value"]["cell"] == [query, key]
    assert weights[query, key] > 1 / len(weights)


@pytest.mark.parametrize("kind", AttentionKind)
def test_every_kind_of_a_translator(kind: AttentionKind):
    page = opened(model="transformer-en-de", kind=str(kind), what="first", text="I am here.")
    assert len(arrays(page)["heads"]) > 0
    page.press(next(one.label for one in page.button if one.label.startswith("Show me")))
    assert page.link["model"] == "transformer-en-de"
    assert page.link["text"] in (*sentences(), *repeated_words())
