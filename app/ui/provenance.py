"""Where numbers that are taken along come from: enough to cite them, and to see them again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from app.services import models
from app.ui.param import Param
from core.limits import LINK_CHARACTERS
from core.version import VERSION

MADE_BY: Final = f"Glassformer {VERSION}"
CITED: Final = (
    f"The Glassformer founders: {MADE_BY.replace(' ', ', version ')}: see what a Transformer, a "
    "BERT, a GPT or a ViT does (CITATION.cff)"
)
SEEN: Final = "provenance.picture"  # what the models of the shown view see


@dataclass(frozen=True)
class Provenance:
    """Of what one view hands out, as it is shown now."""

    link: str  # the view's whole address, where the state fits into one
    params: Sequence[Param[Any]]
    left_out: Sequence[str] = ()  # what of the reader's own is too long for the link
    picture: np.ndarray | None = None  # the crop that the models saw

    @property
    def weights(self) -> dict[str, str]:
        """SHA-256 of every chosen model's weights."""
        chosen = dict.fromkeys(str(param.value) for param in self.params)
        cards = [card for value in chosen if (card := models.card_of(value)) is not None]
        return {
            card.id: models.hash_of(card.id) for card in cards if not models.needs_network(card)
        }

    def line(self) -> str:
        """For a table's comment: all in one line."""
        hashes = [f"{name} sha256:{digest}" for name, digest in self.weights.items()]
        return " · ".join([MADE_BY, self.link, *hashes, *self.left_out, f"cite: {CITED}"])

    def json(self) -> str:
        """For an archive of arrays: with every setting and the reader's whole text."""
        settings = {p.name: p.write(p.value) for p in self.params if p.value is not None}
        return json.dumps(
            {
                "made by": MADE_BY,
                "link": self.link,
                "settings": settings,
                "weights, SHA-256": self.weights,
                "cite as": CITED,
            },
            ensure_ascii=False,
        )


def provenance(short: Mapping[str, str], params: Sequence[Param[Any]]) -> Provenance:
    """`short`: what the view's link carries."""
    address = str(st.context.url or "").partition("?")[0]
    link = f"{address}?{urlencode(short)}" if short else address
    long = [
        f"{param.name}: {text}"
        for param in params
        if len(text := param.written or "") > LINK_CHARACTERS
    ]
    return Provenance(link, params, long, st.session_state.get(SEEN))


def note_picture(picture: np.ndarray | None) -> None:
    """What the models of the shown view see; every archive of arrays holds it."""
    st.session_state[SEEN] = picture
