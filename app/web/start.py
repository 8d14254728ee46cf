"""Starts the app: what the server's owner set is checked, then Streamlit runs app/main.py.

`python -m app.web.start --server.port=8501`: the options are those of `streamlit run`.

Streamlit runs no line of the app before a reader's browser has loaded and connected. So that the
first reader does not wait for the app's imports then, they happen meanwhile, in a thread.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from types import ModuleType
from typing import Any, Final

from app.services import arenas, logs, settings

LOG: Final = logging.getLogger("app.web.start")  # which runs as __main__
SERVER: Final = Path(__file__).with_name("server.py")
PAUSE: Final = 0.005  # seconds
FIRST: Final = ("", "attention")  # what most readers open first
LATER: Final = 3.0  # seconds: the first screen is drawn


def main() -> int:
    """2 where a setting is nonsense, which was told; else Streamlit's own, when it ends."""
    arenas.share()
    # Explainers' matrices are small: NumPy's threads mostly wait for one another, on cores that the
    # pages of a class need. Torch's own stay.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if refused := settings.main():  # which may import NumPy
        return refused
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    with _without("plotly"):  # Streamlit would dress it for charts of its own theme
        import_module("streamlit")
    from streamlit import env_util, net_util
    from streamlit.web import cli
    from streamlit.web.server.starlette import starlette_server

    bind = starlette_server._bind_socket  # pyright: ignore[reportPrivateUsage]
    starlette_server._bind_socket = partial(_at_once, bind)  # pyright: ignore[reportPrivateUsage]
    env_util.is_repl = lambda: False  # it reads every module's source to find out
    # It would ask a stranger for this machine's address, and answer nobody until it knows.
    net_util.get_external_ip = lambda: None
    told: list[str] = []
    if not settings.plain_logs():
        logs.in_json()
        told.append("--logger.hideWelcomeMessage=true")
    cli.main(["run", str(SERVER), *told, *sys.argv[1:]], prog_name="streamlit")
    return 0


def _at_once(bind: Callable[..., socket], *where: Any) -> socket:
    """Streamlit's listening socket; what its connections send leaves at once.

    asyncio sees to that only where a socket names its protocol, and Streamlit's names none: every
    file and message in two parts waited for the browser's delayed acknowledgement, up to 40 ms.
    """
    listening = bind(*where)
    listening.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)  # connections inherit it
    return listening


@contextmanager
def _without(package: str) -> Generator[None]:
    """As if it were not installed."""
    sys.modules[package] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[package]


def _warm_up() -> None:
    """What the first screen needs, once the server answers: then a browser loads Streamlit's own.

    Components register with the server, so none can be imported before.
    """
    while not _answers(sys.modules.get("streamlit.runtime")):
        time.sleep(PAUSE)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 10)  # a browser asks for seventy files meanwhile
    navigation = import_module("app.main").navigation
    for path in FIRST:
        navigation.page(path)
    names = import_module("app.services.head_roles")
    names.known(names.models.DEFAULT)  # of the heads of the first figure
    import_module("PIL.Image").preinit()  # for the page's icon
    sys.setswitchinterval(usual)
    LOG.info("Glassformer %s listens", import_module("core.version").VERSION)
    time.sleep(LATER)
    for path in navigation.PLACES:
        navigation.page(path)
    import_module("pandas")  # for the first chart, and the first table
    import_module("plotly.graph_objects")
    import_module("app.services.metrics").count()


def _answers(runtime: ModuleType | None) -> bool:
    """Whether the server listens, as far as that module is imported."""
    exists = getattr(runtime, "exists", None)
    if runtime is None or exists is None or not exists():
        return False
    return runtime.get_instance().state != runtime.RuntimeState.INITIAL


if __name__ == "__main__":
    sys.exit(main())
