"""What links are made of is a promise: a view, a parameter or a choice keeps its name.

Links stand in lessons, slides and papers. Where a name has to change all the same, write the
list anew, `.venv/bin/python -m tests.pages.test_links`, and say so in the commit.
"""

import json
from pathlib import Path

from tests.pages.declared import SHOWN

PROMISED = Path(__file__).with_name("links.json")


def declared() -> dict[str, list[str]]:
    """Every view's parameters, by page, view and part."""
    return {str(shown): sorted(shown.params) for shown in SHOWN}


def test_links_keep_their_names():
    assert declared() == json.loads(PROMISED.read_text("utf-8"))


def test_a_name_means_one_thing_in_a_link():
    for shown in SHOWN:
        names = (*shown.link, *shown.params)
        assert len(set(names)) == len(names), f"{shown} has two parameters of one name"


if __name__ == "__main__":
    PROMISED.write_text(json.dumps(declared(), indent=1) + "\n", "utf-8")
