"""BertViz's pages without a browser: small, harmless, of the version that is installed."""

import hashlib
import json

import pytest

import core
from app.components import bertviz
from app.components.bertviz import KindMaps
from tests.figures.bertviz_samples import TOKENS, make, maps_of_sentence, random_maps
from tests.figures.strange_texts import HOSTILE


def test_a_sentence_page_is_small():
    """12 × 12 heads at 64 tokens; BertViz's own page is 26.5 MB."""
    kinds = [random_maps("encoder", 12, (64, 64))]
    assert len(make("model", kinds).html) < 4e6
    assert bertviz.too_long(64) is None


def test_long_texts_are_declined_with_a_way_out():
    sentence = bertviz.too_long(65)
    assert sentence is not None
    assert "65 tokens" in sentence
    assert "up to 64" in sentence
    assert "figure above" in sentence


def test_a_model_that_hides_its_queries_says_so(tiny_checkpoint):
    kinds = bertviz.maps_of(core.load(tiny_checkpoint("deberta")).trace("the cat sat ."))
    assert "queries and keys" in (bertviz.hides_queries(kinds) or "")
    with pytest.raises(ValueError, match="needs queries and keys"):
        bertviz.neuron_view_page(kinds, dark=False)


@pytest.mark.parametrize("family", ["llama", "marian", "bert"])
def test_a_trace_gives_its_maps(family: str, tiny_checkpoint):
    given = {"target": "a dog ran"} if family == "marian" else {}
    trace = core.load(tiny_checkpoint(family)).trace("the cat sat .", **given)
    kinds = bertviz.maps_of(trace)
    assert bertviz.hides_queries(kinds) is None
    expected = {"llama": ["decoder"], "bert": ["encoder"]}
    assert [maps.kind for maps in kinds] == expected.get(family, ["encoder", "decoder", "cross"])
    assert [len(maps.weights) for maps in kinds] == ([2, 3, 3] if family == "marian" else [3])
    assert bertviz.neuron_view_page(kinds, dark=True).html


def test_maps_must_fit_their_tokens():
    with pytest.raises(ValueError, match=r"\(5, 5\) .* lengths \(5, 4\)"):
        KindMaps("encoder", TOKENS, TOKENS[:4], random_maps("encoder", 1, (5, 5)).weights)


def test_another_version_of_bertviz_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(bertviz.REPLACED, "head", (("no such line", ""),))
    with pytest.raises(ValueError, match="no single “no such line”: another version"):
        bertviz.bertviz_script("head")


def test_bertviz_is_read_and_never_imported():
    import sys

    make("head", [maps_of_sentence()])
    assert "bertviz" not in sys.modules


def test_vendored_scripts_are_the_published_ones():
    readme = (bertviz.VENDOR / "README.md").read_text("utf-8")
    for name in bertviz.LIBRARIES:
        path = bertviz.VENDOR / name
        assert hashlib.sha256(path.read_bytes()).hexdigest() in readme
        assert (path.parent / "LICENSE").read_text("utf-8")


def test_embedded_data_is_json_that_cannot_end_its_element():
    text = bertviz._embedded({"token": HOSTILE + "<!--"})
    assert "<" not in text
    assert json.loads(text)["token"] == HOSTILE + "<!--"
