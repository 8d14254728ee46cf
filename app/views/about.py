"""Where everything comes from: models, data, licences, limits."""

import pandas as pd
import streamlit as st

from app import inference
from core.catalog import CATALOG


def render() -> None:
    """Credits and honest limits."""
    st.title("Where does this come from?")
    st.markdown(
        "Glassformer runs unmodified models and reads the attention call itself; what you see is "
        "what the model computed, in 32-bit floats. Colours are for looking; every printed number "
        "is exact."
    )
    st.subheader("Models")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "model": card.title,
                    "size": card.size if card.parameters else "",
                    "licence": card.licence,
                    "paper": card.paper,
                    "from": card.repository or "trained here, shipped with the app",
                    "revision": (card.revision or "not pinned")[:12] if card.repository else "",
                    "network": "needed the first time" if inference.needs_network(card) else "no",
                }
                for card in CATALOG
            ]
        ),
        hide_index=True,
    )
    st.subheader("Data behind the embedded models")
    st.markdown(
        "- English Wikipedia (July 2019), Wikipedia contributors, CC BY-SA 3.0\n"
        "- 84 classic children's and adventure books, public domain\n"
        "- ParaRel patterns (MIT) with triples of T-REx and Wikidata (CC0)\n"
    )
    st.subheader("Software")
    st.markdown(
        "PyTorch (BSD-3), transformers, tokenizers, safetensors, timm (Apache-2.0), Streamlit "
        "(Apache-2.0), Plotly (MIT), BertViz by Jesse Vig (Apache-2.0), D3 (BSD-3), jQuery (MIT), "
        "scikit-image (BSD-3)."
    )
    st.subheader("What stays on this machine")
    st.markdown(
        "Your text is never written to disk, never sent to another machine, and no other session "
        "can see it; results are kept in memory for a while, by content, so that equal questions "
        "are computed once. Links hold the text itself: whoever has the link can read it."
    )
