"""Start the app with the default model already on its way: `python -m app [--server.port=…]`.

Opening a model takes seconds of imports. Begun here, they overlap with the server's start and
the browser's; `python -m streamlit run app/main.py` works too, and begins them with the first
reader.
"""

import os
import sys
from pathlib import Path

MAIN = Path(__file__).with_name("main.py")


def main() -> None:
    from app import inference

    inference.warm_up()
    os.chdir(MAIN.parent.parent)  # where Streamlit finds .streamlit/config.toml
    sys.argv = ["streamlit", "run", str(MAIN), *sys.argv[1:]]
    from streamlit.web.cli import main as streamlit

    streamlit()


main()
