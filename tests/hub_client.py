"""A process that asks a hub: huggingface_hub reads its environment when it is imported."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def answered(code: str, url: str, home: Path, wish: dict[str, Any]) -> dict[str, Any]:
    """What `code` prints, as JSON. It has its wish in argv, a hub at `url`, a cache in `home`."""
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    environment |= {
        "HF_ENDPOINT": url,
        "HF_HOME": str(home),
        "HF_HUB_OFFLINE": "0",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_VERBOSITY": "error",
    }
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, json.dumps(wish)],
        env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
