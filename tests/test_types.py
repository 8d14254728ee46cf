"""What a type checker and an editor know of the public face: README's own code, and `typed/`."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
GIVEN = """
import torch
from PIL import Image
from tokenizers import Tokenizer

picture = Image.new("RGB", (224, 224))
module, x = torch.nn.MultiheadAttention(8, 2), torch.zeros(1, 3, 8)
tokenizer = Tokenizer.from_file("tokenizer.json")
"""


def test_readmes_code_and_every_question_have_types(tmp_path: Path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 3
    readme = tmp_path / "readme.py"
    readme.write_text("\n".join((GIVEN, *blocks)), "utf-8")
    checker = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
    files = [readme, *sorted((ROOT / "tests" / "typed").glob("*.py"))]
    said = subprocess.run([*checker, *map(str, files)], cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout
