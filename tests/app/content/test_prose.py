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


@pytest.mark.parametrize("path", FILES, ids=str)
def test_every_file_can_be_read(path):
    found = prose(path.as_posix())
    assert "\n\n" not in found.lead
    assert all(text for columns in found.sections.values() for text in columns)
