"""Starts the app: what the server's owner set is checked, then Streamlit runs app/main.py.

`python -m app.start --server.port=8501`: the options are those of `streamlit run`.

Streamlit runs no line of the app before a reader's browser has loaded and connected. So that the
first reader does not wait for the app's imports then, they happen meanwhile, in a thread.
"""

import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Final

from app.services import settings

MAIN: Final = Path(__file__).with_name("main.py")
PAUSE: Final = 0.005  # seconds
FIRST: Final = ("", "attention")  # what most readers open first
LATER: Final = 3.0  # seconds: the first screen is drawn


def main() -> int:
    """2 where a setting is nonsense, which was told; else Streamlit's own, when it ends."""
    if refused := settings.main():
        return refused
    threading.Thread(target=_import_pages, name="imports", daemon=True).start()
    with _without("plotly"):  # Streamlit would dress it for charts of its own theme
        import_module("streamlit")
    from streamlit import net_util
    from streamlit.web import cli

    # It would ask a stranger for this machine's address, and answer nobody until it knows.
    net_util.get_external_ip = lambda: None
    cli.main(["run", str(MAIN), *sys.argv[1:]], prog_name="streamlit")
    return 0


@contextmanager
def _without(package: str) -> Generator[None]:
    """As if it were not installed."""
    sys.modules[package] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[package]


def _import_pages() -> None:
    """Once the server is there: components register with it, and the start comes before them."""
    while (runtime := sys.modules.get("streamlit.runtime")) is None or not _exists(runtime):
        time.sleep(PAUSE)
    navigation = import_module("app.main").navigation
    for path in FIRST:
        navigation.page(path)
    time.sleep(LATER)
    for path in navigation.PLACES:
        navigation.page(path)
    import_module("pandas")  # for the first chart, and the first table
    import_module("plotly.graph_objects")


def _exists(runtime: object) -> bool:
    """Whether there is a server, as far as that module is imported."""
    exists = getattr(runtime, "exists", None)
    return exists is not None and exists()


if __name__ == "__main__":
    sys.exit(main())
