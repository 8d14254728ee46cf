"""Known vulnerabilities of what requirements.txt and .js/package-lock.json pin.

Where no database of them answers, it says loudly that nothing was looked up: that is no failure.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PIP_AUDIT = "pip-audit==2.10.1"
PYTHON = (
    *("uv", "tool", "run", "--from", PIP_AUDIT, "pip-audit", "--requirement", "requirements.txt"),
    *("--disable-pip", "--no-deps", "--format", "json"),
)
JAVASCRIPT = ("npm", "audit", "--prefix", ".js", "--json")


def told(command: Sequence[str]) -> dict[str, Any]:
    """What a tool prints; nothing where it can't be started, or says something else."""
    beside = Path(sys.executable).with_name(command[0])
    tool = str(beside) if beside.exists() else shutil.which(command[0])
    if tool is None:
        return {}
    ran = subprocess.run(
        [tool, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    try:
        return json.loads(ran.stdout)
    except json.JSONDecodeError:
        return {}


def python(report: dict[str, Any]) -> list[str] | None:
    """A line for each vulnerability; None where nothing was looked up."""
    packages = report.get("dependencies", [])
    if not any("vulns" in one for one in packages):
        return None
    return [
        f"{one['name']} {one['version']}: {found['id']}, mended in "
        f"{', '.join(found['fix_versions']) or 'no version yet'}"
        for one in packages
        for found in one.get("vulns", ())
    ]


def javascript(report: dict[str, Any]) -> list[str] | None:
    """The same of npm's."""
    if "metadata" not in report:
        return None
    return [
        f"{name} {found['range']}: {found['severity']}"
        for name, found in report.get("vulnerabilities", {}).items()
    ]


def main() -> int:
    """1 where a vulnerability is known."""
    bad = False
    for name, found in (
        ("PYTHON'S PACKAGES", python(told(PYTHON))),
        ("JAVASCRIPT'S PACKAGES", javascript(told(JAVASCRIPT))),
    ):
        if found is None:
            sys.stderr.write(
                f"!!! NO DATABASE OF VULNERABILITIES ANSWERS: {name} WERE NOT AUDITED\n"
            )
        else:
            bad |= bool(found)
            sys.stderr.write("".join(f"{line}\n" for line in found or [f"{name}: none is known"]))
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
