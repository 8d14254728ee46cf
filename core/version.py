"""The version, for pyproject.toml too. Where requirements alone are installed, it is known."""

from typing import Final

VERSION: Final = "0.1.0"
