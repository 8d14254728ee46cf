"""Where does this head look? Asked before its map is seen."""

from dataclasses import replace

import numpy as np

from app.services import text_maps
from app.services.engine import TextTrace
from app.services.questions import AttendedToken
from app.services.questions.texts import named, word_at
from app.services.shown_maps import HeadId
from app.style.markdown_escape import plain
from app.style.visible_space import visible
from app.ui import prediction
from app.views.attention import state
from app.views.attention.inputs import second_texts
from core.catalog import ModelCard
from core.trace import AttentionKind, Encoding


def asks(
    traced: TextTrace,
    card: ModelCard,
    kind: AttentionKind,
    head: HeadId,
    looking: int | None = None,
) -> bool:
    """Whether the reader is still to say which token it looks at most.

    looking: from which token; the last word, if it is not given.
    """
    queries = text_maps.encodings(traced.trace, kind)[0]
    place = _last_word(queries) if looking is None else min(looking, len(queries) - 1)
    pair, target = second_texts(card.family)
    question = AttendedToken(
        model=state.MODEL.value,
        text=state.TEXT.value,
        pair=pair,
        target=target,
        kind=str(kind),
        head=named(head),
        word=word_at(queries, place),
    )
    words = (
        f"Head {named(head)} at **{plain(visible(queries.tokens[place]))}**: which token does it "
        "look at most?"
    )
    # Which token is asked about: the reader's own matter, and no reason to ask again.
    about = replace(question, word="")
    return prediction.asks(
        state.HERE.key("prediction"), words, question, state.MODEL.value, about=about
    )


def _last_word(queries: Encoding) -> int:
    words = np.flatnonzero(~queries.special).tolist()
    telling = [place for place in words if queries.tokens[place].strip("Ġ▁#").isalnum()]
    return (telling or words or [0])[-1]
