"""The page's icon, written out: a file would be opened, checked and stored again in every run.

One of Streamlit's own, by name, would be fetched from a font server.
"""

from base64 import b64encode
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).parents[2] / "assets" / "icon.png"
ICON: Final = f"data:image/png;base64,{b64encode(_FILE.read_bytes()).decode()}"
