"""Every family beside its own eager maps, printed and written beside this file.

.venv/bin/python -m tests.benchmarks.parity         # some minutes of one CPU thread
"""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from tests.benchmarks.parity.matrix import outcomes
from tests.benchmarks.parity.outcome import TOLERANCE, Outcome, Verdict

TABLE = Path(__file__).parent.with_name("PARITY.md")


def main() -> int:
    start = time.perf_counter()
    found = outcomes(print)
    TABLE.write_text(table(found, time.perf_counter() - start), encoding="utf-8")
    return int(any(one.verdict == Verdict.WRONG for one in found))


def table(found: Sequence[Outcome], seconds: float) -> str:
    """Markdown: how many, then the equal ones by library, then the others with reasons."""
    counts = Counter(one.verdict for one in found)
    libraries = [f"{name} {version(name)}" for name in ("torch", "transformers", "timm")]
    lines = [
        "# Families beside their own eager maps",
        "",
        "Tiny random models, one of every family; printed by `python -m tests.benchmarks.parity` "
        f"({', '.join(libraries)}; {seconds / 60:.1f} minutes of one CPU thread). Equal: every map "
        f"differs from the library's own eager one by at most {TOLERANCE:g}. Refused: with the "
        "reason that a reader gets. Left out: no tiny model could be made of it here.",
        "",
        ", ".join(f"**{counts[verdict]}** {verdict}" for verdict in Verdict),
        "",
    ]
    for verdict in (Verdict.WRONG, Verdict.EQUAL):
        for library in dict.fromkeys(one.library for one in found):
            named = [
                f"{one.family} {one.detail}"
                for one in found
                if (one.library, one.verdict) == (library, verdict)
            ]
            if named:
                lines += [f"## {verdict.capitalize()}: {library}", "", ", ".join(named), ""]
    for verdict in (Verdict.REFUSED, Verdict.LEFT_OUT):
        rows = [one for one in found if one.verdict == verdict]
        lines += [f"## {verdict.capitalize()}", "", "| library | family | why |", "|---|---|---|"]
        lines += [f"| {one.library} | {one.family} | {_cell(one.detail)} |" for one in rows]
        lines.append("")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
