"""The pages' prose, in Markdown files that an editor can change: `prose/<page>/<view>.md`.

A file begins with the view's lead, one sentence under the title. Sections follow, each under a
`## heading`; the one called `ABOUT` closes the view. Within a section `---` on a line of its own
begins the next column, and `{{name}}` stands for a fact that the view computes. Formulas are
`$…$` and `$$…$$`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "prose"
ABOUT: Final = "What am I looking at?"
HEADING: Final = re.compile(r"^## (.+)$", re.MULTILINE)
COLUMN: Final = re.compile(r"^---$", re.MULTILINE)
FACT: Final = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Prose:
    """One file's texts."""

    lead: str
    sections: Mapping[str, tuple[str, ...]]  # columns by heading

    def columns(self, heading: str, facts: Mapping[str, str]) -> tuple[str, ...]:
        """A section with its facts in place. Raises KeyError for a missing section or fact."""
        return tuple(
            FACT.sub(lambda found: facts[found[1]], column) for column in self.sections[heading]
        )

    def without_facts(self, heading: str) -> tuple[str, ...]:
        """A section while nothing is shown: what would name a fact is left out."""
        columns = (
            "\n\n".join(part for part in column.split("\n\n") if not FACT.search(part))
            for column in self.sections[heading]
        )
        return tuple(column for column in columns if column.strip())


@cache
def prose(path: str) -> Prose:
    """The texts of a view, such as "gpt/next". Raises FileNotFoundError."""
    return read((FOLDER / f"{path}.md").read_text("utf-8"))


def read(text: str) -> Prose:
    """A file's text in its parts."""
    lead, *rest = HEADING.split(text)
    sections = {
        heading.strip(): tuple(column.strip() for column in COLUMN.split(body))
        for heading, body in zip(rest[::2], rest[1::2], strict=True)
    }
    return Prose(lead.strip(), sections)
