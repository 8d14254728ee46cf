"""Where everything comes from: models, data, licences, limits."""

from typing import Any, Final

import streamlit as st

from app.services import metrics, models
from app.services.training_history import trained
from app.style.markdown_escape import plain
from app.style.number_format import measured
from app.ui import page_links, tour
from app.ui.data_table import data_table
from app.ui.page import Leaflet
from core.catalog import CATALOG


def render() -> None:
    """Credits and honest limits."""
    st.title("Where does this come from?")
    st.markdown(
        "Glassformer runs unmodified models and reads the attention call itself; what you see is "
        "what the model computed, in 32-bit floats. Colours are for looking; every printed number "
        "is exact."
    )
    tour.way_there()
    st.subheader("Models")
    data_table(
        [
            {
                "model": card.title,
                "size": card.size if card.parameters else "",
                "licence": card.licence,
                "paper": card.paper,
                "from": card.repository or "trained here, shipped with the app",
                "revision": (card.revision or "not pinned")[:12] if card.repository else "",
                "network": "needed the first time" if models.needs_network(card) else "no",
            }
            for card in CATALOG
        ],
    )
    for title, sheet in models.embedded_sheets().items():
        _embedded(title, sheet)
    st.subheader("Software")
    st.markdown(
        "PyTorch (BSD-3), transformers, tokenizers, safetensors, timm (Apache-2.0), Streamlit "
        "(Apache-2.0), Plotly (MIT), BertViz by Jesse Vig (Apache-2.0), D3 (BSD-3), jQuery (MIT), "
        "scikit-image (BSD-3), Prometheus's client (Apache-2.0)."
    )
    st.subheader("What stays on this machine")
    st.markdown(
        "Your text is never written to disk, never sent beyond what computes for this server, and "
        "no other session can see it, but for two things: what a teacher shows in a room is kept "
        "for its students with the server's rooms, maybe in a file, until the room ends; and an "
        "upload beyond 1 MB lies in a temporary file while it arrives. Results are kept in memory "
        "for a while, by content, so that equal questions are computed once. Links hold the text "
        "itself: whoever has the link can read it."
    )
    st.subheader("This server")
    st.markdown(metrics.standing().line())


def _embedded(title: str, sheet: dict[str, Any]) -> None:
    """What a model trained here can do, as measured, and what it was trained on."""
    st.subheader(f"{title}: what it can do")
    st.markdown(
        f"Trained: {plain(trained(sheet))}, so expect little: it is here to "
        f"be looked into. Figures on held-out data, by `{sheet['evaluation']}`."
    )
    figures, examples = st.columns(2, gap="large")
    meanings, units = sheet["metrics_meaning"], sheet.get("metrics_units", {})
    with figures:
        data_table(
            [
                {"figure": measured(value, units.get(name)), "of what": meanings[name]}
                for name, value in sheet["metrics"].items()
            ]
        )
    with examples:
        data_table(
            [
                {
                    "asked": example["question"],
                    "answered": example["answer"],
                    "": "✓" if example["good"] else "✗",
                }
                for example in sheet["examples"]
            ]
        )
    page_links.link(
        "training", "How it learned", {"model": sheet["id"]}, icon=":material/timeline:"
    )
    data = "; ".join(f"{d['name']} ({d['credit']}, {d['licence']})" for d in sheet["data"])
    st.markdown(f"Trained on: {plain(data)}.")


PAGE: Final = Leaflet("about", render)
