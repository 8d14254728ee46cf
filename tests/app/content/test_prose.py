"""Prose files: every one can be read, and its parts are where the page looks for them."""

import pytest

from app.content.prose import ABOUT, FOLDER, prose, read

FILES = sorted(path.relative_to(FOLDER).with_suffix("") for path in FOLDER.rglob("*.md"))


def test_a_file_has_a_lead_sections_and_columns():
    found = read("Lead.\n\n## What am I looking at?\n$x$ of {{model}}\n---\nCaution\n\n## More\nm")
    assert found.lead == "Lead."
    assert found.columns(ABOUT, {"model": "it"}) == ("$x$ of it", "Caution")
    assert found.columns("More", {}) == ("m",)


def test_a_missing_fact_is_an_error():
    with pytest.raises(KeyError, match="model"):
        read("Lead.\n## A\n{{model}}").columns("A", {})


def test_while_nothing_is_shown_what_names_a_fact_is_left_out():
    text = read("Lead.\n## A\n$x$\n\nof {{model}}, too\n\nlast\n---\n{{model}}\n")
    assert text.without_facts("A") == ("$x$\n\nlast",)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_every_file_can_be_read(path):
    found = prose(path.as_posix())
    assert "\n\n" not in found.lead
    assert all(text for columns in found.sections.values() for text in columns)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("blocks/tuning/int8", "maximum of the weights"),
        ("blocks/cost/parameters", "100 M or 150 M parameters for GPT"),
        ("blocks/cost/parameters", "540 B"),
        ("blocks/cost/parameters", "41.0 in the\nproceedings, 41.8"),
        ("blocks/cost/parameters", "Table 3, not 4"),
        ("blocks/cost/parameters", "base model, 65 M; 213 M is the big"),
        ("blocks/attention/metric", "mean the transpose"),
        ("tokenization", "after that merge it is *wi d"),
    ],
)
def test_slips_of_lectures_are_remarked_where_their_subject_is(path: str, said: str):
    assert said in prose(path).sections[ABOUT][-1]
