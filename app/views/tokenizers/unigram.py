"""Unigram: the lattice of a word, its best and its random cuttings, and how pieces are pruned."""

from functools import partial
from typing import Final, cast

import streamlit as st

from app.components.piece_bars import piece_bars, piece_bars_frame
from app.services import tokenizers
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.style.visible_space import joined, visible
from app.ui.answer import answer
from app.ui.data_table import data_table
from app.ui.examples import example_chips
from app.ui.export_bar import Export, Table
from app.ui.input_line import input_line, quoted
from app.ui.page import View
from app.ui.params import Scope
from app.views.tokenizers import chooser, cuttings, state
from app.views.tokenizers.learned import learned
from app.views.tokenizers.state import (
    HERE,
    OWN,
    SMALL,
)
from core.errors import InputError
from core.tokenization import unigram
from core.tokenization.unigram import UnigramModel, UnigramTraining

MODELS = {"course": "15 substrings of hug, pug, pun, bun, hugs", "trained": "trained on a corpus"}
_OWN: Final = Scope("tokenizers", "unigram")
MODEL: Final = _OWN.choice("model", MODELS)
WORD: Final = _OWN.text("word", "unhug")
PIECES: Final = _OWN.whole("pieces", 1, 5000, 12)
BEST: Final = _OWN.whole("best", 1, 12, 5)
ALPHA: Final = _OWN.real("alpha", 0.0, 5.0, 1.0)
SEED: Final = _OWN.whole("seed", 0, 999_999, 0)
EXAMPLES = {
    "unhug": ("course", "hug", "unhug", 12),
    "hugs": ("course", "hug", "hugs", 12),
    "mug: an unknown letter": ("course", "hug", "mug", 12),
    "rereading": ("trained", "story", "rereading", 200),
    "undreamed": ("trained", "story", "undreamed", 300),
}


def render() -> Export | None:
    """A model, a word; the lattice; the story of the training."""
    with input_line(quoted(WORD.value), MODEL.names[MODEL.value]):
        word = WORD.line("Word", max_chars=200).strip()
        MODEL.selectbox("Model")
        _settings()
        example_chips(EXAMPLES, _take_example, key=HERE.key("unigram-example"))
    found = _model()
    if found is None:
        return None
    model, training = found
    if not word:
        st.info("Type a word to see its lattice.")
        return None
    if len(word) > cuttings.LONGEST_WORD:
        st.caption(f"The figure draws the word's first {cuttings.LONGEST_WORD} letters.")
    figure = cuttings.lattice_figure(
        word[: cuttings.LONGEST_WORD],
        model,
        best=BEST.value,
        alpha=ALPHA.value,
        seed=SEED.value,
    )
    answer(_answered(word[: cuttings.LONGEST_WORD], model))
    piece_bars(figure, key=HERE.key("lattice"))
    _story(training)
    return Export(
        table=lambda: _table(word, model),
        name="unigram-lattice",
        left_out=state.left_out(SMALL),
        caption=figure.caption,
        offline=("piece_bars", lambda: piece_bars_frame(figure)),
    )


def _answered(word: str, model: UnigramModel) -> str:
    """The most probable cutting, in Markdown."""
    best, *_ = unigram.n_best(word, model, 1)
    n_pieces = len(unigram.lattice(word, model).edges)
    return (
        f"Of all ways to cut “{plain(word)}” into the {n_pieces} pieces that fit, "
        f"**{plain(joined(best.tokens))}** is the most probable: a share of "
        f"**{three(best.share)}**."
    )


def _settings() -> None:
    if MODEL.value == "trained":
        chooser.corpus_fields(SMALL, trained=False)
    with st.expander("Settings", icon=":material/tune:"):
        PIECES.number_input("Pieces, when trained", step=1)
        BEST.slider("Best cuttings")
        ALPHA.slider(
            "α of random cuttings",
            step=0.1,
            help="0: all cuttings alike; a large α hardly ever leaves the best.",
        )
        SEED.number_input("Seed", step=1)


def _model() -> tuple[UnigramModel, UnigramTraining | None] | None:
    """The chosen one; None after saying why it can't be had."""
    if MODEL.value == "course":
        return unigram.from_frequencies(cuttings.COURSE), None
    try:
        corpus = state.corpus(SMALL)
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return None
    learn = partial(tokenizers.train_unigram, corpus, PIECES.value, word_start="")
    training = learned(("unigram", PIECES.value), corpus, learn)
    return training and (training.model, training)


def _story(training: UnigramTraining | None) -> None:
    st.subheader("From too many pieces to few")
    if training is None:
        st.caption(
            "This model is not trained: each substring's probability is its count, over 210 in "
            "all. Choose “trained on a corpus” to see EM and pruning."
        )
        return
    st.caption(
        f"{training.seed_size:,} pieces at first: all letters, and substrings seen twice. A "
        "round is two EM steps, then the pieces go that the likelihood misses least."
    )
    rounds = training.rounds
    data_table(
        {
            "round": [found.number + 1 for found in rounds],
            "pieces before": [found.pieces_before for found in rounds],
            "after": [found.pieces_after for found in rounds],
            "nats a word": [found.objective for found in rounds],
            "tokens of the corpus": [found.tokens for found in rounds],
            "pruned, the least missed first": [
                " · ".join(f"{visible(p.piece)} ({p.loss:.2g})" for p in found.pruned[:40])
                + (f" · and {len(found.pruned) - 40:,} more" if len(found.pruned) > 40 else "")
                for found in rounds
            ],
        },
        column_config={"nats a word": st.column_config.NumberColumn(format="%.4g")},
    )
    st.text(
        f"At the end: {len(training.vocabulary):,} pieces, the most probable "
        f"{joined(training.vocabulary[:12])}."
    )
    st.caption("In brackets: by how much a word's log-likelihood falls without the piece.")


def _table(word: str, model: UnigramModel) -> Table:
    rows = [
        (e.piece, e.start, e.end, e.log_probability, e.posterior, int(e.best), int(e.unknown))
        for e in unigram.lattice(word[: cuttings.LONGEST_WORD], model).edges
    ]
    header = ["piece", "start", "end", "ln_p", "posterior", "on_best_path", "unknown"]
    return header, cast("list[tuple[object, ...]]", rows)


def _take_example(example: tuple[str, str, str, int]) -> None:
    model, corpus, word, pieces = example
    MODEL.put(model)
    SMALL.put(corpus)
    WORD.put(word)
    PIECES.put(pieces)


VIEW: Final = View(
    "unigram",
    "Unigram",
    (MODEL, SMALL, OWN, WORD, PIECES, BEST, ALPHA, SEED),
    render,
)
